// A number that stands for all cells of the plate: for plates that no CPU reference can follow, and for checkpoints.
#pragma once

#include "part.cuh"

/// Adds to `sum` a number for each own cell that depends on its bits and its place in the plate. One thread per
/// column, rows in turn by block; the sum does not depend on how the plate is split. Mixing as in splitmix64 (Steele,
/// Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
__global__ void checksum_kernel(unsigned long long* sum, const float* grid, Slab slab, int begin, int end) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= slab.width) return;
  unsigned long long mine = 0;
  for (int y = begin + static_cast<int>(blockIdx.y); y < end; y += gridDim.y) {
    const unsigned long long place = static_cast<unsigned long long>(slab.first_row + y) * slab.width + x;
    unsigned long long z = __float_as_uint(grid[x + y * slab.pitch]) + 0x9e3779b97f4a7c15ull * (place + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    mine += z ^ z >> 31;
  }
  atomicAdd(sum, mine);
}

/// The checksum of the whole plate, the same on all ranks.
inline unsigned long long checksum(const Part& part, Team& team) {
  const DeviceMemory<unsigned long long> sum(1);
  HANDLE_ERROR(cudaMemset(sum.get(), 0, sum.bytes()));
  const dim3 blocks(div_up(part.slab.width, 256), std::min(part.own(), 256));
  checksum_kernel<<<blocks, 256>>>(sum.get(), part.in(), part.slab, part.begin, part.end);
  HANDLE_ERROR(cudaGetLastError());
  unsigned long long mine = 0, all = 0;
  HANDLE_ERROR(cudaMemcpy(&mine, sum.get(), sizeof mine, cudaMemcpyDeviceToHost));
  for (const unsigned long long one : team.from_all(mine)) all += one;
  return all;
}
