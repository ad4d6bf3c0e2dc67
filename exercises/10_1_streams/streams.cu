// exercise streams - two streams: what one copies can overlap with what the other computes.
//
// Chapter 10 of CUDA by Example, section 10.5. The work of a stream is done in the order in which
// it was submitted. Two streams do not wait for each other.
//
//   ./run try streams              PASS, or the first wrong element
//   ./run my_streams.cu -n 512     one size only, an even number
#include "book.h"

// TODO 1: predict. Each half of the array is copied in, computed, and copied out. Say that each of
// these takes 1 ms, and that the device can do one copy in, one kernel and one copy out at the same
// time. One stream takes 6 ms for both halves. How many do two streams take?
int ms_with_two_streams = 0;

__global__ void square_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

// out[i] = in[i] * in[i], for n elements; n is even. in and out are in page-locked memory of the
// host, data has room for n elements in device memory. The first half is the work of streams[0],
// the second half that of streams[1]; both are cudaStreamNonBlocking, so they do not wait for the
// default stream, either. The function returns without waiting: the caller waits. (The check also
// records the work with cudaStreamBeginCapture, and while it records, waiting is an error.)
void square(const int* in, int* out, int* data, int n, const cudaStream_t* streams) {
  // TODO 2: submit three operations for each half. Where does the half begin in in, data and out,
  // and how does each operation get its stream?
}
