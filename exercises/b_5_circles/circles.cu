// exercise circles - a renderer for semi-transparent circles: their order decides what one sees.
//
// Part 3 of the course's assignment. Circle i covers the pixels whose centers are within radius[i]
// of its center; there color = 0.5 * circle's color + 0.5 * pixel's color, circle after circle in
// input order. The image spans [0, 1] in both directions: the center of pixel (column, row) is
// ((column + 0.5) / width, (row + 0.5) / height).
//
// The handout's starter has one thread per circle, which is wrong twice: the update of a pixel is
// not atomic, and nothing keeps the order.
//
//   ./run try circles                     PASS, or the first wrong pixel
//   ./run my_circles.cu rgb -s 64         one scene only, 64 x 64 pixels
//   ./run grade circles my_circles.cu     the handout's scenes
#include "book.h"

__global__ void render_kernel(int numCircles, const float* position, const float* color,
                              const float* radius, int width, int height, float* image) {
  // TODO 1: what does one thread compute, if order and atomicity are to come for free? Which one is
  // it?

  // TODO 2: go through the circles. Circle i is at position[3 * i], position[3 * i + 1], its color
  // begins at color[3 * i]. Where do you keep the pixel's color meanwhile?

  // TODO 3: write the color: red, green, blue at image[4 * (column + row * width)] and after it.
}

// Everything is in device memory. The image, 4 floats per pixel, is white.
void render(int numCircles, const float* position, const float* color, const float* radius,
            int width, int height, float* image) {
  dim3 threads(16, 16);
  // TODO 4: how many blocks, so that each pixel has a thread, whatever width and height are?
  dim3 blocks(1, 1);

  render_kernel<<<blocks, threads>>>(numCircles, position, color, radius, width, height, image);
  HANDLE_ERROR(cudaGetLastError());

  // It passes now? 100,000 circles on a million pixels are 10^11 tests. Most pixels are far from
  // most circles: which of them can a block rule out for all its pixels at once, and how do its
  // threads share that work?
}
