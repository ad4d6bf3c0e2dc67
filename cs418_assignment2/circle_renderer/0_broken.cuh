#pragma once
// Rung 0, "broken": one thread per circle, as the course hands it out. Two things are wrong with it.
//
//   order       nobody says that circle 7 is drawn before circle 8: the threads run in any order
//   atomicity   reading a pixel, blending and writing it back is not one step: while one thread computes,
//               another writes the same pixel, and its circle is lost
//
// The picture has streaks where circles overlap, other ones each time. The way out is to give every *pixel*
// to one thread, which can then go through the circles in order: 1_pixels.cuh.

#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"

/// One thread per circle.
template <class Shading>
__global__ void broken_kernel(Circles circles, Canvas canvas) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= circles.count) return;
  const Candidate candidate = Shading::fetch(circles, i);
  const Prepared circle = Shading::prepare(candidate);
  const PixelRange columns = pixel_range(circle.x, candidate.shape.z, canvas.grid);
  const PixelRange rows = pixel_range(circle.y, candidate.shape.z, canvas.grid);
  for (int row = rows.first; row <= rows.last; ++row)
    for (int column = columns.first; column <= columns.last; ++column) {
      const float dx = canvas.grid.center(column) - circle.x;
      const float dy = canvas.grid.center(row) - circle.y;
      const float distance_squared = squared_distance(dx, dy);
      if (!(distance_squared <= circle.radius_squared)) continue;
      const float4 below = canvas.at(column, row);  // the read ...
      Blend pixel{below.x, below.y, below.z, 1};
      Shading::blend(pixel, circle, distance_squared);
      canvas.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);  // ... and the write
    }
}

class BrokenRenderer : public CudaRenderer {
 public:
  using CudaRenderer::CudaRenderer;

  void render() override {
    if (scene().circles.empty()) return;
    constexpr int threads = 256;
    with_shading_in_order(scene(), [&](auto shading) {
      using Shading = decltype(shading);
      broken_kernel<Shading><<<div_up(scene().count(), threads), threads>>>(device_circles(), canvas());
    });
    HANDLE_ERROR(cudaGetLastError());
  }
};

inline constexpr CircleMethod broken_method = {.name = "broken",
                                               .help = "a thread per circle: wrong, on purpose",
                                               .make = make_renderer<BrokenRenderer>,
                                               .right = false};
