// What --benchmark measures and prints: seconds per frame, and a checksum of the plate, by which large plates are
// compared that no CPU reference can follow.
#pragma once

#include <cinttypes>
#include <cstdio>

#include "../../common/timing.h"
#include "rung.cuh"

/// Adds to `sum` a number for each own cell that depends on its bits and its place in the plate. One thread per
/// column, rows in turn by block; the sum does not depend on how the plate is split. Mixing as in splitmix64 (Steele,
/// Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
__global__ void checksum_kernel(unsigned long long* sum, const float* grid, Slab slab, int begin, int end) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  if (x >= slab.width) return;
  unsigned long long mine = 0;
  for (int y = begin + static_cast<int>(blockIdx.y); y < end; y += gridDim.y) {
    const unsigned long long place = static_cast<unsigned long long>(slab.first_row + y) * slab.width + x;
    unsigned long long z = __float_as_uint(grid[x + y * slab.pitch]) + 0x9e3779b97f4a7c15ull * (place + 1);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    mine += z ^ z >> 31;
  }
  atomicAdd(sum, mine);
}

/// The checksum of the whole plate, the same on all ranks.
inline unsigned long long checksum(const Part& part, Team& team) {
  const DeviceMemory<unsigned long long> sum(1);
  HANDLE_ERROR(cudaMemset(sum.get(), 0, sum.bytes()));
  const dim3 blocks(div_up(part.slab.width, 256), std::min(part.own(), 256));
  checksum_kernel<<<blocks, 256>>>(sum.get(), part.in(), part.slab, part.begin, part.end);
  HANDLE_ERROR(cudaGetLastError());
  unsigned long long mine = 0, all = 0;
  HANDLE_ERROR(cudaMemcpy(&mine, sum.get(), sizeof mine, cudaMemcpyDeviceToHost));
  for (const unsigned long long one : team.from_all(mine)) all += one;
  return all;
}

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
                     "\"halo\": %d, "
                     "\"median_s\": %.6f, \"best_s\": %.6f, \"checksum\": \"%016llx\"}\n",
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
