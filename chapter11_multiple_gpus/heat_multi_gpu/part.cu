// The kernels of a part: its start, a march over some of its rows, and the checksum.
#include <algorithm>
#include <cmath>

#include "../../chapter07_texture_memory/heat_common.h"
#include "march.cuh"
#include "part.cuh"
#include "team.h"

namespace heat_multi_gpu {

// The plate at its start. One thread per column; blocks stride over the rows.
__global__ void start_kernel(float* grid, float* sources, int dim, size_t pitch, int first_row,
                             int rows) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= dim) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) {
    grid[x + y * pitch] = start_at(x, first_row + y, dim);
    sources[x + y * pitch] = source_at(x, first_row + y, dim);
  }
}

// Adds to `sum` a number for each own cell that depends on its bits and its place in the plate. One
// thread per column, rows in turn by block. Mixing: splitmix64 (Steele, Lea, Flood, "Fast
// splittable pseudorandom number generators", 2014).
__global__ void checksum_kernel(unsigned long long* sum, const float* grid, size_t pitch, int dim,
                                int first_row, int begin, int end) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= dim) return;
  unsigned long long mine = 0;
  for (int y = begin + static_cast<int>(blockIdx.y); y < end; y += gridDim.y) {
    const unsigned long long place = static_cast<unsigned long long>(first_row + y) * dim + x;
    unsigned long long z =
        __float_as_uint(grid[x + y * pitch]) + 0x9e3779b97f4a7c15ull * (place + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    mine += z ^ z >> 31;
  }
  atomicAdd(sum, mine);
}

double march_rounds(int rows) { return std::clamp(std::round(rows / 1350.0), 1.0, 6.0); }

// The first dim % ranks ranks have one row more than the others.
Part::Part(int dim_, const Team& team)
    : dim(dim_),
      halo(std::min(halo_rows, dim_ / team.size())),
      neighbors{team.rank() - 1, team.rank() + 1 < team.size() ? team.rank() + 1 : no_rank},
      pitch(static_cast<std::size_t>(div_up(dim_, 32)) * 32) {
  const int each = dim / team.size();
  const int more = dim % team.size();
  const int rank = team.rank();
  begin = has(0) ? halo : 0;
  end = begin + each + (rank < more ? 1 : 0);
  rows = end + (has(1) ? halo : 0);
  first_row = rank * each + std::min(rank, more) - begin;
  for (DeviceMemory<float>* memory : {&grids[0], &grids[1], &sources}) {
    *memory = DeviceMemory<float>(pitch * rows);
    HANDLE_ERROR(cudaMemset(memory->get(), 0, memory->bytes()));
  }
  restart();
  source_bits = make_source_bits(sources.get(), dim, rows, static_cast<int>(pitch));
  // The streams of the rungs do not wait for the default stream.
  HANDLE_ERROR(cudaDeviceSynchronize());
}

MarchRows Part::march_rows() const {
  return {row(now, 0), sources.get(),           source_bits.get(), dim,
          rows,        static_cast<int>(pitch), -first_row,        dim - 1 - first_row};
}

void Part::march(Pass pass, int from, int to, cudaStream_t stream, double min_rounds) const {
  if (from >= to) return;
  const auto launch = pass.steps == 1 ? launch_march<1> : launch_march<halo_rows>;
  launch(row(1 - now, 0), march_rows(), from, to, pass.first, pass.last,
         std::max(march_rounds(to - from), min_rounds), stream);
}

void Part::restart() {
  start_kernel<<<dim3(div_up(dim, 256), std::min(rows, 1024)), 256>>>(row(now, 0), sources.get(),
                                                                      dim, pitch, first_row, rows);
  HANDLE_ERROR(cudaGetLastError());
}

void Part::upload(int y, const std::vector<float>& cells) {
  const std::size_t row_bytes = dim * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(row(now, y), pitch * sizeof(float), cells.data(), row_bytes, row_bytes,
                            cells.size() / dim, cudaMemcpyHostToDevice));
}

std::vector<float> Part::download(int y, int count) const {
  std::vector<float> cells(static_cast<std::size_t>(dim) * count);
  const std::size_t row_bytes = dim * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(cells.data(), row_bytes, row(now, y), pitch * sizeof(float), row_bytes,
                            count, cudaMemcpyDeviceToHost));
  return cells;
}

std::uint64_t Part::checksum(Team& team) const {
  const DeviceMemory<unsigned long long> sum(1);
  HANDLE_ERROR(cudaMemset(sum.get(), 0, sum.bytes()));
  const dim3 blocks(div_up(dim, 256), std::min(own(), 256));
  checksum_kernel<<<blocks, 256>>>(sum.get(), row(now, 0), pitch, dim, first_row, begin, end);
  HANDLE_ERROR(cudaGetLastError());
  unsigned long long mine = 0;
  unsigned long long all = 0;
  HANDLE_ERROR(cudaMemcpy(&mine, sum.get(), sizeof mine, cudaMemcpyDeviceToHost));
  for (const unsigned long long one : team.from_all(mine)) all += one;
  return all;
}

}  // namespace heat_multi_gpu
