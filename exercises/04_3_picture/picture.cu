// exercise picture - a thread per pixel, by x and y: blocks that cover a picture of any size.
//
// Chapter 4 of CUDA by Example, section 4.2.2. The picture is gray, a number from 0 to 255 per
// pixel, row after row: pixel (x, y) is gray[x + y * width]. Its value is a quarter of the squared
// distance from the middle pixel (width / 2, height / 2), modulo 256. It shows rings:
//   int dx = x - width / 2, dy = y - height / 2;   value = (dx * dx + dy * dy) / 4 % 256
//
//   ./run try picture             PASS, or the first wrong pixel
//   ./run my_picture.cu -n 20     one size only: 20 pixels wide
#include "book.h"

// TODO 1: predict. How many blocks of 16 x 16 threads does a picture of 100 x 50 pixels need?
int blocks_for_100_by_50 = 0;

__global__ void picture_kernel(unsigned char* gray, int width, int height) {
  // TODO 2: which x and which y are this thread's? Is this pixel in the picture?

  // TODO 3: compute the value, and write it to the pixel.
}

// gray is in device memory.
void draw(unsigned char* gray, int width, int height) {
  const dim3 threads(16, 16);
  // TODO 4: how many blocks in x and how many in y, so that each pixel has a thread?
  const dim3 blocks(1, 1);

  picture_kernel<<<blocks, threads>>>(gray, width, height);
  HANDLE_ERROR(cudaGetLastError());
}
