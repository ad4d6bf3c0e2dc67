// Memory pools: they count what is allocated from them and keep nothing back.
#include "memory_pool.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "../include/cuda_runtime_api.h"
#include "../include/emulated/runtime.h"
#include "device_number.h"
#include "graph.h"

struct CUmemPoolHandle_st {
  int device = 0;
  std::size_t greatest = 0;  // bytes that may be in use at a time; 0: no limit
  std::uint64_t used = 0, most_used = 0, threshold = 0;
  int reuse[3] = {1, 1, 1};  // follow events, opportunistic, internal dependencies
  std::map<int, cudaMemAccessFlags> access;
};

namespace emulated {

namespace {

// Never destroyed: static destructors may free memory.
struct Pools {
  std::mutex mutex;
  std::set<cudaMemPool_t> living;
  std::map<int, cudaMemPool_t> standard, present;  // of each device
  std::map<const void*, std::pair<cudaMemPool_t, std::size_t>> memory;
};
Pools& pools() {
  static auto& value = *new Pools;
  return value;
}

cudaMemPool_t standard_pool(int device) {
  cudaMemPool_t& pool = pools().standard[device];
  if (pool == nullptr) {
    pool = new CUmemPoolHandle_st;
    pool->device = device;
    pools().living.insert(pool);
  }
  return pool;
}

cudaMemPool_t present_pool(int device) {
  const auto it = pools().present.find(device);
  return it != pools().present.end() ? it->second : standard_pool(device);
}

}  // namespace

std::optional<bool> has_pool_access(int device, const void* pointer) {
  const std::lock_guard lock(pools().mutex);
  auto it = pools().memory.upper_bound(pointer);
  if (it == pools().memory.begin()) return std::nullopt;
  --it;
  const auto [pool, bytes] = it->second;
  if (static_cast<const char*>(pointer) >= static_cast<const char*>(it->first) + bytes) return std::nullopt;
  if (!pools().living.contains(pool)) return std::nullopt;
  const auto access = pool->access.find(device);
  return access != pool->access.end() ? access->second != cudaMemAccessFlagsProtNone : device == pool->device;
}

void leave_pool(const void* pointer) {
  const std::lock_guard lock(pools().mutex);
  const auto it = pools().memory.find(pointer);
  if (it == pools().memory.end()) return;
  const auto [pool, bytes] = it->second;
  if (pools().living.contains(pool)) pool->used -= bytes;
  pools().memory.erase(it);
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  const std::lock_guard lock(pools().mutex);
  *pool = standard_pool(device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  if (pool == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  const std::lock_guard lock(pools().mutex);
  *pool = present_pool(device);
  return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (!is_device(device)) return fail(cudaErrorInvalidDevice);
  const std::lock_guard lock(pools().mutex);
  if (!pools().living.contains(pool) || pool->device != device) return fail(cudaErrorInvalidValue);
  pools().present[device] = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (pool == nullptr || properties == nullptr || properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice)
    return fail(cudaErrorInvalidValue);
  if (!is_device(properties->location.id)) return fail(cudaErrorInvalidDevice);
  // Other processes cannot get this memory.
  if (properties->handleTypes != cudaMemHandleTypeNone)
    return not_supported("cudaMemPoolCreate with handles");
  *pool = new CUmemPoolHandle_st;
  (*pool)->device = properties->location.id;
  (*pool)->greatest = properties->maxSize;
  const std::lock_guard lock(pools().mutex);
  pools().living.insert(*pool);
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const std::lock_guard lock(pools().mutex);
  const bool standard = std::any_of(pools().standard.begin(), pools().standard.end(),
                                    [pool](const auto& entry) { return entry.second == pool; });
  if (standard || pools().living.erase(pool) == 0) return fail(cudaErrorInvalidValue);
  std::erase_if(pools().present, [pool](const auto& entry) { return entry.second == pool; });
  delete pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  const std::lock_guard lock(pools().mutex);
  return pools().living.contains(pool) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const std::lock_guard lock(pools().mutex);
  if (value == nullptr || !pools().living.contains(pool)) return fail(cudaErrorInvalidValue);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies] = *static_cast<int*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      pool->threshold = *static_cast<std::uint64_t*>(value);
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:  // can be set back to 0 only
      if (*static_cast<std::uint64_t*>(value) != 0) return fail(cudaErrorInvalidValue);
      pool->most_used = pool->used;
      return cudaSuccess;
    default:
      return fail(cudaErrorInvalidValue);
  }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const std::lock_guard lock(pools().mutex);
  if (value == nullptr || !pools().living.contains(pool)) return fail(cudaErrorInvalidValue);
  auto& number = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      number = pool->threshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      number = pool->used;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      number = pool->most_used;
      return cudaSuccess;
  }
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* descriptions,
                                 std::size_t count) {
  const std::lock_guard lock(pools().mutex);
  if (!pools().living.contains(pool) || (descriptions == nullptr && count > 0))
    return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    if (descriptions[i].location.type != cudaMemLocationTypeDevice) return fail(cudaErrorInvalidValue);
    if (!is_device(descriptions[i].location.id)) return fail(cudaErrorInvalidDevice);
    pool->access[descriptions[i].location.id] = descriptions[i].flags;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  const std::lock_guard lock(pools().mutex);
  if (flags == nullptr || location == nullptr || !pools().living.contains(pool))
    return fail(cudaErrorInvalidValue);
  const auto it = pool->access.find(location->id);
  const bool own = location->id == pool->device;
  *flags = it != pool->access.end() ? it->second
           : own                    ? cudaMemAccessFlagsProtReadWrite
                                    : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (is_capturing(stream)) {  // becomes a node of the graph
    cudaGraphNode_t node = nullptr;
    cudaGraphNodeParams parameters = node_params(cudaGraphNodeTypeMemAlloc);
    parameters.alloc.bytesize = bytes;
    if (pointer == nullptr) return fail(cudaErrorInvalidValue);
    if (const cudaError_t error = record(stream, parameters, nullptr, &node)) return fail(error);
    *pointer = node->params.alloc.dptr;
    return cudaSuccess;
  }
  const std::lock_guard lock(pools().mutex);
  if (pointer == nullptr || !pools().living.contains(pool)) return fail(cudaErrorInvalidValue);
  if (pool->greatest != 0 && bytes > pool->greatest - pool->used) return fail(cudaErrorMemoryAllocation);
  const int device = current_device();
  cudaSetDevice(pool->device);  // whose memory it is, whoever asks
  const cudaError_t error = allocate(pointer, bytes, cudaMemoryTypeDevice, "cudaMallocAsync");
  cudaSetDevice(device);
  if (error != cudaSuccess) return fail(error);
  if (bytes == 0) return cudaSuccess;
  pool->used += bytes;
  pool->most_used = std::max(pool->most_used, pool->used);
  pools().memory[*pointer] = {pool, bytes};
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  cudaMemPool_t pool = nullptr;
  cudaDeviceGetMemPool(&pool, current_device());
  return cudaMallocFromPoolAsync(pointer, bytes, pool, stream);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (is_capturing(stream)) {
    cudaGraphNodeParams parameters = node_params(cudaGraphNodeTypeMemFree);
    parameters.free.dptr = pointer;
    return fail(record(stream, parameters, nullptr));
  }
  if (pointer == nullptr) return fail(cudaErrorInvalidValue);
  return cudaFree(pointer);
}
