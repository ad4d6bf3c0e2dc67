// Groups as programs pass them around: by the short type of a tile, by the type of any group; and
// values of more than 8 bytes from lane to lane.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <stdio.h>

namespace cg = cooperative_groups;

const int threads = 128;

struct Particle {
  double mass;
  int id;
  float position[3];
};

// Works for a block, a tile or whatever else is a group.
__device__ int sum_through_memory(cg::thread_group group, int* memory, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    memory[rank] = value;
    group.sync();
    if (rank < half) value += memory[rank + half];
    group.sync();
  }
  return value;
}

__global__ void any_group(int* out) {
  __shared__ int memory[threads];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
  cg::thread_group four = cg::tiled_partition(block, 4);
  const int all = sum_through_memory(block, memory, threadIdx.x);
  block.sync();
  const int sixteen = sum_through_memory(tile, memory + threadIdx.x / 16 * 16, 1);
  block.sync();
  const int quarter = sum_through_memory(four, memory + threadIdx.x / 4 * 4, 2);
  if (threadIdx.x == 0) out[0] = all + 10000 * sixteen + 1000000 * quarter;
}

__global__ void large_values(Particle* particles, int* sums) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const Particle mine = {
      threadIdx.x * 1.5, static_cast<int>(threadIdx.x), {0, 1, threadIdx.x * 2.0f}};
  particles[threadIdx.x] = warp.shfl_down(mine, 1);
  auto quad = cg::tiled_partition<4>(warp);
  sums[threadIdx.x] = cg::reduce(quad, static_cast<int>(threadIdx.x), cg::greater<int>()) +
                      1000 * cg::inclusive_scan(warp, 1) + 100000 * warp.meta_group_rank();
}

// Groups by an answer, exchanges by bits, and what a grid knows of itself.
__global__ void partitions(int* out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const cg::grid_group grid = cg::this_grid();
  const int i = threadIdx.x, lane = i % 32;
  const cg::coalesced_group halves = cg::binary_partition(warp, lane % 2 == 1);
  bool ok = halves.size() == 16 && halves.thread_rank() == lane / 2;
  ok = ok && warp.shfl_xor(i, 5) == (i ^ 5) && warp.shfl_up(i, 2) == (lane < 2 ? i : i - 2);
  ok = ok && warp.match_any(lane / 8) == 0xffu << lane / 8 * 8;
  ok = ok && cg::exclusive_scan(warp, lane) == lane * (lane - 1) / 2;
  ok = ok && cg::reduce(warp, 1u << lane, cg::bit_or<unsigned>()) == 0xffffffffu;
  ok = ok && cg::reduce(warp, lane + 4, cg::bit_and<int>()) == 0 &&
       cg::reduce(warp, lane, cg::less<int>()) == 0;
  ok = ok && cg::reduce(warp, 1u << lane, cg::bit_xor<unsigned>()) == 0xffffffffu;
  ok =
      ok && grid.num_blocks() == 2 && grid.block_rank() == blockIdx.x && grid.size() == 2 * threads;
  ok = ok && grid.thread_rank() == blockIdx.x * threads + i && grid.group_dim().x == 2;
  ok = ok && block.group_dim().x == threads && block.thread_index().x == i &&
       block.group_index().x == blockIdx.x;
  cg::sync(warp);
  atomicAdd(out, ok);
}

__global__ void copies(const int* in, int* out) {
  __shared__ int part[threads];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, part, in + blockIdx.x * threads, sizeof(int) * threads);
  cg::wait(block);
  out[blockIdx.x * threads + threadIdx.x] = part[threads - 1 - threadIdx.x];
}

int main() {
  bool ok = true;
  int *sums, host[2 * threads];
  Particle *particles, moved[threads];
  cudaMalloc(&sums, sizeof host);
  cudaMalloc(&particles, sizeof moved);

  any_group<<<1, threads>>>(sums);
  cudaMemcpy(host, sums, sizeof(int), cudaMemcpyDeviceToHost);
  ok = ok && host[0] == threads * (threads - 1) / 2 + 10000 * 16 + 1000000 * 8;

  large_values<<<1, threads>>>(particles, sums);
  cudaMemcpy(moved, particles, sizeof moved, cudaMemcpyDeviceToHost);
  cudaMemcpy(host, sums, sizeof(int) * threads, cudaMemcpyDeviceToHost);
  for (int i = 0; i < threads; ++i) {
    const int source = i % 32 == 31 ? i : i + 1;
    ok = ok && moved[i].mass == source * 1.5 && moved[i].id == source &&
         moved[i].position[2] == source * 2.0f;
    ok = ok && host[i] == i / 4 * 4 + 3 + 1000 * (i % 32 + 1) + 100000 * (i / 32);
  }

  int *from, *to, numbers[2 * threads];
  for (int i = 0; i < 2 * threads; ++i) numbers[i] = i * 3;
  cudaMalloc(&from, sizeof numbers);
  cudaMalloc(&to, sizeof numbers);
  cudaMemcpy(from, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  copies<<<2, threads>>>(from, to);
  cudaMemcpy(host, to, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2 * threads; ++i)
    ok = ok && host[i] == numbers[i / threads * threads + threads - 1 - i % threads];

  cudaMemset(sums, 0, sizeof(int));
  partitions<<<2, threads>>>(sums);
  cudaMemcpy(host, sums, sizeof(int), cudaMemcpyDeviceToHost);
  ok = ok && host[0] == 2 * threads;

  ok = ok && cudaGetLastError() == cudaSuccess;
  printf(ok ? "OK\n" : "WRONG\n");
  return ok ? 0 : 1;
}
