#pragma once
// The shared parts of the texture samples: colors as floats and as pixels, labels.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "../common/picture/draw.h"
#include "../common/picture/image.h"

// Colors are float4 with components of 0..1 (red, green, blue, opacity), so that --check can
// compare what a texture unit returned before it is rounded to bytes.
__host__ __device__ inline float4 operator*(float weight, const float4& c) {
  return make_float4(weight * c.x, weight * c.y, weight * c.z, weight * c.w);
}
__host__ __device__ inline float4 operator+(const float4& a, const float4& b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/// A color as a pixel of a picture: each component to the nearest of 255 steps; always opaque.
__host__ __device__ inline uchar4 to_pixel(const float4& c) {
  auto byte = [](float v) {
    return static_cast<unsigned char>(fminf(fmaxf(v, 0.0f), 1.0f) * 255.0f + 0.5f);
  };
  return make_uchar4(byte(c.x), byte(c.y), byte(c.z), 255);
}

/// Colors to pixels on the device, for pictures that move. One thread per pixel of n.
[[maybe_unused]] static __global__ void pixels_kernel(uchar4* pixels, const float4* colors,
                                                      size_t n) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i < n) pixels[i] = to_pixel(colors[i]);
}

/// Colors to a picture on the host; colors has dim * dim elements, row 0 at the bottom.
inline Image picture_of(const std::vector<float4>& colors, int dim) {
  Image image(dim, dim);
  for (size_t i = 0; i < colors.size(); ++i) {
    const uchar4 pixel = to_pixel(colors[i]);
    std::memcpy(&image.rgba[4 * i], &pixel, sizeof pixel);
  }
  return image;
}

/// The components of colors as numbers, four per color, for check_near().
inline std::span<const float> components(const std::vector<float4>& colors) {
  return {reinterpret_cast<const float*>(colors.data()), 4 * colors.size()};
}

/// A label of a panel: white letters on a dark strip with its lower left corner at (x, y). It is
/// left out if the panel is too narrow.
inline void label(Image& image, int x, int y, int panel_width, const std::string& text, int scale) {
  const int width = text_width(text, scale) + 4 * scale;
  if (width > panel_width) return;
  fill_rect(image, x, y, width, 11 * scale, {20, 20, 28});
  draw_text(image, x + 2 * scale, y + 2 * scale, text, {255, 255, 255}, scale);
}
