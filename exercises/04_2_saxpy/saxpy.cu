// exercise saxpy - result = alpha x + y: your first kernel, with copies to the device and back.
//
// Part 1 of the course's assignment. The loop on the CPU would be
//   for (int i = 0; i < N; ++i) result[i] = alpha * x[i] + y[i];
//
//   ./run try saxpy            PASS, or the first wrong element
//   ./run my_saxpy.cu -n 5     one size only
#include "book.h"

// One thread per element. The launch has whole blocks, so it may have more threads than there are
// elements.
__global__ void saxpy_kernel(int N, float alpha, const float* x, const float* y, float* result) {
  // TODO 1: which element is this thread's? What must the threads beyond the last element do?
}

// x, y and result are arrays of N numbers in the host's memory, where a kernel cannot reach them.
void saxpy(int N, float alpha, const float* x, const float* y, float* result) {
  const int threads_per_block = 256;
  // TODO 2: how many blocks do N threads need? (1 is enough up to N = 256.)
  const int blocks = 1;

  // TODO 3: allocate three arrays in device memory (cudaMalloc), and copy x and y there
  // (cudaMemcpy). How many bytes?
  float* device_x = nullptr;
  float* device_y = nullptr;
  float* device_result = nullptr;

  saxpy_kernel<<<blocks, threads_per_block>>>(N, alpha, device_x, device_y, device_result);
  HANDLE_ERROR(cudaGetLastError());

  // TODO 4: the result is still on the device. Which way does it go now? Free what you allocated.
}
