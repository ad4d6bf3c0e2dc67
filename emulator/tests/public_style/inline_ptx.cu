// The inline PTX of introductory programs.
#include <stdio.h>

__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ unsigned highest_bit(unsigned x) {
  unsigned position;
  asm("bfind.u32 %0, %1;" : "=r"(position) : "r"(x));
  return position;
}

template <class T>
__device__ unsigned plus_two(T x) {
  unsigned sum;
  asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"((unsigned)x), "r"(2));
  return sum;
}

__global__ void instructions(unsigned* out, const float* in) {
  unsigned below, shifted;
  int product;
  float loaded;
  unsigned long long time;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(product) : "r"(-3), "r"(4), "r"(5));
  asm("shl.b32 %0, %1, %2;" : "=r"(shifted) : "r"(1u), "r"(33u));
  asm volatile("ld.global.cg.f32 %0, [%1+4];" : "=f"(loaded) : "l"(in) : "memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("" ::: "memory");
  const bool right = __popc(below) == threadIdx.x % 32 && product == -7 && shifted == 0 &&
                     loaded == 2.5f && time > 0;
  const unsigned result =
      lane_id() + 100 * highest_bit(threadIdx.x + 1) + 10000 * plus_two(3.7f) + 1000000 * right;
  asm volatile("st.global.u32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(result) : "memory");
}

int main() {
  const float values[2] = {1.5f, 2.5f};
  float* in;
  unsigned host[64], *out;
  cudaMalloc(&in, sizeof values);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
  instructions<<<1, 64>>>(out, in);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool ok = cudaGetLastError() == cudaSuccess;
  for (unsigned i = 0; i < 64; ++i) {
    unsigned bit = 0;
    while ((i + 1) >> (bit + 1)) ++bit;
    ok = ok && host[i] == i % 32 + 100 * bit + 50000 + 1000000;
  }
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
