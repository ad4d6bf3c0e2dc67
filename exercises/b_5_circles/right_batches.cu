// exercise circles, solved with batches of circles in shared memory.
#include "book.h"

struct Disc {
  float x, y, radius;
  float color[3];
};

__global__ void draw(int numCircles, const float* position, const float* color, const float* radius,
                     int width, int height, float* image) {
  __shared__ Disc discs[256];
  int thread = threadIdx.x + threadIdx.y * 16;
  int column = threadIdx.x + blockIdx.x * 16;
  int row = threadIdx.y + blockIdx.y * 16;
  bool inside = column < width && row < height;
  float x = (column + 0.5f) / width;
  float y = (row + 0.5f) / height;
  float seen[3];
  float* pixel = image + 4 * (row * width + column);
  for (int c = 0; c < 3; c++) seen[c] = inside ? pixel[c] : 0;
  for (int first = 0; first < numCircles; first += 256) {
    int mine = first + thread;
    __syncthreads();
    if (mine < numCircles) {
      Disc disc = {position[3 * mine], position[3 * mine + 1], radius[mine], {}};
      for (int c = 0; c < 3; c++) disc.color[c] = color[3 * mine + c];
      discs[thread] = disc;
    }
    __syncthreads();
    for (int i = 0; i < min(256, numCircles - first); i++) {
      float dx = discs[i].x - x;
      float dy = discs[i].y - y;
      if (dx * dx + dy * dy > discs[i].radius * discs[i].radius) continue;
      for (int c = 0; c < 3; c++) seen[c] = 0.5f * discs[i].color[c] + 0.5f * seen[c];
    }
  }
  if (inside)
    for (int c = 0; c < 3; c++) pixel[c] = seen[c];
}

void render(int numCircles, const float* position, const float* color, const float* radius,
            int width, int height, float* image) {
  dim3 grid((width + 15) / 16, (height + 15) / 16);
  draw<<<grid, dim3(16, 16)>>>(numCircles, position, color, radius, width, height, image);
}
