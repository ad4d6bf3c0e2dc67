// A pixel has four numbers, which the index forgets.
// explain: race: kernel render_kernel: .* writes
#include "starter.h"

__global__ void render_kernel(int numCircles, const float* position, const float* color, const float* radius,
                              int width, int height, float* image) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height) return;
  const float x = (column + 0.5f) / width;
  const float y = (row + 0.5f) / height;
  float* pixel = image + (column + row * width);
  float red = pixel[0], green = pixel[1], blue = pixel[2];
  for (int i = 0; i < numCircles; ++i) {
    const float dx = x - position[3 * i], dy = y - position[3 * i + 1];
    if (dx * dx + dy * dy > radius[i] * radius[i]) continue;
    red = 0.5f * color[3 * i] + 0.5f * red;
    green = 0.5f * color[3 * i + 1] + 0.5f * green;
    blue = 0.5f * color[3 * i + 2] + 0.5f * blue;
  }
  pixel[0] = red;
  pixel[1] = green;
  pixel[2] = blue;
}

void render(int numCircles, const float* position, const float* color, const float* radius, int width,
            int height, float* image) {
  dim3 threads(16, 16);
  dim3 blocks((width + 15) / 16, (height + 15) / 16);

  render_kernel<<<blocks, threads>>>(numCircles, position, color, radius, width, height, image);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_circles(argc, argv, render); }
