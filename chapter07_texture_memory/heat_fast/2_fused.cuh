// Rung 2, fused: source copy and blend in one kernel.
//
// Gains over rung 1: half the launches, and the grid is read and written once per step instead of twice.
// The kernel may not write the sources into the grid that other threads are reading. Instead the step that
// writes a source's cell writes the source's temperature there ("holds" it), ready for the next step. Two
// steps of a frame differ: the first one finds no held sources, so it reads each cell through its source;
// the last one holds none, because a frame shows the grid as the blend left it.
#pragma once

#include "plate.cuh"

/// One time step, from `in` to `out`. One thread per cell. `first`, `last`: of a frame.
__global__ void fused_kernel(float* out, const float* in, const float* sources, Slab slab, float k,
                             bool first, bool last) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= slab.width || y >= slab.rows) return;

  const auto cell = [=](size_t i) {
    if (first && sources[i] != 0) return sources[i];
    return in[i];
  };
  const size_t i = x + y * slab.pitch;
  const float source = sources[i];
  const float c = cell(i);
  const float l = x == 0 ? c : cell(i - 1);
  const float r = x == slab.width - 1 ? c : cell(i + 1);
  const float t = y == 0 ? c : cell(i - slab.pitch);
  const float b = y == slab.rows - 1 ? c : cell(i + slab.pitch);
  out[i] = source != 0 && !last ? source : c + k * (t + b + l + r - c * 4);
}

/// A frame of fused steps on a stream; rung 3 records the same launches. Returns where the result is: out,
/// or in.
inline float* fused_steps(const Plate& plate, int steps, cudaStream_t stream) {
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(plate.slab.width, 32), div_up(plate.slab.rows, 8));
  float *in = plate.in.get(), *out = plate.out.get();
  for (int step = 0; step < steps; ++step) {
    fused_kernel<<<blocks, threads, 0, stream>>>(out, in, plate.sources.get(), plate.slab, plate.k, step == 0,
                                                 step == steps - 1);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(in, out);
  }
  return in;
}

class FusedRung : public Rung {
 public:
  explicit FusedRung(const Plate&) {}

  void advance(Plate& plate, int steps) override {
    if (fused_steps(plate, steps, nullptr) == plate.out.get()) std::swap(plate.in, plate.out);
  }

  int passes(int steps) const override { return steps; }
};

inline const HeatMethod fused_method = {"fused", "source copy and blend in one kernel", any_size,
                                        make_rung<FusedRung>};
