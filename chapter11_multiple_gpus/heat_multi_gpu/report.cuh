// What --benchmark measures and prints: seconds per frame, and the checksum of the plate.
#pragma once

#include <cinttypes>
#include <cstdio>

#include "../../common/timing.h"
#include "checksum.cuh"
#include "rung.cuh"

/// The times of the rungs of a job. Used by all ranks together; rank 0 speaks.
class Report {
 public:
  /// json: a file to append to, or empty.
  Report(Team& team, int size, int steps, std::string way, std::string json)
      : team_(team), size_(size), steps_(steps), way_(std::move(way)), json_(std::move(json)) {}

  /// Times a frame, with the host's clock from before its first call until all ranks are done: the largest time of
  /// all ranks, the median of several frames. False when the checksum after the first frame differs from that of the
  /// rungs before.
  bool measure(const std::string& name, SplitRung& rung, Part& part) {
    constexpr int least_frames = 3, most_frames = 9;
    constexpr double enough_ms = 1500;
    part.restart();
    team_.barrier();
    rung.advance(steps_);  // the first frame is not timed: graphs are recorded, connections made
    rung.finish();
    const unsigned long long sum = checksum(part, team_);
    if (rows_.empty()) expected_ = sum;
    const bool same = sum == expected_;
    if (!same && team_.is_first())
      std::fprintf(stderr, "%s is wrong: its checksum differs from that of %s.\n", name.c_str(),
                   rows_[0].name.c_str());

    std::vector<double> times;
    double total = 0;  // the same on all ranks
    for (int frame = 0; frame < least_frames || (frame < most_frames && total < enough_ms); ++frame) {
      team_.barrier();
      const HostTimer timer;
      rung.advance(steps_);
      rung.finish();
      times.push_back(team_.largest(timer.ms()));
      total += times.back();
    }
    rows_.push_back({name, summary(times), sum, part.halo});
    return same;
  }

  void print() const {
    if (!team_.is_first()) return;
    say_whose_times();
    std::printf("%d x %d cells, %d steps per frame, %d rank%s, --exchange %s\n", size_, size_, steps_,
                team_.size(), team_.size() == 1 ? "" : "s", way_.c_str());
    std::printf("%-12s %12s %12s %16s  %s\n", "", "median s", "best s", "10^9 cells/s", "checksum");
    std::FILE* json = json_.empty() ? nullptr : std::fopen(json_.c_str(), "a");
    if (!json_.empty() && json == nullptr) fail(exit_code::failed, "cannot write " + echoed(json_));
    for (const Row& row : rows_) {
      const double seconds = row.timing.median_ms / 1000, cells = 1.0 * size_ * size_ * steps_;
      std::printf("%-12s %12.5f %12.5f %16.2f  %016llx\n", row.name.c_str(), seconds,
                  row.timing.best_ms / 1000, 1e-9 * cells / seconds, row.sum);
      if (json != nullptr)
        std::fprintf(json,
                     "{\"method\": \"%s\", \"exchange\": \"%s\", \"ranks\": %d, \"size\": %d, \"steps\": %d, "
                     "\"halo\": %d, \"median_s\": %.6f, \"best_s\": %.6f, \"checksum\": \"%016llx\"}\n",
                     row.name.c_str(), way_.c_str(), team_.size(), size_, steps_, row.halo, seconds,
                     row.timing.best_ms / 1000, row.sum);
    }
    if (json != nullptr && std::fclose(json) != 0) fail(exit_code::failed, "cannot write " + echoed(json_));
  }

 private:
  struct Row {
    std::string name;
    Timing timing;
    unsigned long long sum;
    int halo;
  };
  Team& team_;
  int size_, steps_;
  std::string way_, json_;
  unsigned long long expected_ = 0;
  std::vector<Row> rows_;
};
