// Threads that wait for each other on volatile shared memory.
#include <stdio.h>
// warps that hand numbers to each other through volatile shared memory
__global__ void ring(int* out, int rounds) {
  __shared__ volatile int full, item;
  int t = threadIdx.x;
  if (t == 0) full = 0;
  __syncthreads();
  if (t == 0) {
    for (int i = 0; i < rounds; ++i) {
      while (full)
        ;
      item = i;
      __threadfence_block();
      full = 1;
    }
  } else if (t == 32) {
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
      while (!full)
        ;
      sum += item;
      __threadfence_block();
      full = 0;
    }
    *out = sum;
  }
  __syncthreads();
}
// waiting lanes in many warps
__global__ void signal(int* out) {
  __shared__ volatile int flag[8];
  int t = threadIdx.x, w = t / 32;
  if (t < 8) flag[t] = 0;
  __syncthreads();
  if (w > 0) {
    while (flag[w - 1] == 0)
      ;
  }
  if (t % 32 == 0) flag[w] = flag[w ? w - 1 : 0] + 1;
  __syncthreads();
  if (t == 0) *out = flag[7];
}
__global__ void lock(int* out) {
  __shared__ int mutex;
  __shared__ volatile int count;
  int t = threadIdx.x;
  if (t == 0) mutex = count = 0;
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&mutex, 0, 1) == 0) {
      count = count + 1;
      __threadfence_block();
      done = true;
      atomicExch(&mutex, 0);
    }
  }
  __syncthreads();
  if (t == 0) *out = count;
}
// lanes of one warp: some wait for the other, for(;;) with a break
__global__ void lanes(int* out) {
  __shared__ volatile int ready;
  int t = threadIdx.x;
  ready = 0;
  __syncthreads();
  if (t == 5)
    ready = 7;
  else
    for (;;) {
      if (ready) break;
      __nanosleep(10);
    }
  out[t] = ready;
}
__global__ void mask2(unsigned* out) {
  __shared__ volatile int flag;
  int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t >= 32) {
    while (flag == 0)
      ;
  } else if (t < 7) {
    unsigned m = __activemask();
    if (t == 0) {
      flag = 1;
      *out = m;
    }
  }
}
// two blocks
__global__ void global_flag(volatile int* f, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    f[1] = 42;
    __threadfence();
    f[0] = 1;
  }
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (f[0] == 0)
      ;
    *out = f[1];
  }
}
int main() {
  int* d;
  cudaMallocManaged(&d, 256 * 4);
  bool ok = true;
#define T(what, cond)               \
  cudaDeviceSynchronize();          \
  if (!(cond)) {                    \
    ok = false;                     \
    printf("%s: %d\n", what, d[0]); \
  }
  ring<<<1, 64>>>(d, 10000);
  T("ring", d[0] == 49995000)
  ring<<<4, 1024>>>(d, 1000);
  T("ring", d[0] == 499500)
  signal<<<1, 256>>>(d);
  T("signal", d[0] == 8)
  lock<<<1, 256>>>(d);
  T("lock", d[0] == 256)
  lanes<<<1, 32>>>(d);
  T("lanes", d[0] == 7 && d[31] == 7)
  mask2<<<1, 128>>>((unsigned*)d);
  T("mask2", d[0] == 127)
  d[0] = d[1] = 0;
  global_flag<<<2, 64>>>(d, d + 5);
  T("global", d[5] == 42)
  printf(ok ? "OK\n" : "WRONG\n");
}
