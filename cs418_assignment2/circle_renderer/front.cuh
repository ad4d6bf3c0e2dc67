#pragma once
// Method "front": front to back with an early end, in one kernel.
//
// A block draws 32 x 32 pixels, each of its eight warps a tile of 16 x 8 (warp_tile.cuh). In a round the
// block looks at 1024 circles, newest first, and lists those that touch its 32 x 32 pixels. Then each warp
// culls the list again, for its own tile, 32 circles at a time, and blends. When all tiles are opaque the
// block is done: with half transparent circles that is so after 20 of them, whether 10,000 or 100,000 more
// wait.
//
// Good where circles are large (every round brings enough to finish) or few (one round is all).
//
// Also here: few_kernel, for at most 32 circles. There is nothing to list, so every warp takes them as they
// are.

#include "../device/block_scan.cuh"
#include "device_scene.cuh"
#include "shading.cuh"
#include "warp_tile.cuh"

constexpr int front_threads = 256, front_warps = front_threads / 32;
constexpr int front_parts = 4;  // groups of 32 circles that a warp looks at in a round
constexpr int front_round = front_threads * front_parts;

template <class Shading>
__global__ void __launch_bounds__(front_threads, 4)
    front_kernel(Circles circles, Canvas canvas, Background background) {
  using Tile = WarpTile<Shading>;
  __shared__ int list[front_round];
  __shared__ Prepared prepared[front_warps][32];
  __shared__ BlockScanScratch<front_threads, int> scratch;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  constexpr int side = 32;  // pixels of the block's square: 2 x 4 tiles
  Tile tile(blockIdx.x * 2 + warp % 2, blockIdx.y * 4 + warp / 2, canvas, background);
  const int last = canvas.grid.size - 1, left = blockIdx.x * side, bottom = blockIdx.y * side;
  const Box square = {canvas.grid.centre(left), canvas.grid.centre(min(left + side - 1, last)),
                      canvas.grid.centre(bottom), canvas.grid.centre(min(bottom + side - 1, last))};

  bool done = false;
  for (int first = 0; first < circles.count; first += front_round) {
    // A warp looks at 128 circles in a row, so that the list is in order when the warps' parts are.
    float4 shapes[front_parts];
    int numbers[front_parts], places[front_parts];
    bool touches[front_parts];
#pragma unroll
    for (int part = 0; part < front_parts; ++part) {  // all loads first: they overlap
      const int n = first + (warp * front_parts + part) * 32 + lane;
      numbers[part] = n < circles.count ? nth_circle<Shading>(n, circles.count) : -1;
      shapes[part] = numbers[part] >= 0 ? circles.shapes[numbers[part]] : make_float4(0, 0, 0, 0);
    }
    int in_warp = 0;
#pragma unroll
    for (int part = 0; part < front_parts; ++part) {
      const float4& shape = shapes[part];
      touches[part] = numbers[part] >= 0 && may_touch(shape.x, shape.y, shape.z * shape.z, square);
      int found;
      places[part] = in_warp + warp_rank(touches[part], found, lane);
      in_warp += found;
    }
    int listed;
    const int before = block_offset_of_warp<front_threads>(in_warp, scratch, listed);
#pragma unroll
    for (int part = 0; part < front_parts; ++part)
      if (touches[part]) list[before + places[part]] = numbers[part];
    __syncthreads();  // the list is complete

    for (int k = 0; k < listed && !done; k += 32) {
      const bool valid = k + lane < listed;
      const Candidate circle = valid ? Shading::fetch(circles, list[k + lane]) : Candidate{};
      const int found = tile.cull(circle, valid, prepared[warp]);
      __syncwarp();
      tile.blend(prepared[warp], found);
      __syncwarp();  // all lanes have read the list before the next culling writes it
      done = tile.opaque();
    }
    if (__syncthreads_and(done)) break;  // also: everybody is done with the list
  }
  tile.store(canvas, background);
}

// One warp a tile, blocks of eight warps.
template <class Shading>
__global__ void __launch_bounds__(front_threads)
    few_kernel(Circles circles, Canvas canvas, Background background, int tiles_in_a_row, int tiles) {
  using Tile = WarpTile<Shading>;
  __shared__ Prepared prepared[front_warps][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int tile_number = blockIdx.x * front_warps + warp;
  if (tile_number >= tiles) return;
  const bool valid = lane < circles.count;
  const Candidate circle =
      valid ? Shading::fetch(circles, nth_circle<Shading>(lane, circles.count)) : Candidate{};
  Tile tile(tile_number % tiles_in_a_row, tile_number / tiles_in_a_row, canvas, background);
  const int found = tile.cull(circle, valid, prepared[warp]);
  __syncwarp();
  tile.blend(prepared[warp], found);
  tile.store(canvas, background);
}

// What the renderers share that draw every pixel from the background up: clear() has nothing left to do.
class WholePictureRenderer : public CudaRenderer {
 public:
  WholePictureRenderer(const Scene& scene, int size)
      : CudaRenderer(scene, size), front_to_back_(front_to_back_is_accurate(scene)) {}

  void clear() override {}
  void render() override { enqueue(nullptr); }

 protected:
  virtual void enqueue(
      cudaStream_t stream) = 0;  // launches the kernels of a frame; nothing here waits for the device
  bool front_to_back() const { return front_to_back_; }

 private:
  bool front_to_back_;
};

class FrontRenderer : public WholePictureRenderer {
 public:
  using WholePictureRenderer::WholePictureRenderer;

 protected:
  void enqueue(cudaStream_t stream) override {
    const dim3 grid(blocks_for(size(), 32), blocks_for(size(), 32));
    with_fastest_shading(scene(), front_to_back(), [&](auto shading) {
      using Shading = decltype(shading);
      front_kernel<Shading>
          <<<grid, front_threads, 0, stream>>>(device_circles(), canvas(), scene().background);
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

class FewRenderer : public WholePictureRenderer {
 public:
  static constexpr int most_circles = 32;
  using WholePictureRenderer::WholePictureRenderer;

 protected:
  void enqueue(cudaStream_t stream) override {
    with_fastest_shading(scene(), front_to_back(), [&](auto shading) {
      using Shading = decltype(shading);
      using Tile = WarpTile<Shading>;
      const int in_a_row = tiles_across<Tile>(size()), tiles = in_a_row * tiles_up<Tile>(size());
      few_kernel<Shading><<<blocks_for(tiles, front_warps), front_threads, 0, stream>>>(
          device_circles(), canvas(), scene().background, in_a_row, tiles);
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};
