// All that is a device's goes back to its beginning.
#include "cuda_runtime_api.h"
#include "device.h"
#include "emulated/runtime.h"
#include "memory/heap.h"
#include "memory/list.h"
#include "streams/stream.h"
#include "variables.h"

using namespace emulated;

cudaError_t cudaDeviceReset() {
  waits();
  allocations().release_device_memory(current_device());
  destroy_streams(current_device());
  reset_variables();
  forget_heap();
  {
    const std::lock_guard lock(device_mutex);
    device() = {};
  }
  set_sticky_error(cudaSuccess);
  cudaGetLastError();
  return cudaSuccess;
}
