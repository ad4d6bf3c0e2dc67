// Frames of the plate, one after the other, with checkpoints.
#pragma once

#include <sstream>

#include "checkpoint.h"
#include "checksum.cuh"
#include "rung.cuh"

/// What the command line says about them.
struct FrameWishes {
  int steps = book_steps;  ///< per frame
  std::string checkpoint, restart;
  int every = 10;
  int last = 0;  ///< the frame to end with: --frames, counted from the plate's start

  void add_to(Options& options) {
    add_steps(options, steps);
    options.add_file("--checkpoint", checkpoint,
                     "write the plate to FILE every so many frames and after the last");
    options.add("--checkpoint-every", every, "how many frames", 1, 1000000);
    options.add_file("--restart", restart, "go on from that checkpoint to the same last frame");
  }
};

/// Frame 0 without --restart, else what the file says: on any number of ranks, but for a plate of that size, with those
/// steps. Ends the job with a sentence where it cannot be. Called by all ranks together.
inline PlateState first_frame(const FrameWishes& wishes, const Options& options, Team& team) {
  PlateState state = {options.size, wishes.steps};
  if (wishes.restart.empty()) return state;
  const std::string file = echoed(wishes.restart),
                    problem = read_checkpoint_state(wishes.restart, state, team);
  if (!problem.empty()) team.refuse(exit_code::wrong_use, problem);
  if (state.size != options.size || state.steps != wishes.steps) {
    std::ostringstream wanted;
    wanted << " --size " << state.size << " --steps " << state.steps;
    team.refuse(exit_code::wrong_use, file + " is of another plate: it wants" + wanted.str());
  }
  const bool endless = !options.frames_given && !options.headless && !options.check;  // in a window
  if (state.frame >= options.frames && !endless)
    team.refuse(exit_code::wrong_use, file + " holds the plate after " + std::to_string(state.frame) +
                                          " frames: nothing is left with --frames " +
                                          std::to_string(options.frames));
  return state;
}

/// The frames of a job. Used by all ranks together.
class Frames {
 public:
  /// first: where to begin, as first_frame() returns it.
  Frames(const Job& job, SplitRung& rung, const FrameWishes& wishes, const PlateState& first)
      : job_(job), rung_(rung), wishes_(wishes), state_(first) {
    if (wishes.restart.empty())
      job.part.restart();
    else
      load();
    job.team.barrier();  // with peer memory the neighbors write here as soon as they begin
  }

  int steps() const { return state_.steps; }  ///< per frame

  void advance() {
    rung_.advance(state_.steps);
    rung_.finish();
    ++state_.frame;
    if (wishes_.checkpoint.empty() || (state_.frame % wishes_.every != 0 && state_.frame != wishes_.last))
      return;
    const Part& part = job_.part;
    state_.checksum = checksum(part, job_.team);
    const std::string problem = write_checkpoint(
        wishes_.checkpoint, state_, {part.slab.first_row + part.begin, part.own()},
        [&](int first, int count) { return part.download(first - part.slab.first_row, count); }, job_.team);
    if (!problem.empty()) job_.team.refuse(exit_code::failed, problem);
  }

  /// The plate as at its very start.
  void restart() {
    job_.part.restart();
    state_.frame = 0;
  }

 private:
  void load() {
    const std::string& file = wishes_.restart;
    const std::string problem =
        read_checkpoint_rows(file, job_.team, [&](const RowsOfPlate& rows) { job_.part.load(rows); });
    if (!problem.empty()) job_.team.refuse(exit_code::wrong_use, problem);
    if (checksum(job_.part, job_.team) != state_.checksum)
      job_.team.refuse(exit_code::wrong_use,
                       echoed(file) + " is damaged: its cells do not have the checksum that it names");
  }

  Job job_;
  SplitRung& rung_;
  FrameWishes wishes_;
  PlateState state_;
};
