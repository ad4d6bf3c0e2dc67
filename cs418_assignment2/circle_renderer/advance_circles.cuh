#pragma once
// A step of an animated scene on the device: one thread per circle.

#include "cuda_renderer.cuh"
#include "scenes/advance.h"

/// One thread per circle. `origins` may be null.
static __global__ void advance_kernel(Animation kind, float4* shapes, float2* velocity, const float2* origins,
                                      int count, int step) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const float4 shape = shapes[i];
  Moving moving{shape.x, shape.y, shape.w, shape.z, velocity[i]};
  advance(kind, moving, i, count, step, origins != nullptr ? origins + i : nullptr);
  shapes[i] = make_float4(moving.x, moving.y, moving.radius, shape.w);
  velocity[i] = moving.velocity;
}

inline void advance_circles(Animation kind, float4* shapes, float2* velocity, const float2* origins,
                            int count, int step) {
  constexpr int threads = 256;
  advance_kernel<<<div_up(count, threads), threads>>>(kind, shapes, velocity, origins, count, step);
  HANDLE_ERROR(cudaGetLastError());
}
