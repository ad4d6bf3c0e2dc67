#pragma once
#include <cuda_runtime.h>

/// One color channel (0 to 255) of a hue in degrees, between the darkest level n1 and
/// the brightest n2. The piecewise linear function of the HLS model: Foley, van Dam,
/// Computer Graphics, section on HLS.
__host__ __device__ inline unsigned char value(float n1, float n2, int hue) {
  hue = (hue + 360) % 360;
  float level = n1;  // 240 to 360 degrees
  if (hue < 60) {
    level = n1 + (n2 - n1) * hue / 60;  // rising
  } else if (hue < 180) {
    level = n2;
  } else if (hue < 240) {
    level = n1 + (n2 - n1) * (240 - hue) / 60;  // falling
  }
  return static_cast<unsigned char>(255 * level);
}

/// The color of a temperature t in [0, 1]: hue (180 + int(360 t)) mod 360, full
/// saturation, lightness t; opaque. Values outside [0, 1] count as the nearer end, NaN as
/// 0. Every product is rounded before it is added, so the compiler has nothing to contract
/// and CPU and GPU agree to the bit.
__host__ __device__ inline uchar4 heat_color(float t) {
  if (!(t > 0)) t = 0;
  if (t > 1) t = 1;
  const int hue = (180 + static_cast<int>(360.0f * t)) % 360;
  const float brightest = t <= 0.5f ? 2 * t : 1.0f;
  const float darkest = 2 * t - brightest;
  uchar4 color;
  color.x = value(darkest, brightest, hue + 120);
  color.y = value(darkest, brightest, hue);
  color.z = value(darkest, brightest, hue + 240);
  color.w = 255;
  return color;
}
