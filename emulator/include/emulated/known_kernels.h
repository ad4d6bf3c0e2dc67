// Kernels that a program knows by an address in a void*: nodes of graphs, cudaLaunchKernel. The
// translator turns a cast such as (void*)kernel into EMULATED_KERNEL_ADDRESS(kernel), which notes
// how to launch that kernel.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "../driver_types.h"
#include "launch.h"

#define EMULATED_KERNEL_ADDRESS(...) ::emulated::kernel_address(__VA_ARGS__, #__VA_ARGS__)

namespace emulated {

struct KnownKernel {
  const char* name = "";  // as written where its address was taken
  std::vector<std::size_t> parameter_bytes;
  // Launches it with the arguments after these pointers.
  cudaError_t (*launch)(const void* function, const char* name, Location at,
                        const LaunchShape& shape, void** arguments) = nullptr;
};
void know_kernel(const void* function, const KnownKernel& kernel);
// nullptr, and a sentence on standard error: nothing is known of that address.
const KnownKernel* known_kernel(const void* function);

template <class... Parameters>
cudaError_t launch_from_pointers(const void* function, const char* name, Location at,
                                 const LaunchShape& shape, void** arguments) {
  const auto kernel = reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(function));
  begin_arguments();
  return [&]<std::size_t... I>(std::index_sequence<I...> all) {
    note_written(kernel, *static_cast<const Parameters*>(arguments[I])...);
    return launch(name, at, function, shape,
                  body_from_bytes(kernel, all, *static_cast<const Parameters*>(arguments[I])...));
  }
  (std::index_sequence_for<Parameters...>());
}

template <class... Parameters>
void* kernel_address(void (*function)(Parameters...), const char* name) {
  void* const address = reinterpret_cast<void*>(function);
  know_kernel(address, {name, {sizeof(Parameters)...}, &launch_from_pointers<Parameters...>});
  return address;
}

}  // namespace emulated

// cudaLaunchKernel(kernel, grid, block, pointers to the arguments, ...); the
// kernel by its address or by its name
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                             emulated::Location at = emulated::Location::current());
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr,
                                        emulated::Location at = emulated::Location::current());
template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*function)(Parameters...), dim3 grid, dim3 block,
                             void** arguments, std::size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr,
                             emulated::Location at = emulated::Location::current()) {
  return emulated::launch_from_pointers<Parameters...>(
      reinterpret_cast<const void*>(function), "given to cudaLaunchKernel", at,
      {grid, block, shared_bytes, stream}, arguments);
}
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*function)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr,
                                        emulated::Location at = emulated::Location::current()) {
  return emulated::launch_from_pointers<Parameters...>(
      reinterpret_cast<const void*>(function), "given to cudaLaunchCooperativeKernel", at,
      {grid, block, shared_bytes, stream, true}, arguments);
}
