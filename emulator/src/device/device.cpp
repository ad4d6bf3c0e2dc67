// Which devices there are, which one a host thread works with, and what was set for them.
#include "device.h"

#include <array>
#include <utility>

#include "cuda_runtime_api.h"
#include "diagnosis/dropped.h"
#include "diagnosis/report.h"
#include "emulated/runtime.h"
#include "launch/settings.h"
#include "platform/platform.h"

namespace emulated {

std::mutex device_mutex;

namespace {

thread_local int present_device = 0;

// Never destroyed: static destructors may use the devices.
template <class T>
T& of_device(int number) {
  static auto& all = *new std::array<T, max_devices>;
  return all[static_cast<std::size_t>(number)];
}
std::atomic<cudaError_t>& fault() { return of_device<std::atomic<cudaError_t>>(present_device); }

}  // namespace

Device& device() { return of_device<Device>(present_device); }
int current_device() { return present_device; }
OtherDevice::OtherDevice(int number) : before_(std::exchange(present_device, number)) {}
OtherDevice::~OtherDevice() { present_device = before_; }
bool is_device(int number) { return number >= 0 && number < settings().devices; }

bool has_access(int number, int owner) {
  if (number == owner) return true;
  const std::lock_guard lock(device_mutex);
  return of_device<Device>(number).peers.contains(owner);
}

void set_sticky_error(cudaError_t error) {
  fault_occurred();
  fault() = fail(error);
}
cudaError_t device_error() { return fault(); }

// ---- functions that streams call ----
static thread_local constinit const char* host_function_call = nullptr;
static thread_local constinit const void* host_function_caller = nullptr;

InHostFunction::InHostFunction(const char* call, const void* caller) {
  host_function_call = call;
  host_function_caller = caller;
}
InHostFunction::~InHostFunction() { host_function_call = nullptr; }

static cudaError_t refuse_in_host_function() {
  char at[1000];
  write_source_line(static_cast<const char*>(host_function_caller) - 1, at, sizeof at);
  report_mistake(
      *at == '\0' ? "" : at + 4,
      "the function that %s gives to a stream calls CUDA, which is not allowed: on a GPU "
      "such calls fail (cudaErrorNotPermitted), or wait forever",
      host_function_call);
  return fail(cudaErrorNotPermitted);
}

cudaError_t sticky_error() {
  if (host_function_call != nullptr) return refuse_in_host_function();
  const cudaError_t error = fail(fault());
  if (error != cudaSuccess) fault_returned();
  return error;
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaGetDeviceCount(int* count) { return answer(count, settings().devices); }

cudaError_t cudaSetDevice(int device) {
  if (!is_device(device)) {
    because("there is no device %d; there are %d, from 0 on", device, settings().devices);
    return fail(cudaErrorInvalidDevice);
  }
  present_device = device;
  return sticky_error();
}

cudaError_t cudaGetDevice(int* device) { return answer(device, present_device); }

// The devices are alike, so the first fits as well as any other.
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties) {
  return properties == nullptr ? fail(cudaErrorInvalidValue) : answer(device, 0);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if ((flags & ~unsigned{cudaDeviceMask}) != 0) return fail(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = check_no_capture()) return fail(error);
  return waits(sticky_error());
}

cudaError_t cudaDriverGetVersion(int* version) { return answer(version, CUDART_VERSION); }

cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  const std::lock_guard lock(device_mutex);
  const auto it = device().limits.find(limit);
  if (it == device().limits.end()) return fail(cudaErrorInvalidValue);
  it->second = value;
  if (limit == cudaLimitMallocHeapSize) limit_heap(value);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  const std::lock_guard lock(device_mutex);
  const auto it = device().limits.find(limit);
  return it == device().limits.end() ? fail(cudaErrorInvalidValue) : answer(value, it->second);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer(config, cudaFuncCachePreferNone);
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return answer(config, cudaSharedMemBankSizeFourByte);
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }

// ---- peers ----
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!is_device(device) || !is_device(peer)) return fail(cudaErrorInvalidDevice);
  return answer(can, int{device != peer});
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  if (flags != 0) return fail(cudaErrorInvalidValue);
  if (!is_device(peer)) return fail(cudaErrorInvalidDevice);
  if (peer == present_device) return fail(cudaErrorPeerAccessUnsupported);
  const std::lock_guard lock(device_mutex);
  return device().peers.insert(peer).second ? cudaSuccess : fail(cudaErrorPeerAccessAlreadyEnabled);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  if (!is_device(peer)) return fail(cudaErrorInvalidDevice);
  const std::lock_guard lock(device_mutex);
  return device().peers.erase(peer) == 1 ? cudaSuccess : fail(cudaErrorPeerAccessNotEnabled);
}

// ---- old names ----
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
