#pragma once
// book - the book's two kernels per time step, as in heat_notexture.
//
// The first kernel reads the sources and writes them into the cells. The second reads the cells and
// writes the other buffer. 90 steps need 180 launches per frame. On a small plate a launch takes
// longer than its work.
//
// Time on an H200: 1024^2 cells 0.881, 4096^2 cells 10.8 ms
//
// Needed: plate.h (Plate, and what a rung is).

#include "plate.h"

namespace heat_fast {

/// Step (1): cells with a source return to its temperature. One thread per cell.
static __global__ void book_copy_kernel(float* in, const float* sources, int dim, size_t pitch) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const size_t i = x + y * pitch;
  const float c = sources[i];
  if (c != 0) in[i] = c;
}

/// Step (2): every cell moves towards its four neighbors. One thread per cell.
static __global__ void book_blend_kernel(float* out, const float* in, int dim, size_t pitch) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const size_t i = x + y * pitch;
  const float c = in[i];
  const float l = x == 0 ? c : in[i - 1];
  const float r = x == dim - 1 ? c : in[i + 1];
  const float t = y == 0 ? c : in[i - pitch];
  const float b = y == dim - 1 ? c : in[i + pitch];
  out[i] = c + 0.25f * (t + b + l + r - c * 4);
}

inline int book_heat(Plate& plate, int steps, cudaStream_t stream = nullptr) {
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(plate.dim, threads.x), div_up(plate.dim, threads.y));
  for (int step = 0; step < steps; ++step) {
    book_copy_kernel<<<blocks, threads, 0, stream>>>(plate.in, plate.sources, plate.dim,
                                                     plate.pitch);
    book_blend_kernel<<<blocks, threads, 0, stream>>>(plate.out, plate.in, plate.dim, plate.pitch);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(plate.in, plate.out);
  }
  return steps;
}

}  // namespace heat_fast
