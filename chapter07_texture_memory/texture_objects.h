// Owners of what the texture samples create: each destroys its object at the end of its scope. The samples
// call CUDA's create functions themselves, so that those stay visible:
// HANDLE_ERROR(cudaMallocArray(&array.handle, ...)).
#pragma once

#include <utility>

#include "../common/book.h"
#include "../common/device.h"
#include "../common/options.h"

template <class Handle, cudaError_t (*destroy)(Handle)>
class Owned {
 public:
  Handle handle = {};

  Owned() = default;
  ~Owned() {
    if (handle != Handle{}) destroy(handle);
  }
  Owned(Owned&& other) noexcept : handle(std::exchange(other.handle, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
};

using ArrayOwner = Owned<cudaArray_t, cudaFreeArray>;
using TextureOwner = Owned<cudaTextureObject_t, cudaDestroyTextureObject>;
using SurfaceOwner = Owned<cudaSurfaceObject_t, cudaDestroySurfaceObject>;

// Ends the program (exit code 2) if `size` texels are more than the device's limit; `what` names the texture.
inline void require_limit(const Options& options, const char* what, long long size,
                          cudaDeviceAttr attribute) {
  const int limit = device_attribute(attribute);
  if (size > limit)
    options.fail(std::string(what) + " would have " + std::to_string(size) + " texels; this device allows " +
                 std::to_string(limit) + ".");
}

// Floats (0..1) to bytes, to nearest. One thread a pixel of n.
__global__ void pixels_kernel(uchar4* pixels, const float4* colors, size_t n) {
  const size_t i = threadIdx.x + static_cast<size_t>(blockIdx.x) * blockDim.x;
  if (i >= n) return;
  const float4 c = colors[i];
  auto byte = [](float v) { return static_cast<unsigned char>(fminf(fmaxf(v, 0.0f), 1.0f) * 255.0f + 0.5f); };
  pixels[i] = make_uchar4(byte(c.x), byte(c.y), byte(c.z), 255);
}
