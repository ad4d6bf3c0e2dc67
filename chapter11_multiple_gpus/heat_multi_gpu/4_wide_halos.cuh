// Rung 4, wide_halos: k rows per exchange, k steps between two exchanges.
//
//      before the pass      after the first steps of it     after k steps
//      halo  kkkkkkkkkk     halo    kkkkkk                  halo
//      own   ##########     own     ##########              own    ##########
//
// Gains over rung 3: with k rows from each neighbor a rank can do k steps on its own, and the kernel that does ten
// steps per trip through memory (march.cuh of heat_fast) has its use. A tenth of the traffic in memory, a tenth
// of the messages, each ten times as large: the same bytes go from GPU to GPU, but what every message costs is paid
// once in k steps. In exchange the halo rows are computed twice, by their owner and here: k - 1 rows per side on
// average half of the time, nothing beside thousands of own rows.
//
// As in rung 2 the borders come first, now k rows each. Where k is more than a pass has steps, passes without an
// exchange come before: they make the next time step of what is left of the halos, too.
#pragma once

#include "2_overlap.cuh"

class WideHalosRung : public SplitRung {
 public:
  explicit WideHalosRung(const Job& job) : job_(job), overlap_(job) {}

  void advance(int steps) override {
    const Part& part = job_.part;
    overlap_.begin();
    if (part.valid < part.halo) overlap_.exchange_only();
    for (int left = steps; left > 0;) {
      const int levels = pass_steps(std::min(left, part.valid));
      const PassOfFrame pass = {levels, left == steps, left == levels};
      left -= levels;
      // The frame ends with fresh halos, ready for the next one.
      if (left == 0 || part.valid == levels)
        overlap_.pass_and_exchange(pass, part.halo);
      else
        overlap_.pass_only(pass);
    }
    overlap_.end();
  }

 private:
  Job job_;
  Overlap overlap_;
};

inline const SplitMethod wide_halos_method = {"wide_halos",
                                              "k rows per exchange, k steps between two exchanges", false,
                                              make_split_rung<WideHalosRung>};
