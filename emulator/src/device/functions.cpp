// What the device knows about kernels: their attributes and how many blocks of them it holds.
#include <algorithm>

#include "cuda_runtime_api.h"
#include "device.h"
#include "emulated/templates.h"
#include "launch/declarations.h"
#include "limits.h"

namespace emulated {

std::size_t dynamic_shared_limit(const void* function) {
  if (function == nullptr) return shared_bytes_per_block_optin;
  const std::lock_guard lock(device_mutex);
  const auto it = device().dynamic_shared.find(function);
  if (it != device().dynamic_shared.end()) return it->second;
  const std::size_t fixed = kernel_facts(function).shared_bytes;
  return fixed < shared_bytes_per_block ? shared_bytes_per_block - fixed : 0;
}

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (function == nullptr) return fail(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value >= -1 && value <= 100 ? cudaSuccess : fail(cudaErrorInvalidValue);
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return fail(cudaErrorInvalidValue);
  if (value < 0 || static_cast<std::size_t>(value) + kernel_facts(function).shared_bytes >
                       shared_bytes_per_block_optin)
    return fail(cudaErrorInvalidValue);
  const std::lock_guard lock(device_mutex);
  device().dynamic_shared[function] = static_cast<std::size_t>(value);
  return cudaSuccess;
}

cudaError_t get_function_attributes(cudaFuncAttributes* attributes, const void* function) {
  if (attributes == nullptr) return fail(cudaErrorInvalidValue);
  if (function == nullptr) return fail(cudaErrorInvalidDeviceFunction);
  *attributes = {};
  const KernelFacts& facts = kernel_facts(function);
  attributes->maxThreadsPerBlock = static_cast<int>(facts.threads);
  attributes->sharedSizeBytes = facts.shared_bytes;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(dynamic_shared_limit(function));
  attributes->preferredShmemCarveout = -1;
  return cudaSuccess;
}

cudaError_t resident_blocks(int* blocks, const void* function, int block_size,
                            std::size_t dynamic_bytes) {
  if (blocks == nullptr || block_size <= 0) return fail(cudaErrorInvalidValue);
  *blocks = 0;
  const KernelFacts& facts = kernel_facts(function);
  const std::size_t shared_bytes = facts.shared_bytes + dynamic_bytes;
  if (block_size > static_cast<int>(facts.threads) || shared_bytes > shared_bytes_per_block_optin)
    return cudaSuccess;
  const int warps = (block_size + 31) / 32;
  *blocks = std::min(blocks_per_multiprocessor, threads_per_multiprocessor / (warps * 32));
  // Each block occupies 1 KiB of shared memory besides its own.
  *blocks = std::min(*blocks, static_cast<int>(228 * kib / (shared_bytes + kib)));
  return cudaSuccess;
}

}  // namespace emulated
