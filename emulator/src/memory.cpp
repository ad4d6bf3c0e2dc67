// Device, pinned and managed memory: plain memory of the process, with a list of what was allocated. The list
// lets copies be checked; that host code must not touch device memory cannot be checked here.
#include "../include/emulated/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "../include/cuda_runtime_api.h"
#include "../include/emulated/scheduler.h"
#include "settings.h"

namespace emulated {

namespace {

struct Allocation {
  std::size_t bytes;
  cudaMemoryType type;
  const char* what;
  bool owned;  // ours to free; else a symbol or registered host memory
};

class Allocations {
 public:
  ~Allocations() {
    if (settings().check_leaks) report();
    for (auto& [address, allocation] : list_)
      if (allocation.owned)
        std::free(const_cast<char*>(address));  // so that no other leak checker repeats it
  }

  cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type, const char* what) {
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    if (type != cudaMemoryTypeHost && bytes > total_bytes() - used_) return cudaErrorMemoryAllocation;
    // The address is aligned as CUDA aligns it; the end is exact, so that AddressSanitizer sees the first
    // byte beyond. Large blocks start at a large page.
    constexpr std::size_t large = 4 << 20, large_page = 2 << 20;
    void* memory = nullptr;
    if (posix_memalign(&memory, bytes >= large ? large_page : 512, bytes) != 0)
      return cudaErrorMemoryAllocation;
    if (bytes >= large) madvise(memory, bytes, MADV_HUGEPAGE);
    std::memset(memory, 0xff, bytes);
    list_[static_cast<const char*>(memory)] = {bytes, type, what, true};
    if (type != cudaMemoryTypeHost) used_ += bytes;
    *pointer = memory;
    return cudaSuccess;
  }

  cudaError_t release(void* pointer, bool host) {
    if (pointer == nullptr) return cudaSuccess;
    const std::lock_guard lock(mutex_);
    const auto it = list_.find(static_cast<const char*>(pointer));
    if (it == list_.end() || !it->second.owned || (it->second.type == cudaMemoryTypeHost) != host)
      return cudaErrorInvalidValue;
    if (!host) used_ -= it->second.bytes;
    std::memset(pointer, 0xff, it->second.bytes);  // whoever still reads it gets no right result
    list_.erase(it);
    std::free(pointer);
    return cudaSuccess;
  }

  void release_device_memory() {
    const std::lock_guard lock(mutex_);
    for (auto it = list_.begin(); it != list_.end();) {
      if (it->second.owned && it->second.type != cudaMemoryTypeHost) {
        used_ -= it->second.bytes;
        std::free(const_cast<char*>(it->first));
        it = list_.erase(it);
      } else {
        ++it;
      }
    }
  }

  cudaError_t add_foreign(const void* pointer, std::size_t bytes, cudaMemoryType type, const char* what) {
    const std::lock_guard lock(mutex_);
    const auto [it, fresh] =
        list_.try_emplace(static_cast<const char*>(pointer), Allocation{bytes, type, what, false});
    if (!fresh && it->second.bytes < bytes) it->second.bytes = bytes;
    return fresh ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  }

  cudaError_t remove_foreign(const void* pointer) {
    const std::lock_guard lock(mutex_);
    const auto it = list_.find(static_cast<const char*>(pointer));
    if (it == list_.end() || it->second.owned) return cudaErrorHostMemoryNotRegistered;
    list_.erase(it);
    return cudaSuccess;
  }

  // The allocation that holds the address, or nullptr; `begin` receives where it starts.
  const Allocation* find(const void* pointer, const char*& begin) const {
    const auto* address = static_cast<const char*>(pointer);
    auto it = list_.upper_bound(address);
    if (it == list_.begin()) return nullptr;
    --it;
    if (address >= it->first + it->second.bytes) return nullptr;
    begin = it->first;
    return &it->second;
  }

