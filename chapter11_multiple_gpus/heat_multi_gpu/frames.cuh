#pragma once
// Frames of the plate, one after another, and rank 0's output: a picture, a window or a file, and a
// checksum.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "../../common/cpu_anim.h"
#include "../../common/heat.h"
#include "../../common/method_table.h"
#include "communicator.h"
#include "subdomain.cuh"

namespace heat_multi_gpu {

using MultiMethod = Method<std::function<void(int steps)>, const Context&>;

/// The frames of the plate from its start on, by one method. All ranks use it together.
class Frames {
 public:
  Frames(const Context& context, const MultiMethod& method, int steps)
      : context_(context), run_(method.make(context)), steps_(steps) {
    context.domain.restart();
    context.comm.barrier();  // with peer memory the neighbors write here as soon as they begin
  }

  void advance() {
    run_(steps_);
    HANDLE_ERROR(cudaDeviceSynchronize());
    context_.comm.barrier();  // a benchmark times the slowest rank
  }

  /// The own rows' colors, gathered on rank 0. `pixels`: the picture; nullptr on the others.
  void draw(unsigned char* pixels) const {
    const Subdomain& domain = context_.domain;
    const DeviceMemory<uchar4> colors(static_cast<size_t>(domain.dim) * domain.own());
    const dim3 threads(32, 8);
    const dim3 blocks(div_up(domain.dim, threads.x), div_up(domain.own(), threads.y));
    color_kernel<<<blocks, threads>>>(colors.get(), domain.cells() + domain.begin * domain.pitch,
                                      domain.pitch, domain.dim, domain.own());
    HANDLE_ERROR(cudaGetLastError());
    std::vector<uchar4> rows(colors.size());
    HANDLE_ERROR(cudaMemcpy(rows.data(), colors.get(), colors.bytes(), cudaMemcpyDeviceToHost));
    context_.comm.gather_rows(rows.data(), domain.own(), domain.dim * sizeof(uchar4), pixels);
  }

 private:
  Context context_;
  std::function<void(int)> run_;
  int steps_;
};

/// Draws frames to the window or file of rank 0. The others continue until it ends. Returns the
/// exit code.
inline int animate(Frames& frames, Communicator& comm, const Options& options) {
  while (!comm.is_first()) {
    if (comm.from_first(0) == 0) return exit_code::fine;
    frames.advance();
    frames.draw(nullptr);
  }
  const CPUAnimBitmap bitmap(options.size, options.size);
  const int code = bitmap.animate(options, [&](int) {
    comm.from_first(1);
    frames.advance();
    frames.draw(bitmap.get_ptr());
  });
  comm.from_first(0);
  return code;
}

/// Adds to `sum` a number for each own cell. It depends on the cell's bits and its place in the
/// plate. One thread per column, rows in turn by block. Mixing: splitmix64 (Steele, Lea, Flood,
/// "Fast splittable pseudorandom number generators", 2014).
static __global__ void checksum_kernel(unsigned long long* sum, const float* cells, size_t pitch,
                                       int dim, int first_row, int begin, int end) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= dim) return;
  unsigned long long mine = 0;
  for (int y = begin + static_cast<int>(blockIdx.y); y < end; y += gridDim.y) {
    const unsigned long long place = static_cast<unsigned long long>(first_row + y) * dim + x;
    unsigned long long z =
        __float_as_uint(cells[x + y * pitch]) + 0x9e3779b97f4a7c15ull * (place + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    mine += z ^ z >> 31;
  }
  atomicAdd(sum, mine);
}

/// A number that stands for all cells of the plate and their places, the same for any number of
/// ranks.
inline std::uint64_t checksum(const Context& context) {
  const Subdomain& domain = context.domain;
  const DeviceMemory<unsigned long long> sum(1);
  HANDLE_ERROR(cudaMemset(sum.get(), 0, sum.bytes()));
  const dim3 blocks(div_up(domain.dim, 256), std::min(domain.own(), 256));
  checksum_kernel<<<blocks, 256>>>(sum.get(), domain.cells(), domain.pitch, domain.dim,
                                   domain.first_row, domain.begin, domain.end);
  HANDLE_ERROR(cudaGetLastError());
  unsigned long long of_rank = 0;
  HANDLE_ERROR(cudaMemcpy(&of_rank, sum.get(), sizeof of_rank, cudaMemcpyDeviceToHost));
  unsigned long long of_all = 0;
  for (const unsigned long long part : context.comm.from_all(of_rank)) of_all += part;
  return of_all;
}

}  // namespace heat_multi_gpu
