// What the sources of arrays, textures and surfaces share; not for programs.
#pragma once

#include <cuda_runtime.h>

#include <vector>

struct cudaArray : emulated::Texels {  // in device memory, as cudaMalloc gives
  cudaChannelFormatDesc desc = {};
  cudaExtent extent = {};  // as asked for: 0 in dimensions that it does not have
  unsigned flags = 0;
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

// Sets the format, the channels and the bytes of texels; false for a
// descriptor that no texture can have.
bool describe_texels(const cudaChannelFormatDesc& desc, Texels& texels);

// The running kernel fetches beyond the texels, where the program has asked for a mirror and gets
// the edge. Warned of once for each place where such textures are made.
void report_mirror(const TextureState& texture, const char* axis, double at, int texels);

}  // namespace emulated
