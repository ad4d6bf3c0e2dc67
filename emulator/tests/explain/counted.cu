// What emulated::counted() returns: the requests of each kind, their cost, and the least that would
// do. The program ends with 1 if a number is another one.
#include <cstdio>

__global__ void copy_every_eighth(const int* in, int* out) {
  __shared__ int word[1024];
  word[32 * threadIdx.x] = in[threadIdx.x];  // 4 sectors; 32 wavefronts
  __syncthreads();
  out[8 * threadIdx.x] = word[32 * threadIdx.x];  // 32 sectors
}

static int wrong = 0;

static void expect(const char* kind, unsigned requests, unsigned cost, unsigned least) {
  const emulated::Counted got = emulated::counted(kind);
  std::printf("%s: %llu requests, cost %llu, at least %llu\n", kind, got.requests, got.cost,
              got.least);
  if (got.requests != requests || got.cost != cost || got.least != least) ++wrong;
}

int main() {
  int* in = nullptr;
  int* out = nullptr;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  expect("load global", 0, 0, 0);
  for (unsigned launches = 1; launches <= 2; ++launches) {
    copy_every_eighth<<<1, 32>>>(in, out);
    cudaDeviceSynchronize();
    expect("load global", launches, launches * 4, launches * 4);
    expect("store global", launches, launches * 32, launches * 4);
    expect("store shared", launches, launches * 32, launches);
    expect("load shared", launches, launches * 32, launches);
    expect("texture", 0, 0, 0);
  }
  cudaFree(in);
  cudaFree(out);
  return wrong != 0;
}
