// Reductions and scans of the years before Volta, as NVIDIA's samples and courses wrote them.
#include <stdio.h>
template <unsigned int blockSize>
__device__ void warpReduce(volatile int* sdata, unsigned int tid) {
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}
template <unsigned int blockSize>
__global__ void reduce6(int* g_idata, int* g_odata, unsigned int n) {
  extern __shared__ int sdata[];
  unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid,
               gridSize = blockSize * 2 * gridDim.x;
  sdata[tid] = 0;
  while (i < n) {
    sdata[tid] += g_idata[i] + (i + blockSize < n ? g_idata[i + blockSize] : 0);
    i += gridSize;
  }
  __syncthreads();
  if (blockSize >= 512) {
    if (tid < 256) {
      sdata[tid] += sdata[tid + 256];
    }
    __syncthreads();
  }
  if (blockSize >= 256) {
    if (tid < 128) {
      sdata[tid] += sdata[tid + 128];
    }
    __syncthreads();
  }
  if (blockSize >= 128) {
    if (tid < 64) {
      sdata[tid] += sdata[tid + 64];
    }
    __syncthreads();
  }
  if (tid < 32) warpReduce<blockSize>(sdata, tid);
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
__global__ void sdk(float* in, float* out) {  // NVIDIA's reduction sample with mySum
  __shared__ float sdata[128];
  unsigned tid = threadIdx.x;
  float mySum = in[tid];
  sdata[tid] = mySum;
  __syncthreads();
  if (tid < 64) {
    sdata[tid] = mySum = mySum + sdata[tid + 64];
  }
  __syncthreads();
  if (tid < 32) {
    volatile float* smem = sdata;
    { smem[tid] = mySum = mySum + smem[tid + 32]; }
    { smem[tid] = mySum = mySum + smem[tid + 16]; }
    smem[tid] = mySum = mySum + smem[tid + 8];
    smem[tid] = mySum = mySum + smem[tid + 4];
    smem[tid] = mySum = mySum + smem[tid + 2];
    smem[tid] = mySum = mySum + smem[tid + 1];
  }
  if (tid == 0) out[0] = sdata[0];
}
struct Op {
  __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};
template <class T, class F>
__device__ T warp_scan(volatile T* ptr, const unsigned idx, F f) {
  const unsigned lane = idx & 31;
  if (lane >= 1) ptr[idx] = f(ptr[idx - 1], ptr[idx]);
  if (lane >= 2) ptr[idx] = f(ptr[idx - 2], ptr[idx]);
  if (lane >= 4) ptr[idx] = f(ptr[idx - 4], ptr[idx]);
  if (lane >= 8) ptr[idx] = f(ptr[idx - 8], ptr[idx]);
  if (lane >= 16) ptr[idx] = f(ptr[idx - 16], ptr[idx]);
  return ptr[idx];
}
__global__ void block_scan(int* in, int* out) {
  __shared__ int s[256];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  int v = warp_scan<int>(s, t, Op());
  __syncthreads();
  if ((t & 31) == 31) s[t >> 5] = v;
  __syncthreads();
  if (t < 32) warp_scan<int>(s, t, Op());
  __syncthreads();
  if (t >= 32) v = max(v, s[(t >> 5) - 1]);
  out[t] = v;
}
__global__ void correct(int* in, int* out) {
  __shared__ volatile int v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  __syncthreads();
  if (t < 32) {
    int x = v[t];
    x += v[t + 32];
    __syncwarp();
    v[t] = x;
    __syncwarp();
    for (int d = 16; d; d /= 2) {
      x += v[t + d];
      __syncwarp();
      v[t] = x;
      __syncwarp();
    }
  }
  if (t == 0) *out = v[0];
}
__global__ void early(int* in, int* out) {
  __shared__ volatile int v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  __syncthreads();
  if (t >= 32) return;
  for (int d = 32; d; d >>= 1) {
    int y = v[t + d];
    v[t] += y;
    if (t >= d) return;
  }
  if (!t) *out = v[0];
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
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 4096);
  cudaMallocManaged(&out, 4096);
  float *fi, *fo;
  cudaMallocManaged(&fi, 512);
  cudaMallocManaged(&fo, 4);
  int sum = 0, s64 = 0;
  for (int i = 0; i < 1024; ++i) {
    in[i] = i * 7919 % 97;
    sum += in[i];
    if (i < 64) s64 += in[i];
  }
  float fs = 0;
  for (int i = 0; i < 128; ++i) {
    fi[i] = i;
    fs += i;
  }
  bool ok = true;
#define C(x)                                          \
  cudaDeviceSynchronize();                            \
  if (!(x)) {                                         \
    ok = false;                                       \
    printf("%d: %s, out %d\n", __LINE__, #x, out[0]); \
  }
  reduce6<128><<<1, 128, 512>>>(in, out, 1024);
  C(out[0] == sum)
  reduce6<64><<<1, 64, 512>>>(in, out, 1024);
  C(out[0] == sum)
  sdk<<<1, 128>>>(fi, fo);
  C(*fo == fs)
  block_scan<<<1, 256>>>(in, out);
  int m = 0;
  bool good = true;
  cudaDeviceSynchronize();
  for (int i = 0; i < 256; ++i) {
    m = max(m, in[i]);
    good = good && out[i] == m;
  }
  C(good)
  scan_zeros<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0, before = 0; i < 128; ++i) {
    if (i % 32 == 0) before = 0;
    before += in[i];
    good = good && out[i] == before;
  }
  C(good)
  correct<<<1, 64>>>(in, out);
  C(out[0] == s64)
  early<<<1, 64>>>(in, out);
  C(out[0] == s64)
  printf(ok ? "OK\n" : "WRONG\n");
}
