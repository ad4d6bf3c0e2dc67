// Rung 2, overlap: the rows that the neighbors need first; they travel while the others are computed (communication
// hidden behind computation).
//
//      border stream   | borders | exchange |         | borders | exchange |
//      inner stream    | interior ................... | interior ...
//
// Gains over rung 1: an exchange takes no time as long as it is shorter than the interior. The border stream has the
// higher priority: as soon as one of the interior's blocks ends, a block of the exchange may take its place.
#pragma once

#include <algorithm>

#include "rung.h"

class OverlapRung {
 public:
  explicit OverlapRung(const Job& job) : job_(job) {}

  void run(int steps) {
    Part& part = job_.part;
    // The interior; all rows are border rows where it is empty.
    int from = part.begin + (part.has(0) ? 1 : 0), to = part.end - (part.has(1) ? 1 : 0);
    if (from >= to) from = to = part.end;
    for (int step = 0; step < steps; ++step) {
      const Pass pass = {1, step == 0, step == steps - 1};
      // The interior needs the borders of the step before, but no halos; the borders need halos, which are in the same
      // stream, and the interior of the step before. An event that was not recorded yet is not waited for.
      HANDLE_ERROR(cudaStreamWaitEvent(inner_, borders_done_));
      HANDLE_ERROR(cudaStreamWaitEvent(border_, inner_done_));
      part.march(pass, part.begin, from, border_);
      part.march(pass, to, part.end, border_);
      HANDLE_ERROR(cudaEventRecord(borders_done_, border_));
      job_.exchange->append(part, 1 - part.now, 1, border_);
      // More than once as many warps as fit the GPU, else the exchange would find no place until all are done.
      part.march(pass, from, to, inner_, 2);
      HANDLE_ERROR(cudaEventRecord(inner_done_, inner_));
      part.now = 1 - part.now;
    }
  }

 private:
  Job job_;
  Stream inner_, border_{Stream::high};
  Event borders_done_, inner_done_;
};
