// Rung 3, wide_halos: k rows per exchange, k steps between two exchanges (ghost zones; communication-avoiding).
//
//      before the pass      after the first steps of it     after k steps
//      halo  kkkkkkkkkk     halo    kkkkkk                  halo
//      own   ##########     own     ##########              own    ##########
//
// Gains over rung 2: with k rows from each neighbor a rank can do k steps on its own, and heat_fast's kernel of ten
// steps per trip through memory has its use. A tenth of the traffic in memory, a tenth of the messages, each ten times
// as large: the same bytes go from GPU to GPU, but what every message costs is paid once in k steps. In exchange the
// halo rows are computed twice, by their owner and here: k - 1 rows per side on average half of the time, nothing
// beside thousands of own rows.
//
// As in rung 2 the borders come first, now k rows each.
#pragma once

#include <algorithm>

#include "rung.h"

class WideHalosRung {
 public:
  explicit WideHalosRung(const Job& job) : job_(job) {}

  void run(int steps) {
    Part& part = job_.part;
    const int rows = part.halo;
    int valid = rows;  // of the halos' rows
    int from = part.begin + (part.has(0) ? rows : 0), to = part.end - (part.has(1) ? rows : 0);
    if (from >= to) from = to = part.end;  // all rows are border rows
    for (int left = steps; left > 0;) {
      const int n = pass_steps(std::min(left, valid));
      const Pass pass = {n, left == steps, left == n};
      left -= n;
      HANDLE_ERROR(cudaStreamWaitEvent(inner_, borders_done_));
      HANDLE_ERROR(cudaStreamWaitEvent(border_, inner_done_));
      if (left > 0 && valid > n) {
        // Where k is more than a pass has steps, passes without an exchange come before: they make the next time step
        // of what is left of the halos, too, as the neighbor does.
        valid -= n;
        part.march(pass, part.begin - (part.has(0) ? valid : 0), part.end + (part.has(1) ? valid : 0),
                   border_);
        HANDLE_ERROR(cudaEventRecord(borders_done_, border_));
      } else {
        part.march(pass, part.begin, from, border_);
        part.march(pass, to, part.end, border_);
        HANDLE_ERROR(cudaEventRecord(borders_done_, border_));
        job_.exchange->append(part, 1 - part.now, rows, border_);  // after the last pass for the next frame
        part.march(pass, from, to, inner_, 2);
        HANDLE_ERROR(cudaEventRecord(inner_done_, inner_));
        valid = rows;
      }
      part.now = 1 - part.now;
    }
  }

 private:
  Job job_;
  Stream inner_, border_{Stream::high};
  Event borders_done_, inner_done_;
};
