// Rung 5, registers: a warp marches down the plate with several time levels in registers (temporal blocking,
// in the literature 2.5D or 3.5D blocking).
//
// A warp holds 128 columns, four per lane, and reads one row after the other. Level s of a row is the row
// after s steps. When row y of level s arrives, row y - 1 of level s + 1 can be computed from it and the two
// before. So each row read lets every level advance by one, and the plate goes through memory once per
// `levels` steps:
//
//      row read:          y     level 0   -> rows y-2, y-1 kept in registers
//        computes row   y - 1   level 1   -> rows y-3, y-2 kept
//        computes row   y - 2   level 2   -> ...
//        stores row   y - levels, level `levels`
//
// Gain over tiled on an H200: 1024^2 cells 0.230 -> 0.201, 4096^2 cells 2.59 -> 0.907 ms
// No shared memory, no barrier, and less redundant work. The halo is `levels` rows above
// and below hundreds, and 8 or 12 of the 128 columns on each side (6 or 10 levels, rounded up to a lane's
// four). Sources are one bit per cell; their temperatures are read only in the first pass of a frame.
#pragma once

#include "march.cuh"
#include "plate.h"

namespace heat_fast {

class RegistersHeat {
 public:
  explicit RegistersHeat(const Plate& plate)
      : source_bits_(make_source_bits(plate.sources, plate.dim, plate.dim, static_cast<int>(plate.pitch))) {}

  /// A frame: passes of 10 (large plates) or 6 steps, the rest step by step. Large plates have six times the
  /// warps that the device holds at once (6 rounds), because some warps have more work (README.md).
  int run(Plate& plate, int steps, cudaStream_t stream = nullptr) {
    const int dim = plate.dim, pitch = static_cast<int>(plate.pitch);
    const bool large = dim >= 8192;
    int passes = 0;
    for (int left = steps, levels = 0; left > 0; left -= levels, ++passes) {
      levels = large && left >= 10 ? 10 : left >= 6 ? 6 : 1;
      const auto launch = levels == 10 ? launch_march<10> : levels == 6 ? launch_march<6> : launch_march<1>;
      const MarchRows rows = {plate.in, plate.sources, source_bits_.get(), dim, dim, pitch, 0, dim - 1};
      launch(plate.out, rows, 0, dim, left == steps, left == levels, large ? 6 : 1, stream);
      std::swap(plate.in, plate.out);
    }
    return passes;
  }

 private:
  DeviceMemory<unsigned> source_bits_;
};

}  // namespace heat_fast
