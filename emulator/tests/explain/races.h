// Small programs, each in two forms that differ in one thing: program<true> has no race, program<false> has one. main() runs
// them all and prints the names of those whose race is to be reported; check_races.sh compares.
#pragma once

#include <cooperative_groups.h>
#include <cuda/atomic>

#include <cstdio>
#include <span>

constexpr int threads = 128;  // of a block, and words per block
constexpr int blocks = 4;

struct Data {  // words, all zero but `in`
  int *in, *out, *sums;
  int* flags;
};

struct Program {
  const char* name;
  void (*right)(const Data&);
  void (*racy)(const Data&);
};
#define PROGRAM(name)                                                                                      \
  {                                                                                                        \
#name,                                                                                                 \
        [](const Data&                                                                                     \
               d) { name<true><<<blocks, threads>>>(d); },                                                 \
                                                        [](const Data&                                     \
                                                               d) { name<false><<<blocks, threads>>>(d); } \
  }

static inline int run_all(std::span<const Program> programs) {
  constexpr int words = 4096;
  int host[words];
  for (int i = 0; i < words; ++i) host[i] = i * 7 % 16;
  Data d;
  for (int** array : {&d.in, &d.out, &d.sums, &d.flags})
    if (cudaMalloc(reinterpret_cast<void**>(array), sizeof host) != cudaSuccess) return 1;
  for (const bool right : {true, false})
    for (const Program& program : programs) {
      cudaMemcpy(d.in, host, sizeof host, cudaMemcpyHostToDevice);
      for (int* array : {d.out, d.sums, d.flags}) cudaMemset(array, 0, sizeof host);
      (right ? program.right : program.racy)(d);
      if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
        std::printf("%s: %s\n", program.name, cudaGetErrorString(error));
        return 1;
      }
      if (!right) std::printf("racy %s<false>\n", program.name);
    }
  return 0;
}
