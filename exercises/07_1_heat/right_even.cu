// exercise heat, solved with a copy at the beginning if the number of steps is odd.
#include "book.h"

__device__ float at(const float* plate, int dim, int x, int y) {
  return plate[min(max(x, 0), dim - 1) + min(max(y, 0), dim - 1) * dim];
}

__global__ void step(float* out, const float* in, int dim) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < dim && y < dim) {
    float old = at(in, dim, x, y);
    float neighbors = at(in, dim, x - 1, y) + at(in, dim, x + 1, y);
    neighbors += at(in, dim, x, y - 1) + at(in, dim, x, y + 1);
    out[x + y * dim] = old + 0.25f * (neighbors - 4 * old);
  }
}

void heat(float* a, float* b, int dim, int steps) {
  dim3 grid((dim + 15) / 16, (dim + 15) / 16);
  dim3 block(16, 16);
  float* plates[2] = {a, b};
  if (steps % 2 == 1) {
    HANDLE_ERROR(cudaMemcpy(b, a, dim * dim * sizeof(float), cudaMemcpyDefault));
    plates[0] = b;
    plates[1] = a;
  }
  for (int i = 0; i < steps; i++) {
    step<<<grid, block>>>(plates[(i + 1) % 2], plates[i % 2], dim);
  }
  HANDLE_ERROR(cudaDeviceSynchronize());
}
