#pragma once
#include <cuda_runtime.h>

#include <cstddef>

/// Another file's call: how many of n equal numbers are equal to their successor.
std::size_t repeats_elsewhere(const int* in, std::size_t n, int* out, cudaStream_t stream);
