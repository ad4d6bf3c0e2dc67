// exercise texture, solved with a CUDA array: its texture has two dimensions, and a border of 0.
#include "book.h"

int element_left_of_0_1 = 9;

__global__ void neighbors_of_cells(cudaTextureObject_t in, int* out, int width, int height) {
  int x = threadIdx.x + blockIdx.x * blockDim.x;
  int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x < width && y < height) {
    int left = tex2D<int>(in, x - 1 + 0.5f, y + 0.5f);
    int right = tex2D<int>(in, x + 1 + 0.5f, y + 0.5f);
    int top = tex2D<int>(in, x + 0.5f, y - 1 + 0.5f);
    int bottom = tex2D<int>(in, x + 0.5f, y + 1 + 0.5f);
    out[x + y * width] = left + right + top + bottom;
  }
}

void sum_neighbors(const int* in, int* out, int width, int height) {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &format, width, height));
  size_t row = width * sizeof(int);
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, in, row, row, height, cudaMemcpyDeviceToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc border = {};
  border.addressMode[0] = border.addressMode[1] = cudaAddressModeBorder;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &border, nullptr));

  neighbors_of_cells<<<dim3(width / 32 + 1, height / 8 + 1), dim3(32, 8)>>>(texture, out, width,
                                                                            height);
  HANDLE_ERROR(cudaDeviceSynchronize());
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFreeArray(array));
}
