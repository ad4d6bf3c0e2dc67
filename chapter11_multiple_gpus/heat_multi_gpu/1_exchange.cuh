// Rung 1, exchange: halo exchange after each time step, a row to each neighbor, without overlap.
//
//      default stream   | step | exchange | step | exchange | ...
//
// The kernel is that of march.cuh with one step per pass: it reads a row once, and a source is a
// bit. While halos are in flight, the GPU is idle, which matters more the shorter the step is. With
// k GPUs a step takes a k-th of the time, but an exchange takes as long as before.
//
// Time on an H200: 1000 steps, 2 GPUs 307 ms
#pragma once

#include "rung.h"

namespace heat_multi_gpu {

class ExchangeRung {
 public:
  explicit ExchangeRung(const Job& job) : job_(job) {}

  void run(int steps) {
    Part& part = job_.part;
    for (int step = 0; step < steps; ++step) {
      part.march({1, step == 0, step == steps - 1}, part.begin, part.end, nullptr);
      part.now = 1 - part.now;
      job_.exchange->append(part.now, 1, nullptr);
    }
  }

 private:
  Job job_;
};

}  // namespace heat_multi_gpu
