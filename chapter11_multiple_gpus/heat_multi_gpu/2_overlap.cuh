#pragma once
// overlap - communication during computation: border rows travel while the interior is computed.
//
//      border stream   | borders | exchange |         | borders | exchange |
//      inner stream    | interior ................... | interior ...
//
// Gain over exchange on an H200: 1000 steps, 2 GPUs 307 -> 303 ms
// An exchange costs no time as long as it is shorter than the interior's computation.
//
// Needed: pass.cuh (the kernel, here with one step per pass), subdomain.cuh (Context: the rows of
// a rank, the exchange; the two streams).

#include <algorithm>

#include "pass.cuh"
#include "subdomain.cuh"

namespace heat_multi_gpu {

class OverlapRung {
 public:
  explicit OverlapRung(const Context& context) : context_(context) {}

  void run(int steps) {
    Subdomain& domain = context_.domain;
    int inner_begin = domain.begin + (domain.has(0) ? 1 : 0);
    int inner_end = domain.end - (domain.has(1) ? 1 : 0);
    if (inner_begin >= inner_end) {  // all are border rows
      inner_begin = domain.end;
      inner_end = domain.end;
    }

    for (int step = 0; step < steps; ++step) {
      const auto launch = [&](int begin, int end, double min_rounds, cudaStream_t stream) {
        const Pass pass = {.begin = begin,
                           .end = end,
                           .first = step == 0,
                           .last = step == steps - 1,
                           .rounds = std::max(march_rounds(end - begin), min_rounds)};
        launch_march<1>(domain.next_cells(), domain.march_input(), pass, stream);
      };
      // The interior needs the borders of the step before, but no halos. The borders need halos,
      // which are in the same stream, and the interior of the step before. (Waiting for an
      // unrecorded event returns at once.)
      HANDLE_ERROR(cudaStreamWaitEvent(streams_.inner, streams_.border_done));
      HANDLE_ERROR(cudaStreamWaitEvent(streams_.border, streams_.inner_done));

      launch(domain.begin, inner_begin, 1, streams_.border);
      launch(inner_end, domain.end, 1, streams_.border);
      HANDLE_ERROR(cudaEventRecord(streams_.border_done, streams_.border));
      context_.exchange->append(domain.next_cells(), 1, streams_.border);

      // Warps for at least two rounds: if all fit on the GPU at once, the exchange finds no room
      // until they end.
      launch(inner_begin, inner_end, 2, streams_.inner);
      HANDLE_ERROR(cudaEventRecord(streams_.inner_done, streams_.inner));

      domain.swap_buffers();
    }
  }

 private:
  Context context_;
  TwoStreams streams_;
};

}  // namespace heat_multi_gpu
