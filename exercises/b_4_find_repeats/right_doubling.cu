// exercise find_repeats, solved with an inclusive scan by doubled distances.
#include "book.h"

__global__ void mark(const int* input, int length, int* flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == length - 1) flags[i] = 0;
  if (i < length - 1) flags[i] = input[i] == input[i + 1] ? 1 : 0;
}

__global__ void add_left(const int* from, int length, int distance, int* to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) to[i] = from[i] + (i < distance ? 0 : from[i - distance]);
}

__global__ void write(const int* sums, int length, int* output) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= length) return;
  int before = i == 0 ? 0 : sums[i - 1];
  if (sums[i] != before) output[before] = i;
}

int find_repeats(int* input, int length, int* output) {
  int blocks = length / 256 + 1;
  int* arrays[2];
  for (int k = 0; k < 2; k++) HANDLE_ERROR(cudaMalloc(&arrays[k], sizeof(int) * length));
  int current = 0;
  mark<<<blocks, 256>>>(input, length, arrays[0]);
  for (int distance = 1; distance < length; distance *= 2) {
    add_left<<<blocks, 256>>>(arrays[current], length, distance, arrays[1 - current]);
    current = 1 - current;
  }
  write<<<blocks, 256>>>(arrays[current], length, output);
  int count;
  HANDLE_ERROR(
      cudaMemcpy(&count, arrays[current] + length - 1, sizeof(int), cudaMemcpyDeviceToHost));
  for (int k = 0; k < 2; k++) HANDLE_ERROR(cudaFree(arrays[k]));
  return count;
}
