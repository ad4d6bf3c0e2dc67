// Rung 2, overlap: the rows that the neighbors need first; they travel while the others are computed.
//
//      border stream   | borders | exchange |         | borders | exchange |
//      inner stream    | interior ................... | interior ...
//
// Gains over rung 1: an exchange takes no time as long as it is shorter than the interior. The border stream has the
// higher priority: as soon as one of the interior's blocks ends, a block of the exchange may take its place.
//
// Who waits for whom: the interior needs the borders of the step before, but no halos; the borders need halos (they
// are in the same stream) and the interior of the step before.
#pragma once

#include "rung.cuh"

/// The two streams, and passes in them. All functions append only.
class Overlap {
 public:
  explicit Overlap(const Job& job) : job_(job), border_(highest_priority()) {}

  cudaStream_t origin() const { return inner_.get(); }

  /// Before the first and after the last pass of a frame: the inner stream stands for both.
  void begin() {
    begun_.record(inner_.get());
    begun_.hold_back(border_.get());
    is_first_ = true;
  }
  void end() {
    ended_.record(border_.get());
    ended_.hold_back(inner_.get());
  }

  /// A pass and the exchange of `rows` rows, at least as many as it has steps.
  void pass_and_exchange(PassOfFrame pass, int rows) {
    Part& part = job_.part;
    int from = part.begin + (part.has(0) ? rows : 0), to = part.end - (part.has(1) ? rows : 0);
    if (from >= to) from = to = part.end;  // all rows are border rows
    wait_for_pass_before();
    march_rows(part, pass, part.begin, from, job_.rounds, border_.get());
    march_rows(part, pass, to, part.end, job_.rounds, border_.get());
    borders_done_.record(border_.get());
    job_.exchange.append(part, 1 - part.now, rows, border_.get());
    // More than once as many warps as fit the GPU, else the exchange would find no place until all are done.
    const double rounds = job_.rounds > 0 ? job_.rounds : std::max(march_rounds(to - from, 0), 2.0);
    march_rows(part, pass, from, to, rounds, inner_.get());
    inner_done_.record(inner_.get());
    part.now = 1 - part.now;
    part.valid = rows;
  }

  /// A pass that needs no new halos after it. It uses up pass.levels of the halo rows: of the others it makes the next
  /// time step, too, as the neighbor does.
  void pass_only(PassOfFrame pass) {
    Part& part = job_.part;
    part.valid -= pass.levels;
    wait_for_pass_before();
    march_rows(part, pass, part.begin - (part.has(0) ? part.valid : 0),
               part.end + (part.has(1) ? part.valid : 0), job_.rounds, border_.get());
    borders_done_.record(border_.get());
    part.now = 1 - part.now;
  }

  /// An exchange of all halo rows, without a pass.
  void exchange_only() {
    Part& part = job_.part;
    job_.exchange.append(part, part.now, part.halo, border_.get());
    part.valid = part.halo;
  }

 private:
  void wait_for_pass_before() {
    if (!is_first_) {
      borders_done_.hold_back(inner_.get());
      inner_done_.hold_back(border_.get());
    } else {
      inner_done_.record(inner_.get());  // for a frame that begins with passes without an interior
    }
    is_first_ = false;
  }

  static int highest_priority() {
    int least = 0, greatest = 0;
    HANDLE_ERROR(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    return greatest;
  }

  Job job_;
  Stream inner_, border_;
  Event begun_, ended_, borders_done_, inner_done_;
  bool is_first_ = true;
};

class OverlapRung : public SplitRung {
 public:
  explicit OverlapRung(const Job& job) : overlap_(job) {}

  void advance(int steps) override {
    overlap_.begin();
    for (int step = 0; step < steps; ++step) overlap_.pass_and_exchange({1, step == 0, step == steps - 1}, 1);
    overlap_.end();
  }

 private:
  Overlap overlap_;
};

inline const SplitMethod overlap_method = {"overlap",
                                           "borders first, halos in flight while the interior is computed",
                                           false, make_split_rung<OverlapRung>};
