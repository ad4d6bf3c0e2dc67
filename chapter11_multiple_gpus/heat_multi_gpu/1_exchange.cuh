#pragma once
// exchange - halo exchange: a row to each neighbor after each time step, without overlap.
//
//      default stream   | step | exchange | step | exchange | ...
//
// The kernel is that of pass.cuh with one step per pass: it reads a row once, and a source is a
// bit. While halos are in flight, the GPU is idle. This matters more for shorter steps. With k GPUs
// a step takes a k-th of the time, but an exchange takes as long as before.
//
// Time on an H200: 1000 steps, 2 GPUs 307 ms
//
// Needed: pass.cuh (the kernel), subdomain.cuh (Context: the rows of a rank, the exchange).

#include "pass.cuh"
#include "subdomain.cuh"

namespace heat_multi_gpu {

class ExchangeRung {
 public:
  explicit ExchangeRung(const Context& context) : context_(context) {}

  void run(int steps) {
    Subdomain& domain = context_.domain;
    for (int step = 0; step < steps; ++step) {
      const Pass pass = {.begin = domain.begin,
                         .end = domain.end,
                         .first = step == 0,
                         .last = step == steps - 1,
                         .rounds = march_rounds(domain.own())};
      launch_march<1>(domain.next_cells(), domain.march_input(), pass, nullptr);

      constexpr int rows = 1;  // to each neighbor
      context_.exchange->append(domain.next_cells(), rows, nullptr);

      domain.swap_buffers();
    }
  }

 private:
  Context context_;
};

}  // namespace heat_multi_gpu
