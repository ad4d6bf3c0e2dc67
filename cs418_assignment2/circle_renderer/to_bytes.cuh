#pragma once
// From the renderers' floats to the bytes of a picture, on the device and on the host.

#include <cstddef>
#include <span>

#include "../../common/book.h"
#include "../../common/grid.h"

/// What a picture shows: clamped to 0..1, 255 times that, truncated. The third comparison makes NaN black.
__host__ __device__ inline unsigned char to_byte(float channel) {
  return static_cast<unsigned char>(255 * (channel >= 1 ? 1.0f : channel > 0 ? channel : 0.0f));
}

/// One thread per pixel.
static __global__ void to_bytes_kernel(const float4* pixels, uchar4* bytes, size_t count) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i >= count) return;
  bytes[i] = make_uchar4(to_byte(pixels[i].x), to_byte(pixels[i].y), to_byte(pixels[i].z), 255);
}

/// Both in device memory: size * size pixels to as many RGBA bytes.
inline void to_bytes_on_device(const float4* pixels, uchar4* bytes, int size) {
  constexpr int threads = 256;
  const size_t count = static_cast<size_t>(size) * static_cast<size_t>(size);
  to_bytes_kernel<<<static_cast<unsigned>(div_up(count, threads)), threads>>>(pixels, bytes, count);
  HANDLE_ERROR(cudaGetLastError());
}

/// Both in host memory: `bytes` has room for 4 per pixel.
inline void to_bytes(std::span<const float4> pixels, unsigned char* bytes) {
  for (const float4& pixel : pixels) {
    for (const float channel : {pixel.x, pixel.y, pixel.z}) *bytes++ = to_byte(channel);
    *bytes++ = 255;
  }
}
