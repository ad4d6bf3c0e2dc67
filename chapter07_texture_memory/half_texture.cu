// half_texture - a texture of 16-bit floats next to one of 32-bit floats, and their difference.
//
// Programming guide, "16-Bit Floating-Point Textures": cudaCreateChannelDescHalf() describes the
// texels; a fetch returns them as 32-bit floats, so the kernel is the same for both textures.
// 16-bit floats need half the memory.
// Terms (docs/glossary.md): texture.
//
//   ./run half_texture                                  # a window if there is a display
//   ./run half_texture --headless --output half.png
//   ./run half_texture --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: above are both textures, which look the same; below is their difference, enlarged. A
// half has 11 significant bits, so the steps halve whenever the value falls below a power of two.
#include <cmath>
#include <utility>
#include <vector>

#include <cuda_fp16.h>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "half_texture_picture.h"

constexpr int texels = 256;  // the texture is 256 x 256

// The coordinate that pixel i of n reads, in texels.
__host__ __device__ float coordinate(int i, int n) { return (i + 0.5f) / n * texels; }

// One thread per value of dim x dim. The kernel does not know how the texels are stored.
__global__ void read_kernel(float* values, cudaTextureObject_t texture, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  values[x + static_cast<size_t>(y) * dim] =
      tex2D<float>(texture, coordinate(x, dim), coordinate(y, dim));
}

// An array of texels x texels of the given type, filled from the host.
cudaArray_t make_array(const cudaChannelFormatDesc& texel, const void* data, size_t texel_bytes) {
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &texel, texels, texels));
  const size_t row = texels * texel_bytes;
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, data, row, row, texels, cudaMemcpyHostToDevice));
  return array;
}

cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureFilterMode filter) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeClamp;
  sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = filter;
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

// CPU reference: the nearest number with 11 significant bits, in plain arithmetic. Storing a value
// of this size as half has the same effect.
float rounded_to_half(float value) {
  // value = fraction * 2^exponent, 0.5 <= fraction < 1.
  int exponent;
  const float fraction = std::frexp(value, &exponent);
  // Below 2^-14 halves are subnormal: they have fewer significant bits, and all lie 2^-24 apart.
  const int significant_bits = exponent < -13 ? 11 + (exponent + 13) : 11;
  const float rounded = std::nearbyint(std::ldexp(fraction, significant_bits));
  return std::ldexp(rounded, exponent - significant_bits);
}

// dim * dim values of the texture, linearly filtered.
std::vector<float> reference_values(std::vector<float> texel_values, int dim) {
  reference::Texture<float> texture{texels, texels, std::move(texel_values)};
  texture.linear = true;
  std::vector<float> values;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      values.push_back(reference::tex2d(texture, coordinate(x, dim), coordinate(y, dim)));
  return values;
}

bool check(const std::vector<float>& heights, const std::vector<float>& full,
           const std::vector<float>& half, int dim) {
  std::vector<float> rounded;
  for (const float h : heights) rounded.push_back(rounded_to_half(h));
  bool passed = check_near("32-bit texture", full, reference_values(heights, dim), 1.0f / 512);
  passed &= check_near("16-bit texture", half, reference_values(rounded, dim), 1.0f / 512);
  // Below 1.0 storing as half moves a value by at most 2^-12. The guide says that the filter works
  // on 32-bit floats; an H200 also returns its result rounded to half, another 2^-12.
  return check_near("half against float", half, full, 1.0f / 2048) && passed;
}

int main(int argc, char** argv) {
  Options options("half_texture",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const bool testing = options.check || options.benchmark;
  const int dim = testing ? options.size : options.size / 2;  // of a panel of the picture
  const size_t bytes = sizeof(float) * dim * dim;

  const std::vector<float> heights = two_hills(texels);
  std::vector<__half> halves;
  for (const float h : heights) halves.push_back(__float2half(h));
  const cudaArray_t full =
      make_array(cudaCreateChannelDesc<float>(), heights.data(), sizeof(float));
  const cudaArray_t half = make_array(cudaCreateChannelDescHalf(), halves.data(), sizeof(__half));

  float* values;
  HANDLE_ERROR(cudaMalloc(&values, bytes > 0 ? bytes : sizeof(float)));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto launch = [&](cudaTextureObject_t texture) {
    if (dim == 0) return;
    read_kernel<<<blocks, threads>>>(values, texture, dim);
    HANDLE_ERROR(cudaGetLastError());
  };
  auto read = [&](cudaArray_t array, cudaTextureFilterMode filter) {
    const cudaTextureObject_t texture = make_texture(array, filter);
    launch(texture);
    std::vector<float> result(static_cast<size_t>(dim) * dim);
    HANDLE_ERROR(cudaMemcpy(result.data(), values, bytes, cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaDestroyTextureObject(texture));
    return result;
  };
  // Filtered for the upper half of the picture; for the lower half the nearest texel, as stored.
  const HalfPanels panels{.side = dim,
                          .smooth_full = read(full, cudaFilterModeLinear),
                          .smooth_half = read(half, cudaFilterModeLinear),
                          .stored_full = read(full, cudaFilterModePoint),
                          .stored_half = read(half, cudaFilterModePoint)};

  const bool passed = testing && check(heights, panels.smooth_full, panels.smooth_half, dim);
  if (options.benchmark && passed) {
    BenchmarkTable table(options.name());
    for (const auto& [name, array] :
         {std::pair("32-bit texels", full), std::pair("16-bit texels", half)}) {
      const cudaTextureObject_t texture = make_texture(array, cudaFilterModeLinear);
      table.add(name, measure([&] { launch(texture); }), static_cast<double>(bytes));
      HANDLE_ERROR(cudaDestroyTextureObject(texture));
    }
    table.print();
  }

  HANDLE_ERROR(cudaFreeArray(full));
  HANDLE_ERROR(cudaFreeArray(half));
  HANDLE_ERROR(cudaFree(values));
  if (testing) return verdict(options.name(), passed);
  return present(options, draw_panels(panels, options.size, texels));
}
