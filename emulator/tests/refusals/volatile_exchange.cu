// Lanes of a warp that exchange values through volatile shared memory: wrong without __syncwarp(),
// and ways to use such memory that are right. volatile_exchange.sh runs each kernel.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

// ---- wrong: as before Volta ----
__device__ void reduce_warp(volatile int* s, unsigned t) {
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void wrong_unrolled(int* out) {
  __shared__ int s[128];
  s[threadIdx.x] = s[threadIdx.x + 64] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) reduce_warp(s, threadIdx.x);
  if (threadIdx.x == 0) *out = s[0];
}
__global__ void wrong_loop(int* out) {
  extern __shared__ volatile int s[];
  const int t = threadIdx.x;
  s[t] = s[t + 64] = t;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2)
    if (t < d) s[t] = s[t] + s[t + d];
  if (t == 0) *out = s[0];
}
__global__ void wrong_variable(int* out) {
  __shared__ float shared[128];
  float sum = threadIdx.x;
  shared[threadIdx.x] = shared[threadIdx.x + 64] = sum;
  __syncthreads();
  volatile float* v = shared + threadIdx.x;
  sum += v[16];
  v[0] = sum;
  sum += v[8];
  v[0] = sum;
  *out = static_cast<int>(sum);
}
__global__ void wrong_scan(int* out) {
  __shared__ volatile int rows[2][32];
  const int lane = threadIdx.x % 32;
  const int row = threadIdx.x / 32;
  rows[row][lane] = lane;
  __syncthreads();
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d) rows[row][lane] += rows[row][lane - d];
  *out = rows[row][31];
}
__global__ void wrong_neighbors(int* out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// ---- right ----
__global__ void right_syncwarp(int* out) {
  __shared__ volatile int s[128];
  const int t = threadIdx.x;
  s[t] = s[t + 64] = t;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) {
    const int sum = s[t] + s[t + d];
    __syncwarp();
    s[t] = sum;
    __syncwarp();
  }
  if (t == 0) *out = s[0];
}
__global__ void right_tile(int* out) {
  __shared__ volatile int s[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  s[threadIdx.x] = threadIdx.x;
  tile.sync();
  const int other = s[threadIdx.x ^ 5];
  tile.sync();
  s[threadIdx.x] = other;
  tile.sync();
  out[threadIdx.x] = s[threadIdx.x ^ 3];
}
__global__ void right_barriers(int* out) {
  __shared__ volatile int s[128];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) *out = s[0];
}
__global__ void right_own_element(int* out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < 10; ++i) s[threadIdx.x] += i;
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void right_one_lane(int* out) {
  __shared__ volatile int s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 3)
    for (int i = 1; i < 64; ++i) s[i] += s[i - 1];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void right_flags(int* out) {  // each lane waits for the one before it
  __shared__ volatile int value[64], ready[64];
  const int t = threadIdx.x;
  ready[t] = t == 0;
  value[t] = 0;
  __syncthreads();
  while (ready[t] == 0)
    ;
  __threadfence_block();
  if (t < 63) value[t + 1] = value[t] + 1;
  __threadfence_block();
  if (t < 63) ready[t + 1] = 1;
  *out = value[t];
}
__global__ void right_lock(int* out) {
  __shared__ volatile int s[64];
  __shared__ int mutex;
  s[threadIdx.x] = mutex = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&mutex, 0, 1) != 0) continue;
    __threadfence_block();
    s[threadIdx.x] = s[threadIdx.x ^ 1] + 1;
    __threadfence_block();
    atomicExch(&mutex, 0);
    done = true;
  }
  *out = s[0];
}
__global__ void right_last_thread(int* out) {
  __shared__ volatile int s[64];
  __shared__ int tickets;
  tickets = 0;
  __syncthreads();
  s[threadIdx.x] = threadIdx.x;
  __threadfence_block();
  if (atomicAdd(&tickets, 1) < 63) return;
  __threadfence_block();
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += s[i];
  *out = sum;
}
__global__ void right_found(int* out) {  // it does not matter who sees the flag
  __shared__ volatile bool found[2];
  found[threadIdx.x / 32] = false;
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    if (!found[threadIdx.x / 32] && threadIdx.x % 8 == 5) found[threadIdx.x / 32] = true;
  __syncthreads();
  *out = found[0];
}
__global__ void right_in_global_memory(int* out) {
  volatile int* v = out;
  v[threadIdx.x] = threadIdx.x;
  v[threadIdx.x] = v[threadIdx.x] + 1;
}

int main(int, char** arguments) {
  int* out = nullptr;
  cudaMalloc(&out, 64 * sizeof(int));
#define RUN(kernel) \
  if (std::strcmp(arguments[1], #kernel) == 0) kernel<<<2, 64, 128 * sizeof(int)>>>(out)
  RUN(wrong_unrolled);
  RUN(wrong_loop);
  RUN(wrong_variable);
  RUN(wrong_scan);
  RUN(wrong_neighbors);
  RUN(right_syncwarp);
  RUN(right_tile);
  RUN(right_barriers);
  RUN(right_own_element);
  RUN(right_one_lane);
  RUN(right_flags);
  RUN(right_lock);
  RUN(right_last_thread);
  RUN(right_found);
  RUN(right_in_global_memory);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(out);
}
