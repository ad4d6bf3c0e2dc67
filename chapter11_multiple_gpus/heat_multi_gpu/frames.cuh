#pragma once
// Frames of the plate, one after the other, and their picture, which rank 0 has.

#include <algorithm>
#include <functional>
#include <vector>

#include "../../common/cpu_anim.h"
#include "../../common/heat.h"
#include "../../common/method_table.h"
#include "communicator.h"
#include "rung.h"

namespace heat_multi_gpu {

using MultiMethod = Method<void(int steps), const Context&>;

/// The frames of the plate from its start on, by one method. Used by all ranks together.
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
    const DeviceMemory<uchar4> colors(static_cast<std::size_t>(domain.dim) * domain.own());
    const dim3 threads(32, 8);
    const dim3 blocks(div_up(domain.dim, threads.x), div_up(domain.own(), threads.y));
    color_kernel<<<blocks, threads>>>(colors.get(), domain.grid() + domain.begin * domain.pitch,
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

/// Frames to the window or file, which rank 0 has: the others go on until it ends. Returns the exit
/// code.
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

}  // namespace heat_multi_gpu
