// What belongs to one device: cudaDeviceReset puts all of it back, and two devices share
// none of it. Which memory is a device's is in the list of allocations (memory/list.h):
// addresses are the same for all.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "cuda_runtime_api.h"
#include "emulated/scheduler.h"
#include "memory/heap.h"

namespace emulated {

struct Device {
  std::map<cudaLimit, std::size_t> limits = {{cudaLimitStackSize, 1024},
                                             {cudaLimitPrintfFifoSize, 1 << 20},
                                             {cudaLimitMallocHeapSize, heap_bytes},
                                             {cudaLimitDevRuntimePendingLaunchCount, 2048},
                                             {cudaLimitMaxL2FetchGranularity, 64},
                                             {cudaLimitPersistingL2CacheSize, 0}};
  std::set<int> peers;  // whose memory it may use
  // Dynamic shared memory that kernels may request (cudaFuncSetAttribute), by their addresses.
  std::map<const void*, std::size_t> dynamic_shared;
};

/// Guards what devices own, but for their faults.
extern std::mutex device_mutex;
/// The device that this host thread works with (cudaSetDevice), and its number.
Device& device();
int current_device();
/// For a while this host thread works with another device.
class OtherDevice {
 public:
  explicit OtherDevice(int number);
  ~OtherDevice();
  OtherDevice(const OtherDevice&) = delete;
  OtherDevice& operator=(const OtherDevice&) = delete;

 private:
  int before_;
};
/// Is there a device of this number?
bool is_device(int number);
/// How much dynamic shared memory a launch of this kernel may ask for, besides its static shared
/// memory. nullptr: a kernel whose address is not known (an overloaded name), for which
/// cudaFuncSetAttribute may have allowed the most.
std::size_t dynamic_shared_limit(const void* function);
/// May kernels of `number` use the memory of `owner` (cudaDeviceEnablePeerAccess)?
bool has_access(int number, int owner);

/// This host thread runs a function that the program gave to a stream by this call; the instruction
/// after it. Until the end no call of CUDA does anything.
class InHostFunction {
 public:
  InHostFunction(const char* call, const void* caller);
  ~InHostFunction();
  InHostFunction(const InHostFunction&) = delete;
  InHostFunction& operator=(const InHostFunction&) = delete;
};

}  // namespace emulated
