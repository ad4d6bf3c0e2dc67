// The block collects its circles with atomicAdd, which loses their order.
// plain: of pixel \(
// finding: only the result
#include "book.h"

__global__ void render_kernel(int numCircles, const float* position, const float* color,
                              const float* radius, int width, int height, float* image) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const bool inside = column < width && row < height;
  const float x = (column + 0.5f) / width;
  const float y = (row + 0.5f) / height;
  const int tid = threadIdx.x + threadIdx.y * blockDim.x;

  const float x0 = blockIdx.x * blockDim.x / (float)width;
  const float x1 = (blockIdx.x + 1) * blockDim.x / (float)width;
  const float y0 = blockIdx.y * blockDim.y / (float)height;
  const float y1 = (blockIdx.y + 1) * blockDim.y / (float)height;

  __shared__ int list[256];
  __shared__ int found;

  float* pixel = image + 4 * (column + row * width);
  float r = 0, g = 0, b = 0;
  if (inside) {
    r = pixel[0];
    g = pixel[1];
    b = pixel[2];
  }

  for (int first = 0; first < numCircles; first += 256) {
    if (tid == 0) found = 0;
    __syncthreads();

    const int mine = first + tid;
    if (mine < numCircles) {
      const float cx = position[3 * mine];
      const float cy = position[3 * mine + 1];
      const float dx = cx - fminf(fmaxf(cx, x0), x1);
      const float dy = cy - fminf(fmaxf(cy, y0), y1);
      const float rad = radius[mine] * 1.0001f + 1e-6f;
      if (dx * dx + dy * dy <= rad * rad) list[atomicAdd(&found, 1)] = mine;
    }
    __syncthreads();

    for (int k = 0; k < found; ++k) {
      const int i = list[k];
      const float dx = position[3 * i] - x;
      const float dy = position[3 * i + 1] - y;
      if (dx * dx + dy * dy <= radius[i] * radius[i]) {
        r = 0.5f * color[3 * i] + 0.5f * r;
        g = 0.5f * color[3 * i + 1] + 0.5f * g;
        b = 0.5f * color[3 * i + 2] + 0.5f * b;
      }
    }
    __syncthreads();
  }

  if (inside) {
    pixel[0] = r;
    pixel[1] = g;
    pixel[2] = b;
  }
}

void render(int numCircles, const float* position, const float* color, const float* radius,
            int width, int height, float* image) {
  dim3 threads(16, 16);
  dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);

  render_kernel<<<blocks, threads>>>(numCircles, position, color, radius, width, height, image);
  HANDLE_ERROR(cudaGetLastError());
}