  enum class Place { unknown, inside, crosses_end };
  // Where `bytes` bytes lie; type receives that of the allocation.
  Place place(const void* pointer, std::size_t bytes, cudaMemoryType& type) {
    const std::lock_guard lock(mutex_);
    const char* begin = nullptr;
    const Allocation* allocation = find(pointer, begin);
    type = cudaMemoryTypeUnregistered;
    if (allocation == nullptr) return Place::unknown;
    type = allocation->type;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(pointer) - begin);
    return bytes <= allocation->bytes - offset ? Place::inside : Place::crosses_end;
  }

  std::size_t used() {
    const std::lock_guard lock(mutex_);
    return used_;
  }

  // The machine's memory, or less where a control group allows less.
  static std::size_t total_bytes() {
    static const std::size_t total = [] {
      std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
      std::size_t limit = 0;
      if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit && limit < bytes) bytes = limit;
      return bytes;
    }();
    return total;
  }

 private:
  void report() const {
    std::size_t count = 0, bytes = 0;
    for (const auto& [address, allocation] : list_)
      if (allocation.owned) {
        ++count;
        bytes += allocation.bytes;
        std::fprintf(stderr, "leak: %zu bytes at %p from %s were never freed\n", allocation.bytes,
                     static_cast<const void*>(address), allocation.what);
      }
    if (count > 0)
      std::fprintf(stderr, "leak: %zu allocations with %zu bytes in all were never freed\n", count, bytes);
  }

  std::mutex mutex_;
  std::map<const char*, Allocation> list_;  // by address
  std::size_t used_ = 0;
};

Allocations& allocations() {
  static Allocations list;
  return list;
}

// A range of a copy. `device`: must it be memory that the device may use?
cudaError_t check_range(const void* pointer, std::size_t bytes, bool device, bool any) {
  if (bytes == 0) return cudaSuccess;
  if (pointer == nullptr) return cudaErrorInvalidValue;
  cudaMemoryType type;
  const auto place = allocations().place(pointer, bytes, type);
  if (place == Allocations::Place::crosses_end) return cudaErrorInvalidValue;
  if (any) return cudaSuccess;
  if (device) return place == Allocations::Place::inside ? cudaSuccess : cudaErrorInvalidValue;
  return type == cudaMemoryTypeDevice ? cudaErrorInvalidValue : cudaSuccess;
}

bool is_kind(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }

// Checks and does, or records, a copy of rows.
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                      std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (!is_kind(kind)) return fail(cudaErrorInvalidMemcpyDirection);
  if (width == 0 || height == 0) return cudaSuccess;
  if (height > 1 && (width > to_pitch || width > from_pitch)) return fail(cudaErrorInvalidPitchValue);
  const std::size_t to_bytes = (height - 1) * to_pitch + width,
                    from_bytes = (height - 1) * from_pitch + width;
  if (const cudaError_t error = check_copy_target(to, to_bytes, kind)) return fail(error);
  if (const cudaError_t error = check_copy_source(from, from_bytes, kind)) return fail(error);
  return submit(stream, [=] {
    if (height == 1 || (width == to_pitch && width == from_pitch)) {
      std::memmove(to, from, height == 1 ? width : width * height);
    } else {
      for (std::size_t row = 0; row < height; ++row)
        std::memmove(static_cast<char*>(to) + row * to_pitch,
                     static_cast<const char*>(from) + row * from_pitch, width);
    }
    return cudaSuccess;
  });
}

cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (width == 0 || height == 0) return cudaSuccess;
  if (height > 1 && width > pitch) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = check_range(pointer, (height - 1) * pitch + width, true, false))
    return fail(error);
  return submit(stream, [=] {
    for (std::size_t row = 0; row < height; ++row)
      std::memset(static_cast<char*>(pointer) + row * pitch, value, width);
    return cudaSuccess;
  });
}

// Allocates through one of the public calls.
cudaError_t allocate_checked(void** pointer, std::size_t bytes, cudaMemoryType type, const char* what) {
  if (const cudaError_t error = sticky_error()) return error;
  if (pointer == nullptr) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error = check_no_capture()) return fail(error);
  return fail(allocate(pointer, bytes, type, what));
}

}  // namespace

cudaError_t allocate(void** pointer, std::size_t bytes, cudaMemoryType type, const char* what) {
  return allocations().allocate(pointer, bytes, type, what);
}

