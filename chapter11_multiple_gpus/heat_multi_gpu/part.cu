// The kernels of a part: heat_fast's march over some of its rows, and the checksum.
#include <algorithm>
#include <cmath>

#include "../../chapter07_texture_memory/heat_common.h"
#include "../../chapter07_texture_memory/heat_fast/march.cuh"
#include "part.cuh"
#include "team.h"

// `levels` time steps of rows begin to end - 1, by warps of `rows_per_warp` rows of one of `strips` strips each.
template <int levels>
__global__ void __launch_bounds__(march_warps* warp_lanes, march_blocks(levels))
    march_part_kernel(float* out, MarchRows rows, int begin, int end, int strips, int rows_per_warp,
                      bool first, bool last) {
  const int warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int from = begin + warp / strips * rows_per_warp;
  if (from >= end) return;  // a whole warp
  march<levels>(out, rows, warp % strips, from, min(from + rows_per_warp, end), first, last);
}

// Adds to `sum` a number for each own cell that depends on its bits and its place in the plate. One thread per column,
// rows in turn by block. Mixing as in splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
// 2014).
__global__ void checksum_kernel(unsigned long long* sum, const float* grid, size_t pitch, int dim,
                                int first_row, int begin, int end) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= dim) return;
  unsigned long long mine = 0;
  for (int y = begin + static_cast<int>(blockIdx.y); y < end; y += gridDim.y) {
    const unsigned long long place = static_cast<unsigned long long>(first_row + y) * dim + x;
    unsigned long long z = __float_as_uint(grid[x + y * pitch]) + 0x9e3779b97f4a7c15ull * (place + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    mine += z ^ z >> 31;
  }
  atomicAdd(sum, mine);
}

namespace {

// Rows of the plate: temperature(x, y, dim) of each cell.
template <class Temperature>
auto rows_of_plate(int dim, const Temperature& temperature) {
  return [=](int first, int count) {
    std::vector<float> rows(static_cast<std::size_t>(dim) * count);
    parallel_for(count, [&](int y) {
      for (int x = 0; x < dim; ++x)
        rows[x + static_cast<std::size_t>(y) * dim] = temperature(x, first + y, dim);
    });
    return rows;
  };
}

// A few rows at a time: a part may be larger than the host's memory has room for twice.
template <class RowsOf>
void upload(const Part& part, float* to, const RowsOf& rows_of) {
  constexpr int at_once = 1024;
  const std::size_t row_bytes = part.dim * sizeof(float);
  for (int y = 0; y < part.rows; y += at_once) {
    const int count = std::min(at_once, part.rows - y);
    const std::vector<float> rows = rows_of(part.first_row + y, count);
    HANDLE_ERROR(cudaMemcpy2D(to + y * part.pitch, part.pitch * sizeof(float), rows.data(), row_bytes,
                              row_bytes, count, cudaMemcpyHostToDevice));
  }
  HANDLE_ERROR(cudaDeviceSynchronize());  // the streams of the rungs do not wait for the default stream
}

template <int levels>
void march_with(const Part& part, Pass pass, int begin, int end, cudaStream_t stream, double rounds) {
  static const int at_once = march_warps_at_once(march_part_kernel<levels>);
  const int strips = march_strips(levels, part.dim),
            rows_per_warp = march_segment(levels, part.dim, end - begin, rounds * at_once);
  const int blocks = div_up(strips * div_up(end - begin, rows_per_warp), march_warps);
  const MarchRows in = {
      part.row(part.now, 0),        part.sources.get(), part.source_bits.get(),       part.dim, part.rows,
      static_cast<int>(part.pitch), -part.first_row,    part.dim - 1 - part.first_row};
  march_part_kernel<levels><<<blocks, march_warps * warp_lanes, 0, stream>>>(
      part.row(1 - part.now, 0), in, begin, end, strips, rows_per_warp, pass.first, pass.last);
  HANDLE_ERROR(cudaGetLastError());
}

}  // namespace

double march_rounds(int rows) { return std::clamp(std::round(rows / 1350.0), 1.0, 6.0); }

// The first dim % ranks ranks have one row more than the others.
Part::Part(int dim_, int wanted_halo, const Team& team)
    : dim(dim_),
      halo(std::max(1, std::min(wanted_halo, dim_ / team.size()))),
      neighbors{team.rank() - 1, team.rank() + 1 < team.size() ? team.rank() + 1 : no_rank},
      pitch(static_cast<std::size_t>(div_up(dim_, 32)) * 32) {
  const int least = dim / team.size(), more = dim % team.size(), rank = team.rank();
  begin = has(0) ? halo : 0;
  end = begin + least + (rank < more ? 1 : 0);
  rows = end + (has(1) ? halo : 0);
  first_row = rank * least + std::min(rank, more) - begin;
  for (DeviceMemory<float>* memory : {&grids[0], &grids[1], &sources}) {
    *memory = DeviceMemory<float>(pitch * rows);
    HANDLE_ERROR(cudaMemset(memory->get(), 0, memory->bytes()));
  }
  source_bits = DeviceMemory<unsigned>(source_words(rows, static_cast<int>(pitch)));
  upload(*this, sources.get(), rows_of_plate(dim, source_at));
  make_source_bits(source_bits.get(), sources.get(), dim, rows, static_cast<int>(pitch));
  restart();
}

void Part::march(Pass pass, int from, int to, cudaStream_t stream, double min_rounds) const {
  if (from >= to) return;
  const double rounds = std::max(march_rounds(to - from), min_rounds);
  switch (pass.steps) {
    case 10:
      return march_with<10>(*this, pass, from, to, stream, rounds);
    case 5:
      return march_with<5>(*this, pass, from, to, stream, rounds);
    case 2:
      return march_with<2>(*this, pass, from, to, stream, rounds);
    default:
      return march_with<1>(*this, pass, from, to, stream, rounds);
  }
}

void Part::restart() { load(rows_of_plate(dim, start_at)); }

void Part::load(const std::function<std::vector<float>(int, int)>& rows_of) {
  upload(*this, row(now, 0), rows_of);
}

std::vector<float> Part::download(int y, int count) const {
  std::vector<float> cells(static_cast<std::size_t>(dim) * count);
  const std::size_t row_bytes = dim * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(cells.data(), row_bytes, row(now, y), pitch * sizeof(float), row_bytes, count,
                            cudaMemcpyDeviceToHost));
  return cells;
}

std::uint64_t Part::checksum(Team& team) const {
  const DeviceMemory<unsigned long long> sum(1);
  HANDLE_ERROR(cudaMemset(sum.get(), 0, sum.bytes()));
  const dim3 blocks(div_up(dim, 256), std::min(own(), 256));
  checksum_kernel<<<blocks, 256>>>(sum.get(), row(now, 0), pitch, dim, first_row, begin, end);
  HANDLE_ERROR(cudaGetLastError());
  unsigned long long mine = 0, all = 0;
  HANDLE_ERROR(cudaMemcpy(&mine, sum.get(), sizeof mine, cudaMemcpyDeviceToHost));
  for (const unsigned long long one : team.from_all(mine)) all += one;
  return all;
}
