// Matrix products whose tiles come to shared memory by asynchronous copies: with
// cuda::pipeline of two stages, with a pipeline whose first warp only copies, with
// cuda::barrier, and with the C functions.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>
#include <vector>

constexpr int tile = 16, n = 96;  // n x n numbers
using Tile = float[tile][tile];

__device__ float row_times_column(const Tile& a, const Tile& b) {
  float sum = 0;
  for (int k = 0; k < tile; ++k) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
  return sum;
}

__device__ int a_index(int step) {
  return (blockIdx.y * tile + threadIdx.y) * n + step * tile + threadIdx.x;
}
__device__ int b_index(int step) {
  return (step * tile + threadIdx.y) * n + blockIdx.x * tile + threadIdx.x;
}

__global__ void by_pipeline(float* c, const float* a, const float* b) {
  __shared__ Tile as[2], bs[2];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const auto shape = cuda::aligned_size_t<alignof(float)>(sizeof(float));
  float sum = 0;
  for (int done = 0, asked = 0; done < n / tile; ++done) {
    for (; asked < n / tile && asked < done + 2; ++asked) {
      pipe.producer_acquire();
      cuda::memcpy_async(&as[asked % 2][threadIdx.y][threadIdx.x], &a[a_index(asked)], shape, pipe);
      cuda::memcpy_async(&bs[asked % 2][threadIdx.y][threadIdx.x], &b[b_index(asked)], shape, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += row_times_column(as[done % 2], bs[done % 2]);
    pipe.consumer_release();
  }
  c[(blockIdx.y * tile + threadIdx.y) * n + blockIdx.x * tile + threadIdx.x] = sum;
}

__global__ void by_barrier(float* c, const float* a, const float* b) {
  __shared__ Tile as, bs;
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  auto block = cooperative_groups::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  float sum = 0;
  for (int step = 0; step < n / tile; ++step) {
    cuda::memcpy_async(&as[threadIdx.y][threadIdx.x], &a[a_index(step)], sizeof(float), barrier);
    cuda::memcpy_async(&bs[threadIdx.y][threadIdx.x], &b[b_index(step)], sizeof(float), barrier);
    barrier.arrive_and_wait();
    sum += row_times_column(as, bs);
    barrier.arrive_and_wait();
  }
  c[(blockIdx.y * tile + threadIdx.y) * n + blockIdx.x * tile + threadIdx.x] = sum;
}

__global__ void by_functions(float* c, const float* a, const float* b) {
  __shared__ Tile as, bs;
  float sum = 0;
  for (int step = 0; step < n / tile; ++step) {
    __pipeline_memcpy_async(&as[threadIdx.y][threadIdx.x], &a[a_index(step)], sizeof(float));
    __pipeline_memcpy_async(&bs[threadIdx.y][threadIdx.x], &b[b_index(step)], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += row_times_column(as, bs);
    __syncthreads();
  }
  c[(blockIdx.y * tile + threadIdx.y) * n + blockIdx.x * tile + threadIdx.x] = sum;
}

// The first warp brings rows of 64 numbers, the second one sums them.
__global__ void by_two_warps(float* sums, const float* rows, int count) {
  constexpr int width = 64;
  __shared__ float stages[2][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  const auto role =
      block.thread_rank() < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  const int lane = block.thread_rank() % 32;
  for (int row = 0; row < count; ++row) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      for (int i = lane; i < width; i += 32)
        cuda::memcpy_async(&stages[row % 2][i], &rows[row * width + i], sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      float sum = stages[row % 2][lane] + stages[row % 2][lane + 32];
      for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
      if (lane == 0) sums[row] = sum;
      pipe.consumer_release();
    }
  }
}

int main() {
  std::vector<float> a(n * n), b(n * n), expected(n * n), got(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 13 - 6);
    b[i] = static_cast<float>(i % 7 - 3);
  }
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      for (int k = 0; k < n; ++k) expected[y * n + x] += a[y * n + k] * b[k * n + x];
  float *da, *db, *dc;
  cudaMalloc(&da, n * n * sizeof(float));
  cudaMalloc(&db, n * n * sizeof(float));
  cudaMalloc(&dc, n * n * sizeof(float));
  cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  bool ok = true;
  for (auto* kernel : {by_pipeline, by_barrier, by_functions}) {
    cudaMemset(dc, 0, n * n * sizeof(float));
    kernel<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(dc, da, db);
    cudaMemcpy(got.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    ok = ok && got == expected;
  }
  constexpr int rows = n * n / 64;
  by_two_warps<<<1, 64>>>(dc, da, rows);
  got.resize(rows);
  cudaMemcpy(got.data(), dc, rows * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int i = 0; i < 64; ++i) sum += a[row * 64 + i];
    ok = ok && got[row] == sum;
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n%s\n", cudaGetErrorString(error), ok && error == cudaSuccess ? "OK" : "WRONG");
}
