#pragma once
#include <cuda_runtime.h>

#include <array>
#include <functional>
#include <string>

#include "picture/interaction.h"

class Options;

/// One half of the picture that --compare shows: a method and the pictures that it makes.
struct Side {
  std::function<std::string()> name;  ///< may change while it runs
  /// Makes frame 0, 1, 2, ... in device memory, size * size pixels with row 0 at the bottom.
  /// Returns the time of the method itself in milliseconds.
  std::function<double(uchar4* device_pixels, int frame)> draw;
};

/// Shows two methods side by side, with name and time above each: an animation if `moves`, else one
/// picture whose third part shows the differences in red. It uses a window or a file, like
/// present(). The mouse of `interaction` counts pixels of the half that it is in.
/// Returns the exit code for main.
int show_side_by_side(const Options& options, const std::array<Side, 2>& sides, bool moves,
                      Interaction interaction = {});
