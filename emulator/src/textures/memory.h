// What the sources of arrays, textures and surfaces share; not for programs.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>
#include <vector>

struct cudaArray {
  cudaChannelFormatDesc desc = {};
  cudaExtent extent = {};  // as asked for: 0 in dimensions that it does not have
  unsigned flags = 0;
  std::size_t texel_bytes = 0, row_pitch = 0, slice_pitch = 0;
  std::byte* texels = nullptr;  // device memory, as cudaMalloc gives

  std::size_t rows() const { return extent.height > 0 ? extent.height : 1; }
  std::size_t slices() const { return extent.depth > 0 ? extent.depth : 1; }
};

struct cudaMipmappedArray {
  cudaMipmappedArray() = default;
  cudaMipmappedArray(const cudaMipmappedArray&) = delete;
  ~cudaMipmappedArray() {
    for (cudaArray_t level : levels) cudaFreeArray(level);
  }
  std::vector<cudaArray_t> levels = {};  // at least one; owned
};

namespace emulated {

// True for an array that exists.
bool is_array(const cudaArray* array);

struct TexelLayout {
  TexelFormat format;
  int channels, bytes;
};
// Nothing for a descriptor that no texture can have.
std::optional<TexelLayout> texel_layout(const cudaChannelFormatDesc& desc);

}  // namespace emulated
