#pragma once
// Rung 7, "bins": which circles may matter here? One bit per circle and bin, and the order comes for free.
//
// A bin is a square of the image much larger than a tile; there are at most 16 x 16 of them. A first kernel sets, for
// each bin, the bits of the circles that may touch it: bit n of a bin's row stands for the n-th circle in the order of
// drawing (bin_bits.cuh draws it). So a row of bits *is* an ordered list: nothing has to be sorted or scanned, and no
// list can overflow. (The bins: S. Laine and T. Karras, "High-performance software rasterization on GPUs", 2011.)
//
// A second kernel draws. Each warp has its own tile (warp_tile.cuh), walks along the bits of the bin around it
// (bit_walk.cuh), gathers 32 circles at a time, culls them against the tile, blends, and stops when it is opaque. Of a
// long scene that is usually long before the end, so it is done in two passes (two_passes.cuh).
//
// What it gains over front: a tile looks at 1/140 of the circles. rand1M 0.150 ms instead of 0.496 on an H200, in two
// passes 0.127; micro2M 1.42 instead of 7.69 (README.md, "Results").

#include <algorithm>
#include <cstddef>

#include "bin_bits.cuh"
#include "bit_walk.cuh"
#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"
#include "two_passes.cuh"
#include "warp_tile.cuh"
#include "whole_picture.cuh"

/// Sets the bit of a circle in all bins in which the box around it has a pixel.
template <int Words>
__device__ inline void set_bits_of(const float4& shape, int circle, const PixelGrid& image,
                                   const BinGrid& grid, BitColumn<Words>& column) {
  const PixelRange columns = pixel_range(shape.x, shape.z, image),
                   rows = pixel_range(shape.y, shape.z, image);
  if (columns.first > columns.last || rows.first > rows.last) return;  // it lies outside of the image
  const int left = columns.first / grid.side, right = columns.last / grid.side;
  const int low = rows.first / grid.side, high = rows.last / grid.side;
  for (int up = low; up <= high; ++up)
    for (int across = left; across <= right; ++across) column.set(up * grid.across + across, circle);
}

/// Each block sets the bits of 32 * Words circles, one thread per circle.
template <class Shading, int Words>
__global__ void __launch_bounds__(32 * Words)
    bin_kernel(Circles circles, BinPass pass, PixelGrid image, BinGrid grid, BinBits bits,
               UnfinishedTiles unfinished) {
  __shared__ BitColumn<Words> column;
  if (!unfinished.begin(pass)) return;
  const int circle = threadIdx.x, n = blockIdx.x * (32 * Words) + circle;  // the pass's n-th
  float4 shape{};
  if (n < pass.count) shape = circles.shapes[nth_circle<Shading>(pass.first + n, circles.count)];
  column.clear();  // while the shape is on its way
  __syncthreads();
  if (n < pass.count) set_bits_of(shape, circle, image, grid, column);
  __syncthreads();
  column.copy_to(bits, grid.bins());
}

constexpr int walk_warps = 4;

/// Flat circles: 16 x 16 pixels per warp. Snow, whose formula needs more registers: 16 x 8.
template <class Shading>
using WalkTile = WarpTile<Shading, Shading::flat ? 8 : 4>;

/// Blends the circles of a walk into a tile, 32 per turn: cull them against the tile, ask for the next 32, blend what
/// is left. fetch(count): the circle of each lane below `count`. Returns whether the tile has become opaque; then the
/// rest of the walk is not needed. For a whole warp; `list`: 32 places of its own.
template <class Tile, class Fetch>
__device__ inline bool blend_walk(Tile& tile, BitWalk& walk, Prepared* list, const Fetch& fetch) {
  int count = min(32, walk.waiting());
  Candidate circle = fetch(count);
  while (count > 0) {
    const int found = tile.cull(circle, static_cast<int>(threadIdx.x % 32) < count, list);
    walk.drop(count);
    count = min(32, walk.waiting());
    circle = fetch(count);  // the next circles are on their way while these are blended
    __syncwarp();
    tile.blend(list, found);
    __syncwarp();
    if (tile.opaque()) return true;
  }
  return false;
}

/// One warp per tile, blocks of 2 x 2 tiles.
template <class Shading>
__global__ void __launch_bounds__(32 * walk_warps, WalkTile<Shading>::pixels_per_lane == 8 ? 6 : 8)
    walk_kernel(Circles circles, BinPass pass, BinGrid grid, BinBits bits, Canvas canvas,
                Background background, UnfinishedTiles unfinished) {
  using Tile = WalkTile<Shading>;
  __shared__ int queues[walk_warps][BitWalk::capacity];
  __shared__ Prepared lists[walk_warps][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int across = blockIdx.x * 2 + warp % 2, up = blockIdx.y * 2 + warp / 2;
  const int column = across * Tile::width, row = up * Tile::height;   // of the tile's first pixel
  if (column >= canvas.grid.size || row >= canvas.grid.size) return;  // the whole warp
  const int tile_number = up * (gridDim.x * 2) + across;

  if (!unfinished.wanted(pass, tile_number)) return;
  Tile tile(across, up, canvas, background);
  if (!pass.is_first) tile.resume(canvas);

  const uint4* bits_of_bin = reinterpret_cast<const uint4*>(bits.row(grid.bin_of(column, row)));
  BitWalk walk(queues[warp], bits_of_bin, bits.words_per_bin / 4);
  const auto fetch = [&](int count) {
    if (lane >= count) return Candidate{};
    return Shading::fetch(circles, nth_circle<Shading>(pass.first + walk.number(lane), circles.count));
  };
  const bool opaque = blend_walk(tile, walk, lists[warp], fetch), finished = opaque || pass.is_last;

  if (finished)
    tile.store(canvas, background);
  else
    tile.save(canvas);
  unfinished.note(pass, tile_number, finished);
}

/// Bins and draws, in one pass or in two.
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
    const UnfinishedTiles unfinished{unfinished_tiles_.get(), tile_unfinished_.get()};
    const BinBits bits{bits_.get(), BinBits::words_for(pass.count)};
    with_fastest_shading(scene(), front_to_back(), [&](auto shading) {
      using Shading = decltype(shading);
      constexpr int few = BinBits::few_words, many = BinBits::many_words;
      const int words = BinBits::words_per_block(pass.count), blocks = bits.words_per_bin / words;
      if (pass.count == 0) {
        // No bits to set. The walk still has to draw the background.
      } else if (words == few) {
        bin_kernel<Shading, few>
            <<<blocks, 32 * few, 0, stream>>>(device_circles(), pass, grid(), bins_, bits, unfinished);
      } else {
        bin_kernel<Shading, many>
            <<<blocks, 32 * many, 0, stream>>>(device_circles(), pass, grid(), bins_, bits, unfinished);
      }
      HANDLE_ERROR(cudaGetLastError());
      using Tile = WalkTile<Shading>;
      walk_kernel<Shading><<<walk_grid<Tile>(), 32 * walk_warps, 0, stream>>>(
          device_circles(), pass, bins_, bits, canvas(), scene().background, unfinished);
      HANDLE_ERROR(cudaGetLastError());
    });
  }

  int newest_;
  BinGrid bins_{};
  DeviceMemory<unsigned> bits_;
  DeviceMemory<int> unfinished_tiles_;
  DeviceMemory<unsigned char> tile_unfinished_;
};

inline constexpr CircleMethod bins_method = {
    .name = "bins",
    .help = "one bit per circle and bin, a warp per tile, newest first",
    .make = make_renderer<BinsRenderer>};
