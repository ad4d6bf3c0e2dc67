#pragma once
// A cloud made from formulas: what texture_3d puts into its volume.

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "noise.h"

/// size^3 texels, plane by plane: x is the density (0..1), y how much of the sun's light arrives there
/// (0..1). The volume is the cube -1..1; y points up, and the sun stands above and to the side.
inline std::vector<float2> cloud_volume(int size) {
  const auto index = [size](int i, int j, int k) {
    return (static_cast<std::size_t>(k) * size + j) * size + i;
  };
  const auto place = [size](int n) { return (2 * n + 1.0f) / size - 1; };
  std::vector<float2> texels(index(0, 0, size), float2{0, 0});
  for (int k = 0; k < size; ++k)
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) {
        // Dense in the middle, flat below, frayed by noise towards the rim.
        const float x = place(i), y = place(j), z = place(k);
        const float flat = y < -0.15f ? 2.6f : 1.35f;
        const float v = flat * (y + 0.15f);
        const float rim = 0.95f - std::sqrt(x * x + v * v + z * z);
        texels[index(i, j, k)].x =
            smooth(0.0f, 0.3f, rim + 2.2f * (clouds(2.4f * x + 7, 2.4f * y, 2.4f * z) - 0.52f)) *
            smooth(0.0f, 0.12f, 1 - std::fmax(std::fabs(x), std::fmax(std::fabs(y), std::fabs(z))));
      }

  // From each texel towards the sun: what lies on the way takes away light.
  const float sun[3] = {0.62f, 0.66f, -0.42f};  // of length 1
  constexpr float thickness = 0.16f;            // of a texel of density 1
  for (int k = 0; k < size; ++k)
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) {
        float passed = 0;
        for (float step = 1.5f; step < size; step += 1.5f) {
          const int a = static_cast<int>(i + step * sun[0]), b = static_cast<int>(j + step * sun[1]),
                    c = static_cast<int>(std::floor(k + step * sun[2]));
          if (a >= size || b >= size || c < 0) break;
          passed += 1.5f * texels[index(a, b, c)].x;
        }
        texels[index(i, j, k)].y = std::exp(-thickness * passed);
      }
  return texels;
}
