#pragma once
// bins - binned rasterization (hierarchical binning): one bit per circle and bin, in order.
//
// A bin is a square of the image much larger than a tile. A first kernel sets, for each bin, the
// bits of the circles that may touch it: bit n of a bin's row stands for the n-th circle in the
// order of drawing. So a row of bits *is* an ordered list; it needs neither sort nor scan and
// cannot overflow. (S. Laine and T. Karras, "High-performance software rasterization on GPUs",
// 2011.)
//
// A second kernel draws. Each warp has its own tile, walks along the bits of the bin around it,
// gathers 32 circles at a time, culls them, blends, and stops when it is opaque.
//
// Gain over front on an H200: rgb 0.0142 -> 0.0186, rand1M 0.497 -> 0.133, micro2M 7.89 -> 1.44 ms
// A tile tests only the circles of its bin. rgb has too few circles for the bins' kernel to pay.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs), warp_tile.cuh (a warp's
// tile: cull, blend), bit_walk.cuh (a row of bits as a list), scene.h (what a scene has).

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "bit_walk.cuh"
#include "circle.h"
#include "scene.h"
#include "warp_tile.cuh"

namespace circle_renderer {

// ---- the data
//
//   in the order of drawing:   circle  0 1 2 3 4 5 6 ...
//                              bin 0   1 0 0 1 0 0 1   a row per bin: its circles are 0, 3, 6, ...
//                              bin 1   1 1 0 0 0 0 0
//                              ...                     bin_kernel fills columns,
//                                                      walk_kernel goes along a row
//
// In a long scene a warp hardly ever reaches the end of the row. So it is drawn in two passes. The
// first bins only the newest circles. The second bins the rest and draws them where tiles are
// unfinished.
//
//   pass 1   bin the newest    each tile: opaque?   yes: store it, done
//                                                   no:  save it as it is, and count it
//   pass 2   if any was counted: bin the rest       each tile not done: resume it, go on, store it
//
// The second pass checks on the device whether any work remains; the host never waits.

/// Circles `first` to first + count - 1 in drawing order: all, or those of one of two passes.
struct BinPass {
  int first;
  int count;
  int* unfinished;  ///< the number of tiles that the first pass leaves to the second
};

/// The index of the circle that comes n-th: flat ones newest first, snow in input order.
template <bool Snow>
__device__ inline int nth_circle(int n, int count) {
  return Snow ? n : count - 1 - n;
}

/// The bins of an image, as many across as up.
struct BinLayout {
  static constexpr int max_across = 16;
  static constexpr int max_bins = max_across * max_across;
  static constexpr int side_multiple = 16;  // pixels, of a tile's sides: a tile lies in one bin
#ifdef EMULATED_DEVICE
  // Lanes take turns there, so testing fewer circles per tile pays sooner.
  static constexpr int min_side = 32;
#else
  static constexpr int min_side = 64;
#endif
  int side;    ///< pixels
  int across;  ///< bins in a row
  unsigned* words;
  int words_per_bin;  ///< a multiple of the words of a block of bin_kernel

