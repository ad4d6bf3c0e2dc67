#pragma once
// Rung 1, "pixels": one thread per pixel, which goes through all circles in order. Right, because order and
// atomicity now live inside one thread; and slow: a million pixels look at every circle, and nearly all in
// vain.
//
// rand1M at 1024 x 1024: 985 ms on an H200 (README.md, "Results").

#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"

constexpr int pixels_side = 16;  // threads of a block each way

/// One thread per pixel.
template <class Shading>
__global__ void pixels_kernel(Circles circles, Canvas canvas) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= canvas.grid.size || row >= canvas.grid.size) return;
  const float x = canvas.grid.center(column), y = canvas.grid.center(row);
  const float4 below = canvas.at(column, row);
  Blend pixel{below.x, below.y, below.z, 1};
  for (int i = 0; i < circles.count; ++i) {
    const float4 shape = circles.shapes[i];  // the same for all threads: one load for the warp
    const float distance_squared = squared_distance(x - shape.x, y - shape.y);
    if (distance_squared <= shape.z * shape.z)
      Shading::blend(pixel, Shading::prepare(Shading::fetch(circles, i)), distance_squared);
  }
  canvas.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);
}

class PixelsRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    const dim3 block(pixels_side, pixels_side);
    const dim3 grid(div_up(size(), pixels_side), div_up(size(), pixels_side));
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      pixels_kernel<Shading><<<grid, block>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr CircleMethod pixels_method = {.name = "pixels",
                                               .help = "a thread per pixel, all circles in order",
                                               .make = make_renderer<PixelsRenderer>};
