#pragma once
// wide_halos - ghost zones, to avoid communication: k rows per exchange, k steps between exchanges.
//
//      before the pass      after the first steps of it     after k steps
//      halo  kkkkkkkkkk     halo    kkkkkk                  halo
//      own   ##########     own     ##########              own    ##########
//
// Gain over overlap on an H200: 1000 steps, 2 GPUs 303 -> 65.5 ms
// With k rows from each neighbor a rank can do k steps on its own. So it can use pass.cuh's kernel
// with k steps per trip through memory. The same bytes go from GPU to GPU, but the cost per message
// occurs once in k steps. The price: the halo rows are computed twice, by their owner and here.
//
// The launches and the two streams are those of 2_overlap.cuh, which explains their order, with k
// rows in each border. k is halo_rows of subdomain.cuh; the rest of a frame goes step by step.
//
// Needed: pass.cuh (the kernel), subdomain.cuh (Context: the rows of a rank, the exchange; the two
// streams).

#include <algorithm>

#include "pass.cuh"
#include "subdomain.cuh"

namespace heat_multi_gpu {

class WideHalosRung {
 public:
  explicit WideHalosRung(const Context& context) : context_(context) {}

  void run(int steps) {
    Subdomain& domain = context_.domain;
    int inner_begin = domain.begin + (domain.has(0) ? domain.halo : 0);
    int inner_end = domain.end - (domain.has(1) ? domain.halo : 0);
    if (inner_begin >= inner_end) {  // all are border rows
      inner_begin = domain.end;
      inner_end = domain.end;
    }

    int batch = 0;
    for (int left = steps; left > 0; left -= batch) {
      batch = domain.steps_of_pass(left);
      const auto launch = [&](int begin, int end, double min_rounds, cudaStream_t stream) {
        const Pass pass = {.begin = begin,
                           .end = end,
                           .first = left == steps,
                           .last = left == batch,
                           .rounds = std::max(march_rounds(end - begin), min_rounds)};
        if (batch == 1)
          launch_march<1>(domain.next_cells(), domain.march_input(), pass, stream);
        else
          launch_march<halo_rows>(domain.next_cells(), domain.march_input(), pass, stream);
      };
      HANDLE_ERROR(cudaStreamWaitEvent(streams_.inner, streams_.border_done));
      HANDLE_ERROR(cudaStreamWaitEvent(streams_.border, streams_.inner_done));

      launch(domain.begin, inner_begin, 1, streams_.border);
      launch(inner_end, domain.end, 1, streams_.border);
      HANDLE_ERROR(cudaEventRecord(streams_.border_done, streams_.border));
      context_.exchange->append(domain.next_cells(), domain.halo, streams_.border);

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
