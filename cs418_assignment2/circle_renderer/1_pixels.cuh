#pragma once
// pixels - gather instead of scatter: one thread per pixel, through all circles in order.
//
// A thread blends the circles that cover its pixel. This is right, because the order is kept and no
// other thread writes this pixel. It is slow, because a million pixels test every circle, and
// nearly all tests fail. All threads of a warp read the same circle, so it costs one load from the
// L1 cache (a broadcast).
//
// Time on an H200: rgb 0.0204, rand1M 954, micro2M 1912 ms
//
// Needed: circle.h (circles, the image, and the formulas of all rungs).

#include "../../common/book.h"
#include "circle.h"

namespace circle_renderer {

/// One thread per pixel.
static __global__ void pixels_kernel(Circles circles, Canvas image) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= image.size || row >= image.size) return;

  const float x = image.center(column);
  const float y = image.center(row);
  float4 color = image.at(column, row);
  for (int i = 0; i < circles.count; ++i)
    if (covers(circles, i, x, y)) color = shade(circles, i, x, y, color);
  image.at(column, row) = color;
}

/// Draws the circles over the image's content.
static inline void draw_pixels(const Circles& circles, const Canvas& image, cudaStream_t stream) {
  constexpr int side = 16;  // threads of a block in each direction
  const int blocks = (image.size + side - 1) / side;
  pixels_kernel<<<dim3(blocks, blocks), dim3(side, side), 0, stream>>>(circles, image);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace circle_renderer
