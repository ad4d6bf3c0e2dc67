// What the sources of arrays, textures and surfaces share; not for programs.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
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
  std::vector<cudaArray_t> levels = {};  // at least one; owned
};

namespace emulated {

// The array itself if it exists, else null.
const cudaMipmappedArray* live_mipmapped_array(const cudaMipmappedArray* array);

// True for an array that exists.
bool is_array(const cudaArray* array);

// Number and bits of the components; false for a descriptor that no texture can have.
bool texel_layout(const cudaChannelFormatDesc& desc, int& channels, int& bits);

}  // namespace emulated