  /// The bin of the pixel in that column and row.
  __device__ int bin_of(int column, int row) const { return row / side * across + column / side; }
  /// The bin's bits: bit n stands for the n-th circle.
  __device__ unsigned* bits(int bin) const {
    return words + static_cast<size_t>(bin) * words_per_bin;
  }
};

// ---- the first kernel: circles into bins

/// The number of words of each row that a block of bin_kernel writes, 32 circles each. In short
/// scenes blocks are small, so that there are enough of them.
constexpr int few_words = 8;
constexpr int many_words = 32;
inline int words_per_block(int circles) { return circles <= 131072 ? few_words : many_words; }

/// Each block sets the bits of 32 * RowWords circles, one thread per circle: in all bins in which
/// the box around it has a pixel. It collects them in shared memory, as bits[word][bin], with some
/// padding at the end of each row. So lanes meet in the same bank neither when they set bits (one
/// word, many bins) nor when they copy words (one bin, many words).
template <bool Snow, int RowWords>
__global__ void __launch_bounds__(32 * RowWords)
    bin_kernel(Circles circles, BinPass pass, Canvas image, BinLayout layout) {
  constexpr int threads = 32 * RowWords;
  constexpr int stride = BinLayout::max_bins + 32 / RowWords;
  __shared__ unsigned bits[RowWords * stride];
  if (pass.first > 0 && *pass.unfinished == 0) return;
  if (pass.first == 0 && blockIdx.x == 0 && threadIdx.x == 0) *pass.unfinished = 0;

  const int circle = threadIdx.x;               // of the block
  const int n = blockIdx.x * threads + circle;  // of the pass
  CircleShape shape{};
  if (n < pass.count) shape = circles.shapes[nth_circle<Snow>(pass.first + n, circles.count)];
  // The bits are cleared while the shape is in flight.
  for (int i = threadIdx.x; i < RowWords * stride; i += threads) bits[i] = 0;
  __syncthreads();

  if (n < pass.count) {
    const PixelRange columns = pixel_range(shape.x, shape.radius, image);
    const PixelRange rows = pixel_range(shape.y, shape.radius, image);
    if (columns.first <= columns.last && rows.first <= rows.last) {
      const int left = columns.first / layout.side;
      const int right = columns.last / layout.side;
      const int low = rows.first / layout.side;
      const int high = rows.last / layout.side;
      unsigned* const bins = &bits[circle / 32 * stride];
      const unsigned bit = 1u << (circle % 32);
      for (int bin_y = low; bin_y <= high; ++bin_y)
        for (int bin_x = left; bin_x <= right; ++bin_x)
          atomicOr(&bins[bin_y * layout.across + bin_x], bit);
    }
  }
  __syncthreads();

  // The block's part of each bin's row.
  for (int i = threadIdx.x; i < layout.across * layout.across * RowWords; i += threads) {
    const int bin = i / RowWords;
    const int word = i % RowWords;
    layout.bits(bin)[blockIdx.x * RowWords + word] = bits[word * stride + bin];
  }
}

// ---- the second kernel: bins into pixels

constexpr int walk_tiles_across = 2;  // of a block, and as many up
constexpr int walk_warps = walk_tiles_across * walk_tiles_across;

/// A lane has eight pixels, but four for snow on a GPU: its formula needs more registers.
template <class Shading>
using WalkTile = WarpTile<Shading, Shading::snow && !is_emulated ? 4 : 8>;

/// One warp per tile. Each turn culls 32 circles, loads the next 32, and blends, until the tile is
/// opaque.
template <class Shading>
__global__ void __launch_bounds__(32 * walk_warps, WalkTile<Shading>::pixels_per_lane == 8 ? 6 : 8)
    walk_kernel(Circles circles, BinPass pass, BinLayout layout, Canvas image,
                Background background) {
  using Tile = WalkTile<Shading>;
  __shared__ int queues[walk_warps][BitWalk::capacity];
  __shared__ typename Shading::Shape tile_lists[walk_warps][32];
  const int warp = threadIdx.x / 32;
  const int lane = threadIdx.x % 32;
  const int tile_x = blockIdx.x * walk_tiles_across + warp % walk_tiles_across;
  const int tile_y = blockIdx.y * walk_tiles_across + warp / walk_tiles_across;
  const int column = tile_x * Tile::width;  // of the tile's first pixel
  const int row = tile_y * Tile::height;
  if (column >= image.size || row >= image.size) return;  // the whole warp

  const bool resumes = pass.first > 0;
  if (resumes && *pass.unfinished == 0) return;
  if (resumes && !Tile::is_saved(image.at(column, row))) return;
  Tile tile(tile_x, tile_y, image, background);
  if (resumes) tile.resume(image);

  const uint4* bits = reinterpret_cast<const uint4*>(layout.bits(layout.bin_of(column, row)));
  BitWalk walk(queues[warp], bits, layout.words_per_bin / 4);
  const auto next_circle = [&](int count) {
    if (lane >= count) return Candidate{};
    const int n = pass.first + walk.number(lane);
    return fetch<Shading>(circles, nth_circle<Shading::snow>(n, circles.count));
  };

  bool opaque = false;
  int count = min(32, walk.waiting());
  Candidate circle = next_circle(count);
  while (count > 0) {
    const int found = tile.cull(circle, lane < count, tile_lists[warp]);
    walk.drop(count);
    count = min(32, walk.waiting());
    circle = next_circle(count);  // the next circles are in flight while these are blended
    __syncwarp();
    tile.blend(tile_lists[warp], found);
    __syncwarp();
    opaque = tile.opaque();
    if (opaque) break;
  }

  const bool is_last_pass = pass.first + pass.count == circles.count;
  if (opaque || is_last_pass) {
    tile.store(image, background);
  } else {
    tile.save(image);
    if (lane == 0) atomicAdd(pass.unfinished, 1);
  }
}

// ---- the launches

/// Bins and draws, in one pass or in two.
class Bins {
 public:
  Bins(const Scene& scene, int size)
      : background_(scene.background),
        newest_(newest_of(scene)),
        side_(bin_side(size)),
        across_(div_up(size, side_)),
        unfinished_(1),
        words_(static_cast<size_t>(across_ * across_) *
               static_cast<size_t>(words_for(std::max(newest_, scene.count() - newest_)))) {}

