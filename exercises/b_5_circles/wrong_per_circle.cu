// One thread per circle, as in the starter: neither order nor atomic updates.
// plain: of pixel \(
// finding: race at pixel[0] = 0.5f * color[3 * i] + 0.5f * pixel[0];
#include "book.h"

__global__ void render_kernel(int numCircles, const float* position, const float* color,
                              const float* radius, int width, int height, float* image) {
  const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
  if (i >= numCircles) return;
  const float cx = position[3 * i];
  const float cy = position[3 * i + 1];
  const float rad = radius[i];

  int left = (int)((cx - rad) * width) - 1;
  int right = (int)((cx + rad) * width) + 1;
  int top = (int)((cy - rad) * height) - 1;
  int bottom = (int)((cy + rad) * height) + 1;
  if (left < 0) left = 0;
  if (top < 0) top = 0;
  if (right > width - 1) right = width - 1;
  if (bottom > height - 1) bottom = height - 1;

  for (int row = top; row <= bottom; ++row) {
    for (int column = left; column <= right; ++column) {
      const float dx = (column + 0.5f) / width - cx;
      const float dy = (row + 0.5f) / height - cy;
      if (dx * dx + dy * dy <= rad * rad) {
        float* pixel = image + 4 * (column + row * width);
        pixel[0] = 0.5f * color[3 * i] + 0.5f * pixel[0];
        pixel[1] = 0.5f * color[3 * i + 1] + 0.5f * pixel[1];
        pixel[2] = 0.5f * color[3 * i + 2] + 0.5f * pixel[2];
      }
    }
  }
}

void render(int numCircles, const float* position, const float* color, const float* radius,
            int width, int height, float* image) {
  dim3 threads(16, 16);
  dim3 blocks((numCircles + 255) / 256);

  render_kernel<<<blocks, threads>>>(numCircles, position, color, radius, width, height, image);
  HANDLE_ERROR(cudaGetLastError());
}
