// Lock step as old programs wrote it: volatile shared memory by all names and in all forms, no
// barrier within a warp, and lanes that take different ways. Each kernel sums 32 numbers.
#include <stdio.h>
typedef volatile int vint;
using vfloat = volatile float;
#define STEP(d) v[t] += v[t + d]
#define WARP_SUM(a, i) \
  a[i] += a[i + 16];   \
  a[i] += a[i + 8];    \
  a[i] += a[i + 4];    \
  a[i] += a[i + 2];    \
  a[i] += a[i + 1]
__global__ void k_typedef(int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  vint* v = s;
  for (int d = 16; d; d >>= 1) {
    int r = v[t + d];
    v[t] = v[t] + r;
  }
  if (t == 0) *out = v[0];
}
__global__ void k_using(int* in, int* out) {
  __shared__ vfloat v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  v[t + 32] = 0;
  float r = v[t];
  for (int d = 16; d; d >>= 1) {
    r += v[t + d];
    v[t] = r;
  }
  if (t == 0) *out = v[0];
}
__global__ void k_macro(int* in, int* out) {
  __shared__ volatile int v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  v[t + 32] = 0;
  STEP(16);
  STEP(8);
  STEP(4);
  STEP(2);
  STEP(1);
  if (t == 0) *out = v[0];
}
__global__ void k_macro2(int* in, int* out) {
  volatile __shared__ int v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  v[t + 32] = 0;
  WARP_SUM(v, t);
  if (t == 0) *out = v[0];
}
__global__ void k_cast(int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  ((volatile int*)s)[t] = in[t];
  ((volatile int*)s)[t + 32] = 0;
  for (int d = 16; d; d >>= 1) {
    int r = ((volatile int*)s)[t] + ((volatile int*)s)[t + d];
    ((volatile int*)s)[t] = r;
  }
  if (t == 0) *out = s[0];
}
__global__ void k_cast2(int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  *(volatile int*)&s[t] = in[t];
  *(volatile int*)&s[t + 32] = 0;
  for (int d = 16; d; d >>= 1) {
    int r = *(volatile int*)(s + t) + *(volatile int*)(s + t + d);
    *(volatile int*)(s + t) = r;
  }
  if (t == 0) *out = s[0];
}
__global__ void k_deref(int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  volatile int* p = s + t;
  *p = in[t];
  *(p + 32) = 0;
  for (int d = 16; d; d >>= 1) {
    int r = *p + *(p + d);
    *p = r;
  }
  if (t == 0) *out = s[0];
}
struct Warp {
  volatile int* s;
  int t;
  __device__ void step(int d) {
    int r = s[t] + s[t + d];
    s[t] = r;
  }
  __device__ void sum() {
    step(16);
    step(8);
    step(4);
    step(2);
    step(1);
  }
};
__global__ void k_member(int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  Warp w{s, t};
  w.s[t] = in[t];
  w.s[t + 32] = 0;
  w.sum();
  if (t == 0) *out = s[0];
}
__global__ void k_auto(int* in, int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  auto v = (volatile int*)s;
  v[t] = in[t];
  v[t + 32] = 0;
  for (int d = 16; d; d >>= 1) {
    int r = v[t + d];
    v[t] += r;
  }
  if (t == 0) *out = v[0];
}
__global__ void k_if(int* in, int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  volatile int* v = s;
  if (t < 16) v[t] += v[t + 16];
  if (t < 8) v[t] += v[t + 8];
  if (t < 4) v[t] += v[t + 4];
  if (t < 2) v[t] += v[t + 2];
  if (t < 1) v[t] += v[t + 1];
  if (t == 0) *out = v[0];
}
__global__ void k_if2(int* in, int* out) {
  __shared__ volatile int v[32];
  int t = threadIdx.x;
  v[t] = in[t];
  for (int d = 1; d < 32; d *= 2) {
    if (t % (2 * d) == 0) {
      int o = v[t + d];
      v[t] = v[t] + o;
    }
  }
  if (t == 0) *out = v[0];
}
__global__ void k_continue(int* in, int* out) {
  __shared__ volatile int v[32];
  int t = threadIdx.x;
  v[t] = in[t];
  for (int d = 1; d < 32; d *= 2) {
    if (t < d) continue;
    int o = v[t - d];
    v[t] = v[t] + o;
  }
  if (t == 31) *out = v[31];
}
// Blelloch: every lane takes another way each time
__global__ void k_blelloch(int* in, int* out) {
  __shared__ volatile int v[32];
  int t = threadIdx.x;
  v[t] = in[t];
  for (int d = 1; d < 32; d *= 2)
    if ((t + 1) % (2 * d) == 0) v[t] += v[t - d];
  int total = v[31];
  if (t == 31) v[31] = 0;
  for (int d = 16; d > 0; d /= 2)
    if ((t + 1) % (2 * d) == 0) {
      int x = v[t - d];
      v[t - d] = v[t];
      v[t] += x;
    }
  if (t == 31) *out = v[31] + in[31];
  (void)total;
}
__global__ void k_bitonic(int* in, int* out) {
  __shared__ volatile int v[32];
  int t = threadIdx.x;
  v[t] = in[t] * 7919 % 101;
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        bool up = (t & k) == 0;
        int a = v[t], b = v[p];
        if ((a > b) == up) {
          v[t] = b;
          v[p] = a;
        }
      }
    }
  int bad = 0;
  if (t < 31 && v[t] > v[t + 1]) bad = 1;
  volatile __shared__ int any;
  any = 0;
  if (bad) any = 1;
  if (t == 0) {
    *out = any ? -1 : 0;
    for (int i = 0; i < 32; ++i) *out += in[i];
  }
}
__global__ void k_vote(int* in, int* out) {
  __shared__ volatile int flag;
  int t = threadIdx.x, n = 0;
  for (int round = 0; round < 10; ++round) {
    flag = 0;
    if (t == round * 3) flag = 1;
    if (flag) ++n;
  }
  __shared__ volatile int v[32];
  v[t] = n;
  if (t == 0) {
    int ok = 1;
    for (int i = 0; i < 32; ++i) ok &= v[i] == 10;
    *out = 0;
    if (ok)
      for (int i = 0; i < 32; ++i) *out += in[i];
  }
}
__global__ void k_2d(int* in, int* out) {
  __shared__ volatile int v[4][65];
  int t = threadIdx.x % 32, w = threadIdx.x / 32;
  v[w][t] = in[t];
  v[w][t + 32] = 0;
  for (int d = 16; d; d /= 2) {
    int o = v[w][t + d];
    v[w][t] += o;
  }
  if (threadIdx.x == 0) *out = v[0][0];
}
// else branch
__global__ void k_else(int* in, int* out) {
  __shared__ volatile int v[32];
  int t = threadIdx.x;
  v[t] = in[t];
  for (int d = 16; d; d /= 2)
    if (t >= d)
      v[t] = v[t];
    else
      v[t] = v[t] + v[t + d];
  if (t == 0) *out = v[0];
}
// the same element written by all: one of them wins
__global__ void k_lost(int* in, int* out) {
  __shared__ volatile int c;
  int t = threadIdx.x;
  c = 0;
  c += 1;
  c++;
  if (t == 0) {
    *out = c == 2 ? 0 : -1000;
    for (int i = 0; i < 32; ++i) *out += in[i];
  }
}
// rotate through a register
__global__ void k_rotate(int* in, int* out) {
  __shared__ volatile int v[32];
  int t = threadIdx.x, sum = 0;
  v[t] = in[t];
  for (int i = 0; i < 32; ++i) {
    int x = v[(t + 1) % 32];
    v[t] = x;
    sum += x;
  }
  if (t == 0) *out = sum;
}
// while loop that runs for different numbers of rounds
__global__ void k_while(int* in, int* out) {
  __shared__ volatile int v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  v[t + 32] = 0;
  int d = 16;
  while (d > 0 && t < d) {
    int o = v[t + d];
    v[t] = v[t] + o;
    d >>= 1;
  }
  if (t == 0) *out = v[0];
}
template <int D>
__device__ inline void pass(volatile int* v, int t) {
  if constexpr (D > 0) {
    int o = v[t + D];
    v[t] = v[t] + o;
    pass<D / 2>(v, t);
  }
}
__global__ void k_template(int* in, int* out) {
  __shared__ int v[64];
  int t = threadIdx.x;
  v[t] = in[t];
  v[t + 32] = 0;
  pass<16>(v, t);
  if (t == 0) *out = v[0];
}
extern __shared__ volatile int dyn[];
__global__ void k_dynamic(int* in, int* out) {
  int t = threadIdx.x;
  dyn[t] = in[t];
  dyn[t + 32] = 0;
  for (int d = 16; d; d /= 2) {
    int o = dyn[t + d];
    dyn[t] += o;
  }
  if (t == 0) *out = dyn[0];
}
int main() {
  int *in, *out;
  cudaMallocManaged(&in, 32 * 4);
  cudaMallocManaged(&out, 4);
  int sum = 0;
  for (int i = 0; i < 32; ++i) sum += in[i] = i * 37 % 64 + 1;
  int bad = 0;
#define RUN(k)                                      \
  *out = -1;                                        \
  k<<<1, 32, 1024>>>(in, out);                      \
  cudaDeviceSynchronize();                          \
  if (*out != sum) {                                \
    ++bad;                                          \
    printf("%s: %d, expected %d\n", #k, *out, sum); \
  }
  RUN(k_typedef);
  RUN(k_using);
  RUN(k_macro);
  RUN(k_macro2);
  RUN(k_cast);
  RUN(k_cast2);
  RUN(k_deref);
  RUN(k_member);
  RUN(k_auto);
  RUN(k_if);
  RUN(k_if2);
  RUN(k_continue);
  RUN(k_blelloch);
  RUN(k_bitonic);
  RUN(k_vote);
  RUN(k_else);
  RUN(k_lost);
  RUN(k_while);
  RUN(k_template);
  RUN(k_dynamic);
  *out = -1;
  k_2d<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  if (*out != sum) {
    ++bad;
    printf("k_2d: %d\n", *out);
  }
  *out = -1;
  k_rotate<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  int expected = 0;
  {
    int v[32], w[32];
    for (int i = 0; i < 32; ++i) v[i] = in[i];
    for (int r = 0; r < 32; ++r) {
      for (int i = 0; i < 32; ++i) w[i] = v[(i + 1) % 32];
      expected += w[0];
      for (int i = 0; i < 32; ++i) v[i] = w[i];
    }
  }
  if (*out != expected) {
    ++bad;
    printf("k_rotate: %d expected %d\n", *out, expected);
  }
  printf(bad ? "WRONG\n" : "OK\n");
  return bad;
}
