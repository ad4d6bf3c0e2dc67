// Managed memory: the hints that programs give, kept so that they can be asked for.
#include <mutex>

#include "cuda_runtime_api.h"
#include "device/device.h"
#include "emulated/runtime.h"
#include "list.h"

using namespace emulated;

namespace {

bool is_place(int device) { return device == cudaCpuDeviceId || is_device(device); }

bool is_managed(const void* pointer, std::size_t bytes) {
  Allocation found;
  return allocations().place(pointer, bytes, found) == Allocations::Place::inside &&
         found.type == cudaMemoryTypeManaged;
}

// The device's whose memory it is.
ManagedHints& hints_of(const void* pointer) {
  Allocation found;
  allocations().place(pointer, 1, found);
  return device(found.device).hints[pointer];
}

// A device's number or cudaCpuDeviceId; cudaInvalidDeviceId for a location that is none.
int place_of(cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  const bool host =
      location.type >= cudaMemLocationTypeHost && location.type <= cudaMemLocationTypeHostNumaCurrent;
  return host ? cudaCpuDeviceId : cudaInvalidDeviceId;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int device, cudaStream_t stream) {
  if (!is_place(device)) return fail(cudaErrorInvalidDevice);
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (!is_managed(pointer, bytes)) return fail(cudaErrorInvalidValue);
  const std::lock_guard lock(device_mutex);
  hints_of(pointer).prefetched = device;
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  if (flags != 0) return fail(cudaErrorInvalidValue);
  return cudaMemPrefetchAsync(pointer, bytes, place_of(location), stream);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  if (!is_managed(pointer, bytes)) return fail(cudaErrorInvalidValue);
  const bool names_place = advice == cudaMemAdviseSetPreferredLocation ||
                           advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
  if (names_place && !is_place(device)) return fail(cudaErrorInvalidDevice);
  const std::lock_guard lock(device_mutex);
  ManagedHints& hint = hints_of(pointer);
  switch (advice) {
    case cudaMemAdviseSetReadMostly:
    case cudaMemAdviseUnsetReadMostly:
      hint.read_mostly = advice == cudaMemAdviseSetReadMostly;
      return cudaSuccess;
    case cudaMemAdviseSetPreferredLocation:
      hint.preferred = device;
      return cudaSuccess;
    case cudaMemAdviseUnsetPreferredLocation:
      hint.preferred = cudaInvalidDeviceId;
      return cudaSuccess;
    case cudaMemAdviseSetAccessedBy:
    case cudaMemAdviseUnsetAccessedBy:
      std::erase(hint.accessed_by, device);
      if (advice == cudaMemAdviseSetAccessedBy) hint.accessed_by.push_back(device);
      return cudaSuccess;
  }
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, place_of(location));
}

cudaError_t cudaMemRangeGetAttribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute attribute,
                                     const void* pointer, std::size_t bytes) {
  if (data == nullptr || data_bytes < sizeof(int) || data_bytes % sizeof(int) != 0 ||
      !is_managed(pointer, bytes))
    return fail(cudaErrorInvalidValue);
  const std::lock_guard lock(device_mutex);
  const ManagedHints& hint = hints_of(pointer);
  int* values = static_cast<int*>(data);
  switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
      *values = hint.read_mostly;
      return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation:
      *values = hint.preferred;
      return cudaSuccess;
    case cudaMemRangeAttributeLastPrefetchLocation:
      *values = hint.prefetched;
      return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
      for (std::size_t i = 0; i < data_bytes / sizeof(int); ++i)
        values[i] = i < hint.accessed_by.size() ? hint.accessed_by[i] : cudaInvalidDeviceId;
      return cudaSuccess;
  }
  return fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemRangeGetAttributes(void** data, std::size_t* data_bytes, cudaMemRangeAttribute* attributes,
                                      std::size_t count, const void* pointer, std::size_t bytes) {
  if (data == nullptr || data_bytes == nullptr || attributes == nullptr || count == 0)
    return fail(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i)
    if (const cudaError_t error =
            cudaMemRangeGetAttribute(data[i], data_bytes[i], attributes[i], pointer, bytes))
      return error;
  return cudaSuccess;
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t, unsigned flags) {
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  const bool known =
      flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  return known && is_managed(pointer, 1) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
