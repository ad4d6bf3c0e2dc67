// A row is as wide as the grid, not as the plate.
// plain: kernel blend_kernel wrote behind the end
#include "starter.h"

__global__ void blend_kernel(float* out, const float* in, int dim) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dim || y >= dim) return;
  const int i = x + y * blockDim.x * gridDim.x;
  const float left = in[x > 0 ? i - 1 : i];
  const float right = in[x + 1 < dim ? i + 1 : i];
  const float top = in[y > 0 ? i - dim : i];
  const float bottom = in[y + 1 < dim ? i + dim : i];
  out[i] = in[i] + 0.25f * (top + bottom + left + right - 4 * in[i]);
}

void heat(float* a, float* b, int dim, int steps) {
  dim3 threads(16, 16);
  dim3 blocks((dim + 15) / 16, (dim + 15) / 16);
  float* in = a;
  float* out = b;
  for (int step = 0; step < steps; ++step) {
    blend_kernel<<<blocks, threads>>>(out, in, dim);
    std::swap(in, out);
  }
  if (in != a) cudaMemcpy(a, in, sizeof(float) * dim * dim, cudaMemcpyDeviceToDevice);
}

int main(int argc, char** argv) { return starter::check_heat(argc, argv, heat); }
