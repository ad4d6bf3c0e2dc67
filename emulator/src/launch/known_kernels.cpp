// Kernels known by address, and what is launched through it.
#include "emulated/known_kernels.h"

#include <map>
#include <mutex>

#include "diagnosis/report.h"
#include "emulated/runtime.h"

namespace emulated {

namespace {

struct Kernels {
  std::mutex mutex;
  std::map<const void*, KnownKernel> all;
};
// Never destroyed: static objects of programs may ask, too.
Kernels& kernels() {
  static auto& value = *new Kernels;
  return value;
}

}  // namespace

void know_kernel(const void* function, const KnownKernel& kernel) {
  const std::lock_guard lock(kernels().mutex);
  kernels().all.try_emplace(function, kernel);
}

const KnownKernel* known_kernel(const void* function) {
  const std::lock_guard lock(kernels().mutex);
  const auto it = kernels().all.find(function);
  if (it != kernels().all.end()) return &it->second;
  report_error(
      "", "no kernel is known at the address %p: write a cast such as (void*)kernel in a .cu file",
      function);
  return nullptr;
}

namespace {

cudaError_t launch_known(const void* function, const LaunchShape& shape, void** arguments,
                         Location at) {
  const KnownKernel* known = known_kernel(function);
  return known == nullptr ? fail(cudaErrorInvalidDeviceFunction)
                          : known->launch(function, known->name, at, shape, arguments);
}

}  // namespace

}  // namespace emulated

using namespace emulated;

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes, cudaStream_t stream, Location at) {
  return launch_known(function, {grid, block, shared_bytes, stream}, arguments, at);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes,
                                        cudaStream_t stream, Location at) {
  return launch_known(function, {grid, block, shared_bytes, stream, true}, arguments, at);
}
