// Small programs, kernels in two forms that differ in one thing: the right one has no race, the
// other has one. main() runs all of one form, the right one where it is given an argument;
// check_races.sh looks at what is reported.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>

#include <cstdio>
#include <initializer_list>

constexpr int threads = 128;  // of a block, and words per block
constexpr int blocks = 4;
constexpr int words = 8 * blocks * threads;

struct Data {  // words, all zero but `in`
  int *in, *out, *sums;
  int* flags;
};

// A launch's end orders: here other threads read what the program wrote.
static __global__ void next_launch(Data d) {
  const unsigned i = blockIdx.x * threads + threadIdx.x, other = words - 1 - i;
  d.flags[i] = d.in[other] + d.out[other] + d.sums[other];
}

static inline int run_all(std::initializer_list<void (*)(Data, bool)> programs, bool right,
                          bool cooperative = false) {
  int host[words];
  for (int i = 0; i < words; ++i) host[i] = i * 7 % 16;
  Data d;
  for (int** array : {&d.in, &d.out, &d.sums, &d.flags})
    if (cudaMalloc(reinterpret_cast<void**>(array), sizeof host) != cudaSuccess) return 1;
  void* arguments[] = {&d, &right};
  for (const auto program : programs) {
    cudaMemcpy(d.in, host, sizeof host, cudaMemcpyHostToDevice);
    for (int* array : {d.out, d.sums, d.flags}) cudaMemset(array, 0, sizeof host);
    if (cooperative)
      cudaLaunchCooperativeKernel(program, dim3(blocks), dim3(threads), arguments);
    else
      cudaLaunchKernel(program, dim3(blocks), dim3(threads), arguments, threads * sizeof(int));
    next_launch<<<words / threads, threads>>>(d);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
