#pragma once
// Rung 7, "bins": which circles may matter here? One bit per circle and bin, and the order comes for free.
//
// A bin is a square of the image much larger than a tile; there are at most 16 x 16 of them. A first kernel
// sets, for each bin, the bits of the circles that may touch it: bit n of a bin's row stands for the n-th
// circle in the order of drawing (bin_bits.cuh draws it). So a row of bits *is* an ordered list: nothing has
// to be sorted or scanned, and no list can overflow. It takes at most 32 bytes per circle. (The idea of the
// bins is that of S. Laine and T. Karras, "High-performance software rasterization on GPUs", 2011.)
//
// A second kernel draws. Each warp has its own tile (warp_tile.cuh), walks along the bits of the bin around
// it (bit_walk.cuh), gathers 32 circles at a time, culls them against the tile, blends, and stops when it is
// opaque.
//
// What it gains over front: a tile looks at 1/140 of the circles. rand1M 0.150 ms instead of 0.496 on an
// H200, in two passes 0.127; micro2M 1.42 instead of 7.69 (README.md, "Results").

#include <algorithm>
#include <cstddef>

#include "bin_bits.cuh"
#include "bit_walk.cuh"
#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"
#include "warp_tile.cuh"
#include "whole_picture.cuh"

/// Each block sets the bits of 32 * Words circles, one thread per circle: one column of words of all bins' rows,
/// made in shared memory and then copied. Of two passes (BinsRenderer) the second ends at once where the first has
/// left no tile unfinished.
template <class Shading, int Words>
__global__ void __launch_bounds__(32 * Words) bin_kernel(Circles circles, BinPass pass, PixelGrid image,
                                                         BinGrid grid, BinBits bits, int* unfinished_tiles) {
  // set[word][bin], with a little room at the end of each row, so that neither the atomics below (one word,
  // many bins) nor the copy at the end (one bin, many words) meet in the same memory bank.
  constexpr int stride = BinGrid::most_bins + 32 / Words;
  __shared__ unsigned set[Words * stride];
  if (pass.is_first) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *unfinished_tiles = 0;
  } else if (*unfinished_tiles == 0) {
    return;
  }
  // Thread t stands for the pass's circle n, which is bit t % 32 of word t / 32.
  const int thread = threadIdx.x, word = thread / 32, n = blockIdx.x * (32 * Words) + thread;
  float4 shape{};
  if (n < pass.count) shape = circles.shapes[nth_circle<Shading>(pass.first + n, circles.count)];
  for (int i = thread; i < Words * stride; i += 32 * Words) set[i] = 0;
  __syncthreads();
  if (n < pass.count) {
    const PixelRange columns = pixel_range(shape.x, shape.z, image),
                     rows = pixel_range(shape.y, shape.z, image);
    if (columns.first <= columns.last && rows.first <= rows.last) {
      // All bins in which the box around the circle has a pixel.
      const int left = columns.first / grid.side, right = columns.last / grid.side;
      const int low = rows.first / grid.side, high = rows.last / grid.side;
      for (int up = low; up <= high; ++up)
        for (int across = left; across <= right; ++across)
          atomicOr(&set[word * stride + up * grid.across + across], 1u << (thread % 32));
    }
  }
  __syncthreads();
  for (int i = thread; i < grid.bins() * Words; i += 32 * Words) {
    const int bin = i / Words, from = i % Words;
    bits.words[static_cast<std::size_t>(bin) * bits.words_per_bin + blockIdx.x * Words + from] =
        set[from * stride + bin];
  }
}

constexpr int walk_warps = 4;

/// Flat circles: 16 x 16 pixels per warp. Snow, whose formula needs more registers: 16 x 8.
template <class Shading>
using WalkTile = WarpTile<Shading, Shading::flat ? 8 : 4>;