  void run(const Circles& circles, const Canvas& image, cudaStream_t stream) const {
    if (circles.snow)
      draw<SnowInOrder>(circles, image, stream);
    else
      draw<FrontToBack>(circles, image, stream);
  }

 private:
  template <class Shading>
  void draw(const Circles& circles, const Canvas& image, cudaStream_t stream) const {
    draw_pass<Shading>(0, newest_, circles, image, stream);
    const int rest = circles.count - newest_;
    if (rest > 0) draw_pass<Shading>(newest_, rest, circles, image, stream);
  }

  template <class Shading>
  void draw_pass(int first, int count, const Circles& circles, const Canvas& image,
                 cudaStream_t stream) const {
    using Tile = WalkTile<Shading>;
    const BinPass pass = {.first = first, .count = count, .unfinished = unfinished_.get()};
    const BinLayout layout = {
        .side = side_, .across = across_, .words = words_.get(), .words_per_bin = words_for(count)};
    // Without circles there are no bits to set. The walk still has to draw the background.
    const int row_words = words_per_block(count);
    const int bin_blocks = layout.words_per_bin / row_words;
    const int bin_threads = 32 * row_words;
    if (count > 0 && row_words == few_words)
      bin_kernel<Shading::snow, few_words>
          <<<bin_blocks, bin_threads, 0, stream>>>(circles, pass, image, layout);
    else if (count > 0)
      bin_kernel<Shading::snow, many_words>
          <<<bin_blocks, bin_threads, 0, stream>>>(circles, pass, image, layout);
    HANDLE_ERROR(cudaGetLastError());

    const dim3 blocks(div_up(image.size, walk_tiles_across * Tile::width),
                      div_up(image.size, walk_tiles_across * Tile::height));
    walk_kernel<Shading>
        <<<blocks, 32 * walk_warps, 0, stream>>>(circles, pass, layout, image, background_);
    HANDLE_ERROR(cudaGetLastError());
  }

  // The number of newest circles that are likely to be enough; all if a second pass does not pay.
  static int newest_of(const Scene& scene) {
    // Half of a circle centered on the edge of the image is outside: there a pixel goes through
    // twice as many circles, in a corner four times as many, and some through more than the
    // average. This and the next constant are not derived: try others with
    // `render rand1M -b 0:101`.
    constexpr double for_the_corners = 5.5;
    constexpr int multiple = 4 * circles_per_step;  // the number is rounded up to one of this
    const double newest =
        std::ceil(for_the_corners * circles_until_opaque(scene) / multiple) * multiple;
    // A second pass costs two launches. That is worth it if it saves binning enough circles.
    constexpr double min_saving = 200000;
    return scene.count() - newest >= min_saving ? static_cast<int>(newest) : scene.count();
  }

  static int bin_side(int size) {
    constexpr int multiple = BinLayout::side_multiple;
    const int smallest = div_up(size, BinLayout::max_across * multiple) * multiple;
    return std::max(BinLayout::min_side, smallest);
  }

  static int words_for(int circles) {
    const int row_words = words_per_block(circles);
    return div_up(circles, 32 * row_words) * row_words;
  }

  Background background_;
  int newest_;  // circles of the first pass
  int side_;    // as in BinLayout
  int across_;
  DeviceMemory<int> unfinished_;
  DeviceMemory<unsigned> words_;
};

}  // namespace circle_renderer
