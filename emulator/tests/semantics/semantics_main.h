// main() of the tests of CUDA's semantics. They run in both builds: on the emulated
// device they test it, on a GPU they test that we understood CUDA rightly. Without
// a GPU the gpu build skips them.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

// A test that provokes an error takes it away again.
#define EXPECT_ERROR(call, error)               \
  do {                                          \
    EXPECT_EQ(call, error);                     \
    EXPECT_EQ(cudaGetLastError(), error);       \
    EXPECT_EQ(cudaGetLastError(), cudaSuccess); \
  } while (false)

// Device memory of a test.
template <class T>
class Device {
 public:
  explicit Device(std::size_t count) : count_(count) {
    EXPECT_EQ(cudaMalloc(&pointer_, count * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemset(pointer_, 0, count * sizeof(T)), cudaSuccess);
  }
  explicit Device(const std::vector<T>& values) : Device(values.size()) {
    EXPECT_EQ(cudaMemcpy(pointer_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(pointer_); }
  T* get() const { return pointer_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(values.data(), pointer_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
              cudaSuccess);
    return values;
  }

 private:
  T* pointer_ = nullptr;
  std::size_t count_;
};

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("SKIP: no GPU in this machine");
    return 77;
  }
  return RUN_ALL_TESTS();
}
