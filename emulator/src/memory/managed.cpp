// Managed memory: the hints that programs give are checked and have no effect.
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
  return is_managed(pointer, bytes) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream) {
  if (flags != 0) return fail(cudaErrorInvalidValue);
  return cudaMemPrefetchAsync(pointer, bytes, place_of(location), stream);
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  if (!is_managed(pointer, bytes) || advice < cudaMemAdviseSetReadMostly ||
      advice > cudaMemAdviseUnsetAccessedBy)
    return fail(cudaErrorInvalidValue);
  const bool names_place = advice == cudaMemAdviseSetPreferredLocation ||
                           advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
  return names_place && !is_place(device) ? fail(cudaErrorInvalidDevice) : cudaSuccess;
}

cudaError_t cudaMemAdvise(const void* pointer, std::size_t bytes, cudaMemoryAdvise advice,
                          cudaMemLocation location) {
  return cudaMemAdvise(pointer, bytes, advice, place_of(location));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, std::size_t, unsigned flags) {
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  const bool known =
      flags == cudaMemAttachGlobal || flags == cudaMemAttachHost || flags == cudaMemAttachSingle;
  return known && is_managed(pointer, 1) ? cudaSuccess : fail(cudaErrorInvalidValue);
}
