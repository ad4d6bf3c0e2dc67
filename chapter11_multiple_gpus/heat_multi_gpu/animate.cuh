// The picture in the window or the film, which rank 0 has, of rows that all ranks have.
#pragma once

#include <array>
#include <cstdio>

#include "../../common/cpu_anim.h"
#include "frames.cuh"

/// What rank 0, who has the window or the film, tells the others to do.
struct Command {
  enum { advance, heat, restart, end } what;
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // heat: a line of the plate
};

/// A frame of every rank's own rows, gathered on rank 0. `pixels`: the picture; nullptr on the others.
inline void draw(const Part& part, Team& team, unsigned char* pixels) {
  const int dim = part.slab.width;
  const DeviceMemory<uchar4> colors(static_cast<std::size_t>(dim) * part.own());
  constexpr int at_once = 1 << 15;  // a grid has 65535 blocks in y at most
  for (int row = 0; row < part.own(); row += at_once) {
    const dim3 blocks(div_up(dim, 32), std::min(at_once, part.own() - row));
    color_kernel<<<blocks, 32>>>(colors.get() + static_cast<std::size_t>(row) * dim,
                                 part.row(part.now, part.begin + row), part.slab.pitch, dim);
    HANDLE_ERROR(cudaGetLastError());
  }
  std::vector<uchar4> rows(colors.size());
  HANDLE_ERROR(cudaMemcpy(rows.data(), colors.get(), colors.bytes(), cudaMemcpyDeviceToHost));
  team.gather_rows(rows.data(), part.own(), dim * sizeof(uchar4), pixels);
}

/// Does what rank 0 says; `pixels` as draw() wants them. False at the end.
inline bool obey(const Command& command, Frames& frames, const Job& job, unsigned char* pixels) {
  Part& part = job.part;
  switch (command.what) {
    case Command::advance:
      frames.advance();
      draw(part, job.team, pixels);
      return true;
    case Command::heat:
      add_heat_kernel<<<dim3(div_up(part.slab.width, 32), part.slab.rows), 32>>>(
          part.in(), part.slab.pitch, part.slab.width, command.x0, command.y0 - part.slab.first_row,
          command.x1, command.y1 - part.slab.first_row);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaDeviceSynchronize());
      return true;
    case Command::restart:
      frames.restart();
      return true;
    default:
      return false;
  }
}

/// Frame after frame to the window or the file, which rank 0 has. Returns the exit code.
inline int animate(Frames& frames, const Job& job, const Options& options) {
  Command command{Command::end};
  if (!job.team.is_first()) {
    do {
      job.team.broadcast(&command, sizeof command);
    } while (obey(command, frames, job, nullptr));
    return exit_code::fine;
  }
  const CPUAnimBitmap bitmap(options.size, options.size);
  const auto tell = [&](Command all) {
    job.team.broadcast(&all, sizeof all);
    obey(all, frames, job, bitmap.get_ptr());
  };
  Interaction mouse_and_keys;
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) { tell({Command::heat, x0, y0, x1, y1}); };
  mouse_and_keys.restart = [&] { tell({Command::restart}); };
  mouse_and_keys.pace = [&](double seconds) {
    const double steps = frames.steps() / seconds;
    std::array<char, 80> words{};
    std::snprintf(words.data(), words.size(), "%.4g steps/s, %.3g cells/s", steps,
                  steps * options.size * options.size);
    return std::string(words.data());
  };
  const int code = bitmap.animate(
      options, [&](int) { tell({Command::advance}); }, mouse_and_keys);
  tell({Command::end});
  return code;
}
