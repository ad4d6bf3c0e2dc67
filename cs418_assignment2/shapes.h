#pragma once
// Rungs with tiles of any shape that they may choose: what the tests try, and what `cs418_scan_benchmark --shapes`
// times, from which the constants of the rungs are fitted. You need not read it to understand a rung. The methods.cu
// of the ladders defines what is declared here.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "device/rounds.h"

/// A rung that can be told which shape its tiles shall have. `Signature`: that of the rung's work, with a TileShape
/// behind it.
template <class Signature>
struct ShapedRung {
  std::string name;                                             ///< of the rung
  std::vector<TileShape> shapes;                                ///< all that it takes
  std::size_t piece;                                            ///< numbers per piece
  std::function<std::size_t(TileShape)> most;                   ///< the largest array of a shape
  std::function<std::function<Signature>(std::size_t n)> make;  ///< ready for arrays of up to n numbers

  std::size_t tile(TileShape shape) const { return std::size_t(shape.pieces) * shape.warps * piece; }
};

/// `exchange` and `pipeline` of scan.
using ShapedScan = void(const unsigned* in, unsigned* out, std::size_t n, TileShape shape);
const std::vector<ShapedRung<ShapedScan>>& shaped_scans();

/// `fused` of find_repeats, with the shapes for more than one round.
using ShapedRepeats = std::size_t(const int* in, std::size_t n, int* out, std::size_t capacity,
                                  TileShape shape);
const ShapedRung<ShapedRepeats>& shaped_repeats();
