// What samples with several textures share: owners that destroy their object at the end of their scope, and the
// question whether a texture fits the device. A sample calls CUDA's create functions itself, so that they stay
// visible: HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, ...)).
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

/// Ends the program (exit code 2) if `size` texels are more than the device's limit; `what` names the texture.
inline void require_limit(const Options& options, const char* what, long long size,
                          cudaDeviceAttr attribute) {
  const int limit = device_attribute(attribute);
  if (size > limit)
    options.fail(std::string(what) + " would have " + std::to_string(size) + " texels; this device allows " +
                 std::to_string(limit) + ".");
}
