// Those calls of the runtime API that know the type of what they are given: memory of a type,
// __device__ and __constant__ variables ("symbols"), kernels.
#pragma once

#include <cstddef>
#include <cstring>

#include "../cuda_runtime_api.h"
#include "known_kernels.h"
#include "runtime.h"

// ---- memory ---- (C casts, as pointers to constants may be asked for)
template <class T>
cudaError_t cudaMalloc(T** pointer, std::size_t bytes) {
  return cudaMalloc((void**)(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned flags = 0) {
  void** const memory = (void**)(pointer);
  return flags == 0 ? cudaMallocHost(memory, bytes) : cudaHostAlloc(memory, bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned flags) {
  return cudaHostAlloc((void**)(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                              unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width_bytes,
                            std::size_t height) {
  return cudaMallocPitch((void**)(pointer), pitch, width_bytes, height);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device_pointer), host_pointer, flags);
}

// ---- symbols ----
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, std::size_t bytes,
                                    std::size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr) {
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  char* place = nullptr;
  if (const cudaError_t error = emulated::find_in_symbol(symbol, bytes, offset, place))
    return error;
  if (std::is_const_v<T>)
    return emulated::not_supported("a copy to a const variable");  // in read-only memory
  return cudaMemcpyAsync(place, from, bytes, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes,
                               std::size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return emulated::waits_for(nullptr, cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind));
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, std::size_t bytes,
                                      std::size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr) {
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice &&
      kind != cudaMemcpyDefault)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  char* place = nullptr;
  if (const cudaError_t error = emulated::find_in_symbol(symbol, bytes, offset, place))
    return error;
  return cudaMemcpyAsync(to, place, bytes, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, std::size_t bytes,
                                 std::size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return emulated::waits_for(nullptr, cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind));
}
template <class Pointer, class T>
cudaError_t cudaGetSymbolAddress(Pointer** pointer, const T& symbol) {
  char* place = nullptr;
  if (pointer == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::find_in_symbol(symbol, 0, 0, place)) return error;
  *pointer = reinterpret_cast<Pointer*>(place);
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(std::size_t* bytes, const T& symbol) {
  char* place = nullptr;
  if (bytes == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::find_in_symbol(symbol, 0, 0, place)) return error;
  *bytes = sizeof(T);
  return cudaSuccess;
}

// ---- kernels ----
namespace emulated {
cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value);
cudaError_t get_function_attributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t resident_blocks(int* blocks, const void* function, int block_size,
                            std::size_t dynamic_bytes);

// The address of a kernel: its identity.
template <class T>
const void* address_of(T* function) {
  return reinterpret_cast<const void*>(function);
}
}  // namespace emulated

template <class T>
cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return emulated::set_function_attribute(emulated::address_of(function), attribute, value);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return emulated::get_function_attributes(attributes, emulated::address_of(function));
}
template <class T>
cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache) {
  return cudaSuccess;
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* function, int block_size,
                                                          std::size_t shared_bytes) {
  return emulated::resident_blocks(blocks, emulated::address_of(function), block_size,
                                   shared_bytes);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T* function,
                                               std::size_t shared_bytes = 0, int limit = 0) {
  int device = 0;
  int multiprocessors = 0;
  int best = 0;
  if (const cudaError_t error = cudaGetDevice(&device)) return error;
  if (const cudaError_t error =
          cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device))
    return error;
  *grid = *block = 0;
  for (int size = limit > 0 && limit < 1024 ? limit : 1024; size >= 32; size -= 32) {
    int blocks = 0;
    if (emulated::resident_blocks(&blocks, emulated::address_of(function), size, shared_bytes) !=
        cudaSuccess)
      continue;
    if (blocks * size > best) {
      best = blocks * size;
      *block = size;
      *grid = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}

template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T*, cudaSharedMemConfig) {
  return cudaSuccess;
}
