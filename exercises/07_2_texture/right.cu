// exercise texture, solved.
#include "book.h"

int element_left_of_0_1 = 9;

__global__ void neighbors_kernel(cudaTextureObject_t in, int* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = x + y * width;

  int sum = tex1Dfetch<int>(in, i - width) + tex1Dfetch<int>(in, i + width);
  if (x > 0) sum += tex1Dfetch<int>(in, i - 1);
  if (x < width - 1) sum += tex1Dfetch<int>(in, i + 1);
  out[i] = sum;
}

void sum_neighbors(const int* in, int* out, int width, int height) {
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = const_cast<int*>(in);
  memory.res.linear.desc = cudaCreateChannelDesc<int>();
  memory.res.linear.sizeInBytes = width * height * sizeof(int);
  cudaTextureDesc as_it_is = {};
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &memory, &as_it_is, nullptr));

  const dim3 threads(16, 16);
  const dim3 blocks((width + 15) / 16, (height + 15) / 16);
  neighbors_kernel<<<blocks, threads>>>(texture, out, width, height);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
}