/// One warp per tile, blocks of 2 x 2 tiles. A loop of three parts, 32 circles per turn: cull them against the
/// tile, ask for the next 32, blend what is left. tile_unfinished: one byte per tile, handed from the first pass
/// to the second, together with the tile's half-done pixels in the canvas.
template <class Shading>
__global__ void __launch_bounds__(32 * walk_warps, WalkTile<Shading>::pixels_per_lane == 8 ? 6 : 8)
    walk_kernel(Circles circles, BinPass pass, BinGrid grid, BinBits bits, Canvas canvas,
                Background background, int* unfinished_tiles, unsigned char* tile_unfinished) {
  using Tile = WalkTile<Shading>;
  __shared__ int queues[walk_warps][BitWalk::capacity];
  __shared__ Prepared prepared[walk_warps][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int across = blockIdx.x * 2 + warp % 2, up = blockIdx.y * 2 + warp / 2;
  if (across * Tile::width >= canvas.grid.size || up * Tile::height >= canvas.grid.size)
    return;  // the whole warp
  const int tile_number = up * (gridDim.x * 2) + across;

  if (!pass.is_first && !tile_unfinished[tile_number]) return;
  Tile tile(across, up, canvas, background);
  if (!pass.is_first) tile.resume(canvas);

  const int bin = up * Tile::height / grid.side * grid.across + across * Tile::width / grid.side;
  const uint4* row =
      reinterpret_cast<const uint4*>(bits.words + static_cast<std::size_t>(bin) * bits.words_per_bin);
  BitWalk walk(queues[warp], row, bits.words_per_bin / 4);
  const auto fetch = [&](int count) {
    if (lane >= count) return Candidate{};
    return Shading::fetch(circles, nth_circle<Shading>(pass.first + walk.number(lane), circles.count));
  };

  bool finished = pass.is_last;
  int count = min(32, walk.waiting());
  Candidate circle = fetch(count);
  while (count > 0) {
    const int found = tile.cull(circle, lane < count, prepared[warp]);
    walk.drop(count);
    count = min(32, walk.waiting());
    circle = fetch(count);  // the next circles are on their way while these are blended
    __syncwarp();
    tile.blend(prepared[warp], found);
    __syncwarp();
    if (tile.opaque()) {
      finished = true;
      break;
    }
  }

  if (finished)
    tile.store(canvas, background);
  else
    tile.save(canvas);
  if (!pass.is_last && lane == 0) {
    tile_unfinished[tile_number] = !finished;
    if (!finished) atomicAdd(unfinished_tiles, 1);
  }
}

/// Front to back, most of a long scene is never needed. So it can be done in two passes: the first bins and
/// draws only the newest circles, the second does the rest, where pixels are left unfinished. Whether any
/// are, the second pass finds out on the device; the host never waits.
class BinsRenderer : public WholePictureRenderer {
 public:
  // newest: how many circles the first of two passes takes; at least as many as there are: one pass takes
  // all.
  BinsRenderer(const Scene& scene, int size, int newest)
      : WholePictureRenderer(scene, size),
        newest_(front_to_back() ? std::min(newest, scene.count()) : scene.count()) {
    allocate();
  }
  BinsRenderer(const Scene& scene, int size) : BinsRenderer(scene, size, scene.count()) {}

  std::size_t bytes_beside_image() const override {
    return WholePictureRenderer::bytes_beside_image() + bits_.bytes() + unfinished_tiles_.bytes() +
           tile_unfinished_.bytes();
  }

 protected:
  void enqueue(cudaStream_t stream) override {
    const int rest = scene().count() - newest_;
    pass({0, newest_, true, rest == 0}, stream);
    if (rest > 0) pass({newest_, rest, false, true}, stream);
  }

 private:
  void allocate() {
    bins_ = BinGrid::for_image(size());
    const int most = std::max(newest_, scene().count() - newest_);
    bits_ = DeviceMemory<unsigned>(std::max<std::size_t>(
        1, static_cast<std::size_t>(bins_.bins()) * static_cast<std::size_t>(BinBits::words_for(most))));
    unfinished_tiles_ = DeviceMemory<int>(1);
    if (newest_ == scene().count()) return;  // one pass hands nothing on
    const dim3 blocks = walk_grid<WalkTile<FlatFrontToBack>>();
    tile_unfinished_ = DeviceMemory<unsigned char>(std::size_t{4} * blocks.x * blocks.y);
  }

  template <class Tile>
  dim3 walk_grid() const {
    return dim3(div_up(tiles_across<Tile>(size()), 2), div_up(tiles_up<Tile>(size()), 2));
  }

  void pass(const BinPass& pass, cudaStream_t stream) {
    const BinBits bits{bits_.get(), BinBits::words_for(pass.count)};
    with_fastest_shading(scene(), front_to_back(), [&](auto shading) {
      using Shading = decltype(shading);
      constexpr int few = BinBits::few_words, many = BinBits::many_words;
      const int words = BinBits::words_per_block(pass.count), blocks = bits.words_per_bin / words;
      if (pass.count == 0) {
        // No bits to set. The walk still has to draw the background.
      } else if (words == few) {
        bin_kernel<Shading, few><<<blocks, 32 * few, 0, stream>>>(device_circles(), pass, grid(), bins_, bits,
                                                                  unfinished_tiles_.get());
      } else {
        bin_kernel<Shading, many><<<blocks, 32 * many, 0, stream>>>(device_circles(), pass, grid(), bins_,
                                                                    bits, unfinished_tiles_.get());
      }
      HANDLE_ERROR(cudaGetLastError());
      using Tile = WalkTile<Shading>;
      walk_kernel<Shading><<<walk_grid<Tile>(), 32 * walk_warps, 0, stream>>>(
          device_circles(), pass, bins_, bits, canvas(), scene().background, unfinished_tiles_.get(),
          tile_unfinished_.get());
      HANDLE_ERROR(cudaGetLastError());
    });
  }

  int newest_;
  BinGrid bins_{};
  DeviceMemory<unsigned> bits_;
  DeviceMemory<int> unfinished_tiles_;
  DeviceMemory<unsigned char> tile_unfinished_;
};

inline constexpr Method bins_method = {.name = "bins",
                                       .help = "one bit per circle and bin, a warp per tile, newest first",
                                       .make = make_renderer<BinsRenderer>};
