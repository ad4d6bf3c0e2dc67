#pragma once
// How the image is cut into bins, and where the bits lie that say which circle may touch which bin
// (7_bins.cuh).
//
//   in the order of drawing:   circle  0 1 2 3 4 5 6 ...
//                              bin 0   1 0 0 1 0 0 1      a row per bin: its circles, in order, are 0, 3, 6, ...
//                              bin 1   1 1 0 0 0 0 0
//                              ...                        bin_kernel fills columns, walk_kernel walks along a row

#include <algorithm>

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
};

/// One pass over a part of the scene. The n-th circle of the pass is the (first + n)-th in the order of
/// drawing.
struct BinPass {
  int first, count;
  bool is_first, is_last;
};

/// The bits: those of bin b are the words[b * words_per_bin ...]. Bit n of them stands for the n-th circle.
struct BinBits {
  unsigned* words;
  int words_per_bin;  ///< a multiple of the words of a block of bin_kernel

  // Small scenes are binned in small blocks, to have work for all multiprocessors.
  static constexpr int few_words = 8, many_words = 32, many_circles = 131072;
  static int words_per_block(int circles) { return circles <= many_circles ? few_words : many_words; }
  static int words_for(int circles) {
    const int words = words_per_block(circles);
    return div_up(circles, 32 * words) * words;
  }
};
