// Frames of the plate, one after the other, with checkpoints and with a picture, which rank 0 has.
#pragma once

#include <algorithm>
#include <string>

#include "../../chapter07_texture_memory/heat_common.h"
#include "../../common/cpu_anim.h"
#include "../../common/fail.h"
#include "../../common/method_table.h"
#include "checkpoint.h"
#include "rung.h"

namespace heat_multi_gpu {

/// The command line, as far as all ranks need it.
struct Numbers {
  int size = 0;
  int steps = book_steps;
  int checkpoint_every = 10;
  int frames = 0;  ///< the frame to end with, counted from the plate's start
  bool check = false;
  bool benchmark = false;
};
struct Settings : Numbers {
  std::string method;
  std::string exchange = "auto";
  std::string checkpoint;
  std::string restart;
};

using MultiMethod = Method<void(int steps), const Job&>;

/// The frames of a job. Used by all ranks together.
class Frames {
 public:
  Frames(const Job& job, const MultiMethod& method, const Settings& settings)
      : job_(job), run_(method.make(job)), settings_(settings) {
    state_.size = settings.size;
    state_.steps = settings.steps;
    job.part.restart();
    if (!settings.restart.empty()) load();
    // The streams of the rungs do not wait for the default stream.
    HANDLE_ERROR(cudaDeviceSynchronize());
    job.team.barrier();  // with peer memory the neighbors write here as soon as they begin
  }

  /// How many are left; a window may go on.
  int left() const { return settings_.frames - static_cast<int>(state_.frame); }

  void advance() {
    run_(settings_.steps);
    HANDLE_ERROR(cudaDeviceSynchronize());
    job_.team.barrier();  // a benchmark times the slowest rank
    ++state_.frame;
    const bool due =
        state_.frame % settings_.checkpoint_every == 0 || state_.frame == settings_.frames;
    if (settings_.checkpoint.empty() || !due) return;
    state_.checksum = checksum();
    const std::string problem =
        write_checkpoint(settings_.checkpoint, state_, job_.part, job_.team);
    if (!problem.empty()) job_.team.refuse(exit_code::failed, problem);
  }

  /// The own rows' colors, gathered on rank 0. `pixels`: the picture; nullptr on the others.
  void draw(unsigned char* pixels) const {
    const Part& part = job_.part;
    const DeviceMemory<uchar4> colors(static_cast<std::size_t>(part.dim) * part.own());
    color_kernel<<<dim3(div_up(part.dim, 32), div_up(part.own(), 8)), dim3(32, 8)>>>(
        colors.get(), part.row(part.now, part.begin), part.pitch, part.dim, part.own());
    HANDLE_ERROR(cudaGetLastError());
    std::vector<uchar4> rows(colors.size());
    HANDLE_ERROR(cudaMemcpy(rows.data(), colors.get(), colors.bytes(), cudaMemcpyDeviceToHost));
    job_.team.gather_rows(rows.data(), part.own(), part.dim * sizeof(uchar4), pixels);
  }

 private:
  void load() {
    const std::string file = echoed(settings_.restart);
    std::string problem = read_checkpoint(settings_.restart, state_, job_.part, job_.team);
    if (problem.empty() && checksum() != state_.checksum)
      problem = file + " is damaged: its content does not have the checksum that it names";
    if (problem.empty() && left() <= 0)
      problem = file + " holds the plate after " + std::to_string(state_.frame) +
                " frames: nothing is left with --frames " + std::to_string(settings_.frames);
    if (!problem.empty()) job_.team.refuse(exit_code::wrong_use, problem);
  }
  std::uint64_t checksum() const { return job_.part.checksum(job_.team) + state_.frame; }

  Job job_;
  std::function<void(int)> run_;
  const Settings& settings_;
  PlateState state_;
};

/// Frames to the window or file, which rank 0 has: the others go on until
/// it ends. Returns the exit code.
inline int animate(Frames& frames, Team& team, Options& options) {
  while (!team.is_first()) {
    if (team.from_first(0) == 0) return exit_code::fine;
    frames.advance();
    frames.draw(nullptr);
  }
  options.frames = std::max(1, frames.left());
  const CPUAnimBitmap bitmap(options.size, options.size);
  const int code = bitmap.animate(options, [&](int) {
    team.from_first(1);
    frames.advance();
    frames.draw(bitmap.get_ptr());
  });
  team.from_first(0);
  return code;
}

}  // namespace heat_multi_gpu
