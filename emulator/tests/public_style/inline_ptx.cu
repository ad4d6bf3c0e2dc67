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
  const bool right =
      __popc(below) == threadIdx.x % 32 && product == -7 && shifted == 0 && loaded == 2.5f && time > 0;
  const unsigned result =
      lane_id() + 100 * highest_bit(threadIdx.x + 1) + 10000 * plus_two(3.7f) + 1000000 * right;
  asm volatile("st.global.u32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(result) : "memory");
}

// 96-bit numbers: carries and borrows go from one instruction to the next.
__global__ void carries(unsigned* out, unsigned long long* wide) {
  const unsigned a[3] = {0xfffffffeu, 0xffffffffu, 7}, b = 3 + threadIdx.x;
  asm("add.cc.u32 %0, %1, %2;" : "=r"(out[0]) : "r"(a[0]), "r"(b));
  asm("addc.cc.u32 %0, %1, 0;" : "=r"(out[1]) : "r"(a[1]));
  asm("addc.u32 %0, %1, 0;" : "=r"(out[2]) : "r"(a[2]));
  asm("sub.cc.u32 %0, %3, %4;\n\tsubc.cc.u32 %1, %5, 0;\n\tsubc.u32 %2, 0, 0;"
      : "=r"(out[3]), "=r"(out[4]), "=r"(out[5])
      : "r"(1), "r"(b), "r"(0));
  asm("mad.lo.cc.u32 %0, %2, %3, %4;\n\tmadc.hi.u32 %1, %2, %3, 0;"
      : "=r"(out[6]), "=r"(out[7])
      : "r"(a[0]), "r"(a[1]), "r"(a[1]));
  asm("add.cc.u64 %0, %2, %2;\n\taddc.u64 %1, 0, 0;" : "=l"(wide[0]), "=l"(wide[1]) : "l"(1ull << 63));
  asm("mul.hi.u64 %0, %1, %1;" : "=l"(wide[2]) : "l"(~0ull));
  asm("prmt.b32 %0, %1, %2, 0x9170;" : "=r"(out[8]) : "r"(0x44332280u), "r"(0x88776655u));
  asm("shf.l.wrap.b32 %0, %1, %2, 36;" : "=r"(out[9]) : "r"(0x12345678u), "r"(0x9abcdef0u));
}

bool carried() {
  unsigned* out;
  unsigned long long* wide;
  cudaMallocManaged(&out, 10 * sizeof *out);
  cudaMallocManaged(&wide, 3 * sizeof *wide);
  carries<<<1, 1>>>(out, wide);
  cudaDeviceSynchronize();
  const unsigned long long product = 0xfffffffeull * 0xffffffffull + 0xffffffffull;
  const unsigned expected[10] = {1,
                                 0,
                                 8,
                                 0xfffffffeu,
                                 0xffffffffu,
                                 0xffffffffu,
                                 static_cast<unsigned>(product),
                                 static_cast<unsigned>(product >> 32),
                                 0x00228880u,
                                 0xabcdef01u};
  bool ok = wide[0] == 0 && wide[1] == 1 && wide[2] == ~1ull;
  for (int i = 0; i < 10; ++i) {
    if (out[i] != expected[i]) printf("carries[%d] is %x, not %x\n", i, out[i], expected[i]);
    ok = ok && out[i] == expected[i];
  }
  return ok;
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
  bool ok = carried() && cudaGetLastError() == cudaSuccess;
  for (unsigned i = 0; i < 64; ++i) {
    unsigned bit = 0;
    while ((i + 1) >> (bit + 1)) ++bit;
    ok = ok && host[i] == i % 32 + 100 * bit + 50000 + 1000000;
  }
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
