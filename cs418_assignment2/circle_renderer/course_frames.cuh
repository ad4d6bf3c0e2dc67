#pragma once
// The course's benchmark: -b START:END and its lines Clear, Advance, Render, Total; -f PREFIX and its files.

#include <charconv>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "../../common/book.h"
#include "../../common/options.h"
#include "../../common/picture/image.h"
#include "../../common/timing.h"
#include "renderer.cuh"
#include "to_bytes.cuh"

struct FrameRange {
  int start = 0, end = 1;  // the last frame is end - 1
};

/// Reads START:END; other texts are wrong use.
inline FrameRange parse_range(const Options& options, const std::string& text) {
  FrameRange range;
  const char *at = text.data(), *end = at + text.size();
  const auto first = std::from_chars(at, end, range.start);
  if (first.ec == std::errc{} && first.ptr != end && *first.ptr == ':') {
    const auto last = std::from_chars(first.ptr + 1, end, range.end);
    if (last.ec == std::errc{} && last.ptr == end && range.start >= 0 && range.start < range.end)
      return range;
  }
  options.fail("--bench must be START:END with 0 <= START < END, not " + text);
}

/// Milliseconds of a call and of what it set going on the device.
template <class Work>
double milliseconds(bool on_device, Work work) {
  const HostTimer timer;
  work();
  if (on_device) HANDLE_ERROR(cudaDeviceSynchronize());
  return timer.ms();
}

inline void write_frame(Renderer& renderer, int size, const std::string& prefix, int frame) {
  Image image(size, size);
  to_bytes(renderer.picture(), image.rgba.data());
  char number[32];
  std::snprintf(number, sizeof number, "_%04d.ppm", frame);
  write_image(prefix + number, image);
  std::printf("Wrote %s\n", absolute_path(prefix + number).c_str());
}

/// Draws the frames up to range.end, and prints the times of those from range.start on, as the median (a
/// single hiccup of the machine would spoil a mean). Writes them to PREFIX_0000.ppm, ... unless the prefix is
/// empty.
inline void run_frames(Renderer& renderer, FrameRange range, int size, const std::string& prefix) {
  const bool on_device = renderer.method() != nullptr;
  for (int warm_up = 0; on_device && warm_up < 3; ++warm_up) {  // the first launch also loads the kernels
    renderer.draw();
    HANDLE_ERROR(cudaDeviceSynchronize());
  }
  if (on_device) say_whose_times();
  std::vector<double> clear, advance, render, total;
  for (int frame = 0; frame < range.end; ++frame) {
    const double cleared = milliseconds(on_device, [&] { renderer.clear(); });
    const double advanced = milliseconds(on_device, [&] { renderer.advance(); });
    const double rendered = milliseconds(on_device, [&] { renderer.render(); });
    if (frame < range.start) continue;
    clear.push_back(cleared);
    advance.push_back(advanced);
    render.push_back(rendered);
    total.push_back(cleared + advanced + rendered);
    if (!prefix.empty()) write_frame(renderer, size, prefix, frame);
  }
  std::printf("Clear:    %.4f ms\nAdvance:  %.4f ms\nRender:   %.4f ms\nTotal:    %.4f ms\n",
              summary(clear).median_ms, summary(advance).median_ms, summary(render).median_ms,
              summary(total).median_ms);
}
