// half_texture - a texture of 16-bit floats beside the same texture of 32-bit floats, and the difference.
//
// Programming guide, "16-Bit Floating-Point Textures": cudaCreateChannelDescHalf() describes the texels; a
// fetch returns them as 32-bit floats, so that the kernel is the same for both textures. They take half the
// memory.
//
//   half_texture                                  a window where there is a display
//   half_texture --headless --output half.png
//   half_texture --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: above, both textures, which look the same; below, their difference, 4000 times enlarged: a
// half has 11 significant bits, so the steps halve whenever the value falls below a power of two.
#include <cmath>
#include <cstring>
#include <vector>

#include <cuda_fp16.h>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "pictures.h"
#include "texture_objects.h"
#include "texture_reference.h"

constexpr int texels = 256;          // the texture is 256 x 256
constexpr float enlargement = 4000;  // of the difference in the picture

// Two hills on a slope; values from 0.02 to 1.
std::vector<float> landscape() {
  std::vector<float> heights;
  for (int y = 0; y < texels; ++y)
    for (int x = 0; x < texels; ++x) {
      const float u = (x + 0.5f) / texels, v = (y + 0.5f) / texels;
      auto hill = [&](float cx, float cy, float width) {
        return std::exp(-((u - cx) * (u - cx) + (v - cy) * (v - cy)) / (width * width));
      };
      heights.push_back(0.02f + 0.1f * u + 0.85f * hill(0.33f, 0.6f, 0.25f) +
                        0.5f * hill(0.75f, 0.35f, 0.18f));
    }
  return heights;
}

// The nearest number with 11 significant bits, in plain arithmetic: what storing as half does to a value of
// this size.
float rounded_to_half(float value) {
  int exponent;
  const float fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent, 0.5 <= fraction < 1
  const int steps = exponent < -13 ? 11 + (exponent + 13) : 11;
  return std::ldexp(std::nearbyint(std::ldexp(fraction, steps)), exponent - steps);
}

// Where pixel i of n reads, in texels.
__host__ __device__ float coordinate(int i, int n) { return (i + 0.5f) / n * texels; }

// dim * dim values of the texture, linearly filtered.
std::vector<float> reference_values(std::vector<float> texel_values, int dim) {
  reference::Texture<float> texture;
  texture.width = texture.height = texels;
  texture.texels = std::move(texel_values);
  texture.linear = true;
  std::vector<float> values;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      values.push_back(reference::tex2d(texture, coordinate(x, dim), coordinate(y, dim)));
  return values;
}

// One thread a value of dim * dim. The kernel does not know how the texels are stored.
__global__ void read_kernel(float* values, cudaTextureObject_t texture, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  values[x + static_cast<size_t>(y) * dim] = tex2D<float>(texture, coordinate(x, dim), coordinate(y, dim));
}

// Puts texels into an array with the given descriptor and reads dim * dim values.
std::vector<float> read_texture(const cudaChannelFormatDesc& texel, const void* data, size_t texel_bytes,
                                cudaTextureFilterMode filter, int dim) {
  ArrayOwner array;
  HANDLE_ERROR(cudaMallocArray(&array.handle, &texel, texels, texels));
  const size_t row = texels * texel_bytes;
  HANDLE_ERROR(cudaMemcpy2DToArray(array.handle, 0, 0, data, row, row, texels, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array.handle;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = filter;
  sampling.readMode = cudaReadModeElementType;
  TextureOwner texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));

  DeviceMemory<float> values(static_cast<size_t>(dim) * dim);
  read_kernel<<<canvas_blocks(dim, dim), canvas_threads()>>>(values.get(), texture.handle, dim);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<float> result(values.size());
  HANDLE_ERROR(cudaMemcpy(result.data(), values.get(), values.bytes(), cudaMemcpyDeviceToHost));
  return result;
}

struct Both {
  std::vector<float> full, half;  // dim * dim values each
};

