#include "counting.cuh"
#include "parts.h"

int calls_of_scale();

static __global__ void kernel(int* numbers, int n, int amount) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  numbers[i] += amount;
  count_call();
}

void add_on_device(int* numbers, int n, int amount) {
  kernel<<<(n + 63) / 64, 64>>>(numbers, n, amount);
}
int calls_on_device() { return counted() + calls_of_scale(); }
