#pragma once
#include <cstddef>
#include <utility>

// cudaMalloc and cudaMallocHost. Without enough memory they print one sentence with the requested
// and free bytes, exit code 1. `count` elements of `element` bytes; none gives a null pointer.
void* allocate_device(size_t count, size_t element);
void* allocate_pinned(size_t count, size_t element);
void free_device(void* pointer);
void free_pinned(void* pointer);

/// Owns uninitialized memory and frees it at the end of its scope. Can be moved, not copied.
template <class T, void* allocate(size_t, size_t), void release(void*)>
class OwnedMemory {
 public:
  OwnedMemory() = default;
  explicit OwnedMemory(size_t count)
      : pointer_(static_cast<T*>(allocate(count, sizeof(T)))), size_(count) {}
  ~OwnedMemory() {
    if (pointer_ != nullptr) release(pointer_);
  }
  OwnedMemory(OwnedMemory&& other) noexcept
      : pointer_(std::exchange(other.pointer_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  OwnedMemory& operator=(OwnedMemory other) noexcept {
    std::swap(pointer_, other.pointer_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* get() const { return pointer_; }
  size_t size() const { return size_; }  ///< in elements
  size_t bytes() const { return size_ * sizeof(T); }

 private:
  T* pointer_ = nullptr;
  size_t size_ = 0;
};

/// Device memory: pass get() to kernels and cudaMemcpy.
template <class T>
using DeviceMemory = OwnedMemory<T, allocate_device, free_device>;
/// Page-locked host memory: copies to and from the device are faster, and may overlap with kernels.
template <class T>
using PinnedMemory = OwnedMemory<T, allocate_pinned, free_pinned>;
