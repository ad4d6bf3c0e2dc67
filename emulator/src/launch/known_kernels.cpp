// Kernels known by address, and what is launched through it.
#include "emulated/known_kernels.h"

#include <cstdio>
#include <map>
#include <mutex>

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
  std::fprintf(
      stderr,
      "error: no kernel is known at the address %p: write a cast such as (void*)kernel in a .cu file\n",
      function);
  return nullptr;
}

cudaError_t record_launch(cudaStream_t stream, const Launch&, std::function<cudaError_t()> work) {
  return submit(stream, std::move(work), cudaGraphNodeTypeKernel);
}

cudaError_t shape_of(const cudaLaunchConfig_t& config, LaunchShape& shape) {
  shape = {config.gridDim, config.blockDim, config.dynamicSmemBytes, config.stream};
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) shape.cooperative = attribute.val.cooperative != 0;
    // Clusters of one block are no clusters.
    if (attribute.id == cudaLaunchAttributeClusterDimension &&
        attribute.val.clusterDim.x * attribute.val.clusterDim.y * attribute.val.clusterDim.z > 1)
      return fail(cudaErrorNotSupported);
  }
  return cudaSuccess;
}

namespace {

cudaError_t launch_known(const void* function, const LaunchShape& shape, void** arguments, Location at) {
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

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        std::size_t shared_bytes, cudaStream_t stream, Location at) {
  return launch_known(function, {grid, block, shared_bytes, stream, true}, arguments, at);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments,
                                Location at) {
  LaunchShape shape;
  if (config == nullptr) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = shape_of(*config, shape)) return error;
  return launch_known(function, shape, arguments, at);
}
