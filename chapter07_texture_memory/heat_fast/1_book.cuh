// Rung 1, book: the book's two kernels per time step, as in heat_notexture.
//
// A step reads the sources, reads and writes the grid, reads it again with its neighbors and writes the
// other one. With 90 steps that is 180 launches per frame; on a small plate a launch takes longer than its
// work.
#pragma once

#include "plate.cuh"

/// Step (1): cells with a source take its temperature again. One thread per cell.
__global__ void book_copy_kernel(float* in, const float* sources, Slab slab) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= slab.width || y >= slab.rows) return;

  const size_t i = x + y * slab.pitch;
  const float c = sources[i];
  if (c != 0) in[i] = c;
}

/// Step (2): every cell moves towards its four neighbors. One thread per cell.
__global__ void book_blend_kernel(float* out, const float* in, Slab slab, float k) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= slab.width || y >= slab.rows) return;

  const size_t i = x + y * slab.pitch;
  const float c = in[i];
  const float l = x == 0 ? c : in[i - 1];
  const float r = x == slab.width - 1 ? c : in[i + 1];
  const float t = y == 0 ? c : in[i - slab.pitch];
  const float b = y == slab.rows - 1 ? c : in[i + slab.pitch];
  out[i] = c + k * (t + b + l + r - c * 4);
}

class BookRung : public Rung {
 public:
  explicit BookRung(const Plate&) {}

  void advance(Plate& plate, int steps) override {
    const dim3 threads(32, 8);
    const dim3 blocks(div_up(plate.slab.width, 32), div_up(plate.slab.rows, 8));
    for (int step = 0; step < steps; ++step) {
      book_copy_kernel<<<blocks, threads>>>(plate.in.get(), plate.sources.get(), plate.slab);
      book_blend_kernel<<<blocks, threads>>>(plate.out.get(), plate.in.get(), plate.slab, plate.k);
      HANDLE_ERROR(cudaGetLastError());
      std::swap(plate.in, plate.out);
    }
  }

  int passes(int steps) const override { return steps; }
};

inline const HeatMethod book_method = {"book", "two kernels per time step, as in heat_notexture", any_size,
                                       make_rung<BookRung>};
