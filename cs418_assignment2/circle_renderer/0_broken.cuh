#pragma once
// broken - one thread per circle, as the course hands it out; wrong on purpose.
//
// It has two mistakes:
//
//   order       circle 7 need not be drawn before circle 8, since the threads run in any order
//   atomicity   reading a pixel, blending and writing it back is not one step: while one thread
//               computes, another writes the same pixel, and its circle is lost
//
// The picture has streaks where circles overlap, different ones in each run. The solution is to
// give every *pixel* to one thread. It can then go through the circles in order: 1_pixels.cuh.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs).

#include "../../common/book.h"
#include "circle.h"

namespace circle_renderer {

/// One thread per circle.
static __global__ void broken_kernel(Circles circles, Canvas image) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= circles.count) return;

  const CircleShape shape = circles.shapes[i];
  const PixelRange columns = pixel_range(shape.x, shape.radius, image);
  const PixelRange rows = pixel_range(shape.y, shape.radius, image);
  for (int row = rows.first; row <= rows.last; ++row)
    for (int column = columns.first; column <= columns.last; ++column) {
      const float x = image.center(column);
      const float y = image.center(row);
      if (!covers(circles, i, x, y)) continue;
      const float4 below = image.at(column, row);              // the read ...
      image.at(column, row) = shade(circles, i, x, y, below);  // ... and the write
    }
}

/// Draws the circles over the image's content.
static inline void draw_broken(const Circles& circles, const Canvas& image, cudaStream_t stream) {
  if (circles.count == 0) return;
  constexpr int threads = 256;
  broken_kernel<<<(circles.count - 1) / threads + 1, threads, 0, stream>>>(circles, image);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace circle_renderer