cudaError_t release(void* pointer, cudaMemoryType type) {
  return allocations().release(pointer, type == cudaMemoryTypeHost);
}

void release_device_memory() { allocations().release_device_memory(); }

bool is_device_range(const void* pointer, std::size_t bytes) {
  cudaMemoryType type;
  return allocations().place(pointer, bytes, type) == Allocations::Place::inside;
}

cudaError_t check_copy_target(const void* to, std::size_t bytes, cudaMemcpyKind kind) {
  return check_range(to, bytes, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
                     kind == cudaMemcpyDefault);
}

cudaError_t check_copy_source(const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return check_range(from, bytes, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice,
                     kind == cudaMemcpyDefault);
}

void register_symbol(const void* address, std::size_t bytes) {
  allocations().add_foreign(address, bytes, cudaMemoryTypeDevice, "a symbol");
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return allocate_checked(pointer, bytes, cudaMemoryTypeDevice, "cudaMalloc");
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes) {
  return allocate_checked(pointer, bytes, cudaMemoryTypeHost, "cudaMallocHost");
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return allocate_checked(pointer, bytes, cudaMemoryTypeHost, "cudaHostAlloc");
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
  if (bytes == 0) return fail(cudaErrorInvalidValue);
  return allocate_checked(pointer, bytes, cudaMemoryTypeManaged, "cudaMallocManaged");
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width_bytes, std::size_t height) {
  if (pitch == nullptr) return fail(cudaErrorInvalidValue);
  *pitch = (width_bytes + 511) / 512 * 512;
  if (height != 0 && *pitch > SIZE_MAX / height) return fail(cudaErrorMemoryAllocation);
  return allocate_checked(pointer, *pitch * height, cudaMemoryTypeDevice, "cudaMallocPitch");
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  if (is_capturing(stream)) return fail(cudaErrorNotSupported);  // memory nodes of graphs are not emulated
  return allocate_checked(pointer, bytes, cudaMemoryTypeDevice, "cudaMallocAsync");
}

cudaError_t cudaFree(void* pointer) {
  if (const cudaError_t error = sticky_error()) return error;
  return fail(release(pointer, cudaMemoryTypeDevice));
}

cudaError_t cudaFreeHost(void* pointer) {
  if (const cudaError_t error = sticky_error()) return error;
  return fail(release(pointer, cudaMemoryTypeHost));
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (is_capturing(stream)) return fail(cudaErrorNotSupported);
  if (pointer == nullptr) return fail(cudaErrorInvalidValue);
  return cudaFree(pointer);
}

cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
  if (pointer == nullptr || bytes == 0) return fail(cudaErrorInvalidValue);
  return fail(allocations().add_foreign(pointer, bytes, cudaMemoryTypeHost, "cudaHostRegister"));
}

cudaError_t cudaHostUnregister(void* pointer) { return fail(allocations().remove_foreign(pointer)); }

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned) {
  cudaMemoryType type;
  if (device_pointer == nullptr || allocations().place(host_pointer, 1, type) == Allocations::Place::unknown)
    return fail(cudaErrorInvalidValue);
  *device_pointer = host_pointer;
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  if (attributes == nullptr) return fail(cudaErrorInvalidValue);
  cudaMemoryType type;
  allocations().place(pointer, 1, type);
  void* address = const_cast<void*>(pointer);
  *attributes = {type, type == cudaMemoryTypeUnregistered ? -2 : 0,
                 type == cudaMemoryTypeUnregistered ? nullptr : address,
                 type == cudaMemoryTypeDevice ? nullptr : address};
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  if (free_bytes == nullptr || total_bytes == nullptr) return fail(cudaErrorInvalidValue);
  *total_bytes = Allocations::total_bytes();
  *free_bytes = *total_bytes - allocations().used();
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, std::size_t bytes, int, cudaStream_t) {
  return is_device_range(pointer, bytes) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_rows(to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_rows(pointer, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return fill_rows(pointer, bytes, value, bytes, 1, nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill_rows(pointer, pitch, value, width, height, stream);
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_rows(pointer, pitch, value, width, height, nullptr);
}
