// Reductions and scans of the years before Volta, when the lanes of a warp ran in step: volatile
// shared memory, and no barrier within a warp.
#include <stdio.h>

__device__ void end_of_sum(volatile int* sums, int t) {
  sums[t] += sums[t + 32];
  sums[t] += sums[t + 16];
  sums[t] += sums[t + 8];
  sums[t] += sums[t + 4];
  sums[t] += sums[t + 2];
  sums[t] += sums[t + 1];
}

__global__ void sum(const int* in, int* out) {
  __shared__ int sums[256];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int s = 128; s > 32; s /= 2) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t < 32) end_of_sum(sums, t);
  if (t == 0) out[blockIdx.x] = sums[0];
}

// An inclusive scan of each warp; each lane returns the sum before it.
template <class T>
__device__ T scan_of_warp(volatile T* s, int i) {
  const int lane = i % 32;
  if (lane >= 1) s[i] = s[i - 1] + s[i];
  if (lane >= 2) s[i] = s[i - 2] + s[i];
  if (lane >= 4) s[i] = s[i - 4] + s[i];
  if (lane >= 8) s[i] = s[i - 8] + s[i];
  if (lane >= 16) s[i] = s[i - 16] + s[i];
  return lane > 0 ? s[i - 1] : T(0);
}

__global__ void scan(const int* in, int* out) {
  __shared__ int s[128];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = scan_of_warp<int>(s, threadIdx.x);
}

// As in NVIDIA's scan: zeros before each warp's numbers, which other lanes write.
__device__ int scan_with_zeros(int value, volatile int* s) {
  int i = 2 * threadIdx.x - (threadIdx.x & 31);
  s[i] = 0;
  i += 32;
  s[i] = value;
  for (int distance = 1; distance < 32; distance <<= 1) s[i] += s[i - distance];
  return s[i];
}
__global__ void scan_zeros(const int* in, int* out) {
  __shared__ int s[256];
  out[threadIdx.x] = scan_with_zeros(in[threadIdx.x], s);
}

// As in NVIDIA's reduction: the running maximum in a variable, too.
__global__ void maximum(const float* in, float* out) {
  __shared__ volatile float s[64];
  const int t = threadIdx.x;
  float mine = s[t] = in[t];
  __syncthreads();
  if (t < 32) {
    s[t] = mine = fmaxf(mine, s[t + 32]);
    s[t] = mine = fmaxf(mine, s[t + 16]);
    s[t] = mine = fmaxf(mine, s[t + 8]);
    s[t] = mine = fmaxf(mine, s[t + 4]);
    s[t] = mine = fmaxf(mine, s[t + 2]);
    s[t] = mine = fmaxf(mine, s[t + 1]);
  }
  if (t == 0) *out = s[0];
}

int main() {
  const int blocks = 4, n = 256 * blocks;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i % 100;
  bool ok = true;
  sum<<<blocks, 256>>>(in, out);
  cudaDeviceSynchronize();
  for (int b = 0; b < blocks; ++b) {
    int expected = 0;
    for (int i = 0; i < 256; ++i) expected += in[b * 256 + i];
    ok = ok && out[b] == expected;
  }
  scan<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, before = 0; i < 128; ++i) {
    if (i % 32 == 0) before = 0;
    ok = ok && out[i] == before;
    before += in[i];
  }
  scan_zeros<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, sum = 0; i < 128; ++i) {
    sum = in[i] + (i % 32 == 0 ? 0 : sum);
    ok = ok && out[i] == sum;
  }
  float *values, *largest;
  cudaMallocManaged(&values, 64 * sizeof(float));
  cudaMallocManaged(&largest, sizeof(float));
  for (int i = 0; i < 64; ++i) values[i] = static_cast<float>(i * 37 % 64);
  maximum<<<1, 64>>>(values, largest);
  ok = cudaDeviceSynchronize() == cudaSuccess && ok && *largest == 63;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
