#pragma once
// How the image is cut into bins, and where the bits lie that say which circle may touch which bin
// (7_bins.cuh).
//
//   in the order of drawing:   circle  0 1 2 3 4 5 6 ...
//                              bin 0   1 0 0 1 0 0 1      a row per bin: its circles, in order, are 0, 3, 6, ...
//                              bin 1   1 1 0 0 0 0 0
//                              ...                        bin_kernel fills columns, walk_kernel walks along a row

#include <algorithm>
#include <cstddef>

#include "cuda_renderer.cuh"

/// The bins: squares of the image, much larger than tiles, at most 16 x 16 of them. A bin's side is a
/// multiple of the tile's, so that each tile lies in one bin.
struct BinGrid {
  static constexpr int most_across = 16, most_bins = most_across * most_across, least_side = 64;
  int side;    ///< pixels
  int across;  ///< bins in a row, and rows of bins

  static BinGrid for_image(int size) {
    constexpr int step = 16;
    const int side = std::max(least_side, div_up(size, most_across * step) * step);
    return {side, div_up(size, side)};
  }
  __host__ __device__ int bins() const { return across * across; }
  /// The bin of the pixel in that column and row.
  __device__ int bin_of(int column, int row) const { return row / side * across + column / side; }
};

/// The bits: those of bin b are the words[b * words_per_bin ...]. Bit n of them stands for the n-th circle.
struct BinBits {
  unsigned* words;
  int words_per_bin;  ///< a multiple of the words of a block of bin_kernel

  __device__ unsigned* row(int bin) const { return words + static_cast<std::size_t>(bin) * words_per_bin; }

  // Small scenes are binned in small blocks, to have work for all multiprocessors.
  static constexpr int few_words = 8, many_words = 32, many_circles = 131072;
  static int words_per_block(int circles) { return circles <= many_circles ? few_words : many_words; }
  static int words_for(int circles) {
    const int words = words_per_block(circles);
    return div_up(circles, 32 * words) * words;
  }
};

/// A column of that table, for 32 * Words circles and all bins, in shared memory: where a block of bin_kernel sets its
/// bits before it copies them. All threads of the block, 32 * Words, call clear() and copy_to() together.
template <int Words>
struct BitColumn {
  // words[word][bin], with a little room at the end of each row, so that neither set() (one word, many bins) nor the
  // copy (one bin, many words) makes lanes meet in the same memory bank.
  static constexpr int threads = 32 * Words, stride = BinGrid::most_bins + 32 / Words;
  unsigned words[Words * stride];

  __device__ void clear() {
    for (int i = threadIdx.x; i < Words * stride; i += threads) words[i] = 0;
  }
  /// Circle `circle` of the block may touch the bin.
  __device__ void set(int bin, int circle) {
    atomicOr(&words[circle / 32 * stride + bin], 1u << (circle % 32));
  }
  /// As the block's part of each bin's row.
  __device__ void copy_to(const BinBits& bits, int bins) const {
    for (int i = threadIdx.x; i < bins * Words; i += threads) {
      const int bin = i / Words, word = i % Words;
      bits.row(bin)[blockIdx.x * Words + word] = words[word * stride + bin];
    }
  }
};
