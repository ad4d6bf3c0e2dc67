// exercise texture - a stencil that reads through a texture: it returns 0 where memory ends.
//
// Chapter 7 of CUDA by Example. The picture has one number per cell, row after row: cell (x, y) is
// element x + y * width. Each result is the sum of the four neighbors in `in`: left, right, top and
// bottom. A neighbor outside of the picture counts as 0.
//
//   ./run try texture             PASS, or the first wrong cell
//   ./run my_texture.cu -n 17     one size only: 17 cells wide
#include "book.h"

// TODO 1: predict. The picture is 10 cells wide, and i is the number of cell (0, 1). Which element
// does tex1Dfetch<int>(in, i - 1) return?
int element_left_of_0_1 = 0;

__global__ void neighbors_kernel(cudaTextureObject_t in, int* out, int width, int height) {
  // TODO 2: which cell is this thread's, and is it in the picture?

  // TODO 3: tex1Dfetch<int>(in, i) is element i, and 0 before the first and after the last one. For
  // which neighbors of a cell at an edge is this enough, and which ones need an `if`?
}

// in and out are in device memory.
void sum_neighbors(const int* in, int* out, int width, int height) {
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = const_cast<int*>(in);
  memory.res.linear.desc = cudaCreateChannelDesc<int>();
  // TODO 4: the texture covers one element. How large is the whole memory?
  memory.res.linear.sizeInBytes = sizeof(int);
  cudaTextureDesc as_it_is = {};
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &memory, &as_it_is, nullptr));

  const dim3 threads(16, 16);
  const dim3 blocks((width + 15) / 16, (height + 15) / 16);
  neighbors_kernel<<<blocks, threads>>>(texture, out, width, height);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // the kernel needs the texture until it ends
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
}
