#include "device_memory.h"

#include <cstdio>
#include <iterator>
#include <string>

#include "book.h"
#include "fail.h"

namespace {

/// As "2.5 GiB" or "16.0 KiB".
std::string size_text(double bytes) {
  const char* const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
  const char* const* unit = units;
  for (; bytes >= 1024 && unit + 1 != std::end(units); ++unit) bytes /= 1024;
  char text[64];
  std::snprintf(text, sizeof text, unit == units ? "%.0f %s" : "%.1f %s", bytes, *unit);
  return text;
}

void* allocate(size_t count, size_t element, cudaError_t call(void**, size_t), const char* what) {
  if (count == 0) return nullptr;
  void* pointer = nullptr;
  const cudaError_t error = call(&pointer, count * element);
  if (error != cudaErrorMemoryAllocation) {
    HANDLE_ERROR(error);
    return pointer;
  }
  size_t free = 0;
  size_t total = 0;
  HANDLE_ERROR(cudaMemGetInfo(&free, &total));
  fail(exit_code::failed, "an array of " + std::to_string(count) + " elements needs " +
                              size_text(static_cast<double>(count) * static_cast<double>(element)) +
                              " of " + what + " memory; the device has " +
                              size_text(static_cast<double>(total)) + ", of which " +
                              size_text(static_cast<double>(free)) + " are free");
}

void release(void* pointer, cudaError_t call(void*)) {
  const cudaError_t error = call(pointer);
  // An object with static storage may outlive the CUDA runtime. Then the
  // runtime has freed everything itself.
  if (error != cudaErrorCudartUnloading) HANDLE_ERROR(error);
}

cudaError_t malloc_device(void** pointer, size_t bytes) { return cudaMalloc(pointer, bytes); }
cudaError_t malloc_pinned(void** pointer, size_t bytes) { return cudaMallocHost(pointer, bytes); }

}  // namespace

void* allocate_device(size_t count, size_t element) {
  return allocate(count, element, malloc_device, "device");
}
void* allocate_pinned(size_t count, size_t element) {
  return allocate(count, element, malloc_pinned, "pinned host");
}
void free_device(void* pointer) { release(pointer, cudaFree); }
void free_pinned(void* pointer) { release(pointer, cudaFreeHost); }