Both read_both(cudaTextureFilterMode filter, int dim) {
  const std::vector<float> heights = landscape();
  std::vector<__half> halves;
  for (const float h : heights) halves.push_back(__float2half(h));
  return {read_texture(cudaCreateChannelDesc<float>(), heights.data(), sizeof(float), filter, dim),
          read_texture(cudaCreateChannelDescHalf(), halves.data(), sizeof(__half), filter, dim)};
}

float largest_difference(const Both& both) {
  float largest = 0;
  for (size_t i = 0; i < both.full.size(); ++i)
    largest = std::fmax(largest, std::fabs(both.half[i] - both.full[i]));
  return largest;
}

unsigned char byte(float v) { return static_cast<unsigned char>(255 * std::fmin(std::fmax(v, 0.0f), 1.0f)); }

// Dark blue over teal and yellow to white.
uchar4 tone(float v) {
  return make_uchar4(byte(2 * v - 0.4f), byte(1.5f * v), byte(0.25f + std::fabs(v - 0.45f)), 255);
}

// Four panels: float and half above, their difference and a legend below.
Image draw(int dim) {
  Image image(dim, dim);
  const int side = dim / 2, scale = dim / 340;
  if (side < 1) return image;
  // Above: filtered. Below: texels as they are stored, nearest texel.
  const Both smooth = read_both(cudaFilterModeLinear, side), stored = read_both(cudaFilterModePoint, side);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const size_t i = x + static_cast<size_t>(y) * side;
      auto put = [&](int px, int py, uchar4 c) { std::memcpy(image.pixel(px, py), &c, sizeof c); };
      put(x, dim - side + y, tone(smooth.full[i]));
      put(side + x, dim - side + y, tone(smooth.half[i]));
      // Too large is red, too small is blue, equal is white.
      const float error = (stored.half[i] - stored.full[i]) * enlargement;
      const auto faded = byte(1 - std::fabs(error));
      put(x, y, error > 0 ? make_uchar4(255, faded, faded, 255) : make_uchar4(faded, faded, 255, 255));
    }
  label(image, 0, dim - side, side, "32-bit float", scale);
  label(image, side, dim - side, side, "16-bit float", scale);
  label(image, 0, 0, side, "difference x 4000", scale);
  if (scale >= 1) {
    char text[64];
    std::snprintf(text, sizeof text, "largest: %.6f", largest_difference(stored));
    const int left = side + 4 * scale, line = 14 * scale, top = side - 2 * line;
    const Color white = {255, 255, 255};
    draw_text(image, left, top, text, white, scale);
    draw_text(image, left, top - line, "1 / 4096 = 0.000244", white, scale);
    fill_rect(image, left, top - 3 * line, line, line - scale, {255, 60, 60});
    draw_text(image, left + line * 3 / 2, top - 3 * line + 2 * scale, "half is larger", white, scale);
    fill_rect(image, left, top - 4 * line, line, line - scale, {60, 60, 255});
    draw_text(image, left + line * 3 / 2, top - 4 * line + 2 * scale, "half is smaller", white, scale);
    std::snprintf(text, sizeof text, "%zu and %zu bytes", texels * texels * sizeof(float),
                  texels * texels * sizeof(__half));
    draw_text(image, left, top - 6 * line, text, white, scale);
  }
  return image;
}

int check(const Options& options) {
  const int dim = options.size;
  const Both both = read_both(cudaFilterModeLinear, dim);
  std::vector<float> heights = landscape(), rounded;
  for (const float h : heights) rounded.push_back(rounded_to_half(h));
  bool passed = check_near("32-bit texture", both.full, reference_values(heights, dim), 1.0f / 512);
  passed &= check_near("16-bit texture", both.half, reference_values(rounded, dim), 1.0f / 512);
  // Below 1.0 storing as half moves a value by at most 2^-12. The guide says that the filter works on 32-bit
  // floats; an H200 also returns its result rounded to half, another 2^-12.
  passed &= check_near("half against float", both.half, both.full, 1.0f / 2048);
  return verdict(options.name(), passed);
}

int main(int argc, char** argv) {
  Options options("half_texture", "A texture of 16-bit floats against one of 32-bit floats.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (options.check || options.benchmark) return check(options);

  const Image image = draw(options.size);
  CPUBitmap bitmap(options.size, options.size);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
