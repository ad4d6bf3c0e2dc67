// The cells at the edges read neighbors that do not exist.
// explain: out of bounds: kernel blend_kernel
#include "starter.h"

__global__ void blend_kernel(float* out, const float* in, int dim) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= dim || y >= dim) return;
  const int i = x + y * dim;
  const float left = in[i - 1];
  const float right = in[i + 1];
  const float top = in[i - dim];
  const float bottom = in[i + dim];
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
