// exercise scan, solved with sums over 2, 4, 8, ... elements, from one array into another.
#include "book.h"

__global__ void shift_right(const int* input, int N, int* result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) result[i] = i == 0 ? 0 : input[i - 1];
}

__global__ void add_left(const int* from, int N, int distance, int* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  int sum = from[i];
  if (i >= distance) sum += from[i - distance];
  to[i] = sum;
}

void exclusive_scan(int* input, int N, int* result) {
  int blocks = (N + 511) / 512;
  int* other = nullptr;
  HANDLE_ERROR(cudaMalloc(&other, N * sizeof(int)));
  shift_right<<<blocks, 512>>>(input, N, result);
  int* from = result;
  int* to = other;
  for (int distance = 1; distance < N; distance *= 2) {
    add_left<<<blocks, 512>>>(from, N, distance, to);
    int* last = from;
    from = to;
    to = last;
  }
  if (from == other) {
    HANDLE_ERROR(cudaMemcpy(result, other, N * sizeof(int), cudaMemcpyDeviceToDevice));
  }
  HANDLE_ERROR(cudaFree(other));
}
