// Small programs about memory, each in two forms that differ in one thing: the right one
// gets no finding, of the other one the report has the sentence after `says:` in the
// comment above it. main() runs all of one form, the right one where it is given an
// argument. check_memory.sh compares.
#pragma once

#include <cstdio>
#include <initializer_list>

constexpr int threads = 64;

// A kernel whose results are never read gets a note. Programs about other things have them read.
static inline bool results_are_read = false;

// Memory of the device that the host has filled or left unwritten, and that is freed at the end.
template <class T>
struct Array {
  T* data = nullptr;
  int size = 0;
  explicit Array(int count) : size(count) { cudaMalloc(&data, count * sizeof(T)); }
  Array(int count, const T* values) : Array(count) {
    cudaMemcpy(data, values, count * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() {
    T* copy = nullptr;
    if (results_are_read && cudaMalloc(&copy, size * sizeof(T)) == cudaSuccess) {
      cudaMemcpy(copy, data, size * sizeof(T), cudaMemcpyDeviceToDevice);
      cudaFree(copy);
    }
    cudaFree(data);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
};

static inline int run_all(std::initializer_list<void (*)(bool)> programs, bool right) {
  bool ok = true;
  for (const auto program : programs) {
    program(right);
    ok &= cudaDeviceSynchronize() == cudaSuccess;
    cudaDeviceReset();  // what goes astray may end the kernel
  }
  return ok ? 0 : 1;
}
