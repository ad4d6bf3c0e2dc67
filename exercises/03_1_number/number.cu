// exercise number - the first kernel: a sum, computed on the device, comes back to the host.
//
// Chapter 3 of CUDA by Example, section 3.2.3. A kernel returns nothing: it writes its result to
// device memory, and the host copies it from there.
//
//   ./run try number     PASS, or what is wrong
#include "book.h"

__global__ void add_kernel(int a, int b, int* sum) {
  // TODO 1: the sum of a and b goes to where the pointer points.
}

// Returns a + b, computed on the device.
int add_on_device(int a, int b) {
  int result = 0;
  int* device_sum = nullptr;
  HANDLE_ERROR(cudaMalloc(&device_sum, sizeof(int)));

  // TODO 2: launch the kernel, one block with one thread. Which pointer does it get?

  // TODO 3: the sum is in device memory. Copy it to `result`. How many bytes, and which way?

  HANDLE_ERROR(cudaFree(device_sum));
  return result;
}
