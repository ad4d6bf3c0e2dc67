// A thread per circle: neither order nor atomicity.
// explain: race: kernel render_kernel: .*make the update atomic
#include "starter.h"

__global__ void render_kernel(int numCircles, const float* position, const float* color, const float* radius,
                              int width, int height, float* image) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= numCircles) return;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const float dx = (column + 0.5f) / width - position[3 * i];
      const float dy = (row + 0.5f) / height - position[3 * i + 1];
      if (dx * dx + dy * dy > radius[i] * radius[i]) continue;
      float* pixel = image + 4 * (column + row * width);
      for (int c = 0; c < 3; ++c) pixel[c] = 0.5f * color[3 * i + c] + 0.5f * pixel[c];
    }
}

void render(int numCircles, const float* position, const float* color, const float* radius, int width,
            int height, float* image) {
  dim3 threads(256);
  dim3 blocks((numCircles + 255) / 256);

  render_kernel<<<blocks, threads>>>(numCircles, position, color, radius, width, height, image);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) { return starter::check_circles(argc, argv, render); }
