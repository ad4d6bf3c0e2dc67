// Device, pinned and managed memory: how programs get it and give it back.
#include <cstdint>

#include "cuda_runtime_api.h"
#include "device/device.h"
#include "device/variables.h"
#include "emulated/explain_hooks.h"
#include "emulated/runtime.h"
#include "launch/declarations.h"
#include "list.h"
#include "platform/machine_memory.h"
#include "platform/platform.h"

namespace emulated {

namespace {

// Allocates through one of the public calls.
cudaError_t allocate_checked(void** pointer, std::size_t bytes, const Allocator& by) {
  if (const cudaError_t error = sticky_error()) return error;
  if (pointer == nullptr) {
    because("%s stores the address at a null pointer; it takes the address of the pointer, &p",
            by.name);
    return fail(cudaErrorInvalidValue);
  }
  if (const cudaError_t error = check_no_capture()) return fail(error);
  return fail(allocate(pointer, bytes, by));
}

}  // namespace

cudaError_t allocate(void** pointer, std::size_t bytes, const Allocator& by) {
  catch_faults();  // a host access to device memory is explained
  return allocations().allocate(pointer, bytes, by);
}

cudaError_t release(void* pointer, cudaMemoryType type) {
  return allocations().release(pointer, type == cudaMemoryTypeHost);
}

bool is_device_range(const void* pointer, std::size_t bytes) {
  return allocations().place(pointer, bytes).place == Allocations::Place::inside;
}

cudaError_t register_symbol(const void*& address, std::size_t bytes) {
  if (const DeviceVariable* variable = variable_of_host_copy(address))
    address = variable->begin + (static_cast<const char*>(address) - variable->host_copy);
  if (image_at(address) == Image::none || !is_variable(address)) {
    because("%p is no __device__ or __constant__ variable", address);
    return fail(cudaErrorInvalidSymbol);
  }
  static constexpr Allocator by{"a variable of the device", cudaMemoryTypeDevice};
  allocations().add_foreign(address, bytes, by);
  keep_first_values();
  return cudaSuccess;
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  static constexpr Allocator by{"cudaMalloc", cudaMemoryTypeDevice};
  return allocate_checked(pointer, bytes, by);
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  static constexpr Allocator by{"cudaMallocHost", cudaMemoryTypeHost};
  return allocate_checked(pointer, bytes, by);
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  static constexpr Allocator by{"cudaHostAlloc", cudaMemoryTypeHost};
  return allocate_checked(pointer, bytes, by);
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  if (bytes == 0) return fail(cudaErrorInvalidValue);
  static constexpr Allocator by{"cudaMallocManaged", cudaMemoryTypeManaged};
  return allocate_checked(pointer, bytes, by);
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width_bytes,
                            std::size_t height) {
  if (pitch == nullptr || width_bytes > SIZE_MAX - 511) return fail(cudaErrorInvalidValue);
  const std::size_t row = (width_bytes + 511) / 512 * 512;
  if (height != 0 && row > SIZE_MAX / height) return fail(cudaErrorInvalidValue);
  *pitch = row;
  static constexpr Allocator by{
      .name = "cudaMallocPitch", .type = cudaMemoryTypeDevice, .is_pitched = true};
  return allocate_checked(pointer, row * height, by);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (pointer == nullptr || (extent.depth != 0 && extent.height > SIZE_MAX / extent.depth))
    return fail(cudaErrorInvalidValue);
  *pointer = {nullptr, 0, extent.width, extent.height};
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                         extent.height * extent.depth);
}

cudaError_t cudaFree(void* pointer) {
  if (pointer != nullptr) waits();
  if (const cudaError_t error = sticky_error()) return error;
  return fail(release(pointer, cudaMemoryTypeDevice));
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  static constexpr Allocator by{"cudaMallocAsync", cudaMemoryTypeDevice};
  return allocate_checked(pointer, bytes, by);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  if (pointer == nullptr) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = sticky_error()) return error;
  explain::work_begins(stream);
  explain::memory_given_back(pointer);
  explain::work_ended();
  return fail(release(pointer, cudaMemoryTypeDevice));
}

cudaError_t cudaFreeHost(void* pointer) {
  waits();
  if (const cudaError_t error = sticky_error()) return error;
  return fail(release(pointer, cudaMemoryTypeHost));
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  if (pointer == nullptr || bytes == 0) return fail(cudaErrorInvalidValue);
  static constexpr Allocator by{"cudaHostRegister", cudaMemoryTypeHost};
  return fail(allocations().add_foreign(pointer, bytes, by));
}

cudaError_t cudaHostUnregister(void* pointer) {
  return fail(allocations().remove_foreign(pointer));
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned) {
  if (device_pointer == nullptr) return fail(cudaErrorInvalidValue);
  if (allocations().place(host_pointer).place == Allocations::Place::unknown) {
    because(
        "%p is not page-locked memory: it is not from cudaHostAlloc() or cudaMallocHost(), and "
        "cudaHostRegister() did not register it",
        host_pointer);
    return fail(cudaErrorInvalidValue);
  }
  *device_pointer = host_pointer;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return fail(cudaErrorInvalidValue);
  const Allocation found = allocations().place(pointer).allocation;
  const cudaMemoryType type = found.type;
  void* address = const_cast<void*>(pointer);
  *attributes = {type, type == cudaMemoryTypeUnregistered ? -2 : found.device,
                 type == cudaMemoryTypeUnregistered ? nullptr : address,
                 type == cudaMemoryTypeDevice ? nullptr : address};
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  if (free_bytes == nullptr || total_bytes == nullptr) return fail(cudaErrorInvalidValue);
  const MachineMemory memory = machine_memory();
  *total_bytes = memory.total;
  *free_bytes = memory.free;
  return cudaSuccess;
}
