// Rung 3, wide_halos: k rows per exchange, k steps between exchanges (ghost zones,
// communication-avoiding).
//
//      before the pass      after the first steps of it     after k steps
//      halo  kkkkkkkkkk     halo    kkkkkk                  halo
//      own   ##########     own     ##########              own    ##########
//
// Gain over overlap on an H200: 1000 steps, 2 GPUs 303 -> 65.5 ms
// With k rows from each neighbor a rank can do k steps on its own, so it can use
// march.cuh's kernel of ten steps per trip through memory. That means a tenth of the memory
// traffic, and a tenth of the messages, each ten times as large. The same bytes go from GPU to GPU,
// but the cost per message is paid once in k steps. In exchange the halo rows are computed twice,
// by their owner and here: (k - 1) / 2 rows per side and step on average, negligible next to
// thousands of own rows.
//
// As in rung 2 the borders come first, now k rows each. k is 10; the rest
// of a frame goes step by step.
#pragma once

#include "rung.h"

namespace heat_multi_gpu {

class WideHalosRung {
 public:
  explicit WideHalosRung(const Job& job) : job_(job) {}

  void run(int steps) {
    Part& part = job_.part;
    const int rows = part.halo;
    int from = part.begin + (part.has(0) ? rows : 0);
    int to = part.end - (part.has(1) ? rows : 0);
    if (from >= to) from = to = part.end;  // all rows are border rows
    for (int left = steps; left > 0;) {
      const int n = part.pass_steps(left);
      const Pass pass = {n, left == steps, left == n};
      left -= n;
      HANDLE_ERROR(cudaStreamWaitEvent(streams_.inner, streams_.border_done));
      HANDLE_ERROR(cudaStreamWaitEvent(streams_.border, streams_.inner_done));
      part.march(pass, part.begin, from, streams_.border);
      part.march(pass, to, part.end, streams_.border);
      HANDLE_ERROR(cudaEventRecord(streams_.border_done, streams_.border));
      job_.exchange->append(1 - part.now, rows, streams_.border);
      part.march(pass, from, to, streams_.inner, 2);
      HANDLE_ERROR(cudaEventRecord(streams_.inner_done, streams_.inner));
      part.now = 1 - part.now;
    }
  }

 private:
  Job job_;
  TwoStreams streams_;
};

}  // namespace heat_multi_gpu
