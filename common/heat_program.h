#pragma once
// The shared parts of the heat programs besides their kernels (chapters 7 and 8): options, check,
// benchmark, window.

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "check.h"
#include "gpu_anim.h"
#include "heat.h"
#include "picture/draw.h"
#include "picture/gl_frame.h"
#include "picture/present.h"
#include "picture/window.h"
#include "timing.h"

/// A plate in device memory, for check and window.
struct ShownPlate {
  int dim;
  size_t pitch;                   ///< floats from one row to the next
  std::function<float*()> cells;  ///< their place changes with the buffers
  std::function<void()> advance;  ///< a frame's time steps

  void restart() const {
    const std::vector<float> start = starting_plate(dim);
    copy(cells(), pitch, start.data(), dim, cudaMemcpyHostToDevice);
  }
  std::vector<float> download() const {
    std::vector<float> plate(static_cast<size_t>(dim) * dim);
    copy(plate.data(), dim, cells(), pitch, cudaMemcpyDeviceToHost);
    return plate;
  }

  /// Computes a frame's time steps. Returns their milliseconds.
  float timed_advance() const {
    EventTimer timer;
    timer.start();
    advance();
    return timer.stop();
  }

  /// Writes the colors of the temperatures to `pixels`, in device memory.
  void color(uchar4* pixels) const {
    color_kernel<<<blocks(), threads>>>(pixels, cells(), pitch, dim, dim);
    HANDLE_ERROR(cudaGetLastError());
  }

  void add_heat(int x0, int y0, int x1, int y1) const {
    add_heat_kernel<<<blocks(), threads>>>(cells(), pitch, dim, x0, y0, x1, y1);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  static constexpr dim3 threads{32, 8};
  dim3 blocks() const { return dim3(div_up(dim, threads.x), div_up(dim, threads.y)); }

  void copy(float* to, size_t to_pitch, const float* from, size_t from_pitch,
            cudaMemcpyKind kind) const {
    HANDLE_ERROR(cudaMemcpy2D(to, to_pitch * sizeof(float), from, from_pitch * sizeof(float),
                              dim * sizeof(float), dim, kind));
  }
};

/// The colors of a plate for a program that launches their kernel itself.
struct PlatePicture {
  ImageView in_host_memory;
  const GlFrame* in_window;  ///< OpenGL's buffer
  std::function<void()>
      draw;  ///< colors OpenGL's buffer if a window has one, else the host's memory
};

/// The options of a heat program. `steps`: per frame. `more`: common options that not all have.
inline Options heat_options(const std::string& name, int& steps, Options::DefaultSize size,
                            Common more = Common::benchmark) {
  Options options(name, Common::animation | Common::check | Common::device | more);
  add_steps(options, steps);
  options.add_keys(
      {{"click, drag", "add heat along the path"}, {"+ and -", "more or fewer steps"}});
  options.default_size(size);
  return options;
}

/// The number of frames that a check computes: few before a benchmark, so that it ends soon.
inline int frames_to_check(const Options& options) {
  return options.benchmark && !options.frames_given ? 1 : options.frames;
}

/// The first line of a benchmark, printed before the slow CPU reference.
inline void announce_check(int steps) {
  std::printf(
      "Checks each cell against the CPU reference, bit by bit, after %d steps; then measures.\n",
      steps);
  std::fflush(stdout);
}

/// Is the plate `expected` after so many frames from the start?
inline bool agrees(const ShownPlate& plate, int frames, const std::vector<float>& expected) {
  plate.restart();
  for (int frame = 0; frame < frames; ++frame) plate.advance();
  return check_equal("temperature", plate.download(), expected);
}

/// CPU reference of the colors of a plate.
inline Image heat_image(int dim, const std::vector<float>& plate) {
  Image image(dim, dim);
  for_rows(dim, [&](int y) {
    for (int x = 0; x < dim; ++x) {
      const uchar4 color = heat_color(plate[x + static_cast<size_t>(y) * dim]);
      unsigned char* const pixel = image.pixel(x, y);
      pixel[0] = color.x;
      pixel[1] = color.y;
      pixel[2] = color.z;
    }
  });
  return image;
}

/// The colors of the temperatures from 0 (below) to 1.
inline Image heat_scale() {
  constexpr int bar_width = 14;
  constexpr int bar_height = 101;
  constexpr int border = 8;
  constexpr int label_width = 30;
  Image scale(bar_width + label_width + 2 * border, bar_height + 2 * border);
  fill_rect(scale, 0, 0, scale.width, scale.height, {40, 40, 40, 200});
  fill_rect(scale, border - 1, border - 1, bar_width + 2, bar_height + 2, {255, 255, 255, 255});
  for (int y = 0; y < bar_height; ++y) {
    const uchar4 color = heat_color(static_cast<float>(y) / (bar_height - 1));
    fill_rect(scale, border, border + y, bar_width, 1, {color.x, color.y, color.z, 255});
  }
  for (const int percent : {0, 25, 50, 75, 100}) {
    char label[8];
    std::snprintf(label, sizeof label, "%.2f", percent / 100.0);
    const int y = border + percent * (bar_height - 1) / 100;
    draw_text(scale, border + bar_width + 5, std::clamp(y - 3, border, border + bar_height - 7),
              label, {255, 255, 255, 255});
  }
  return scale;
}

/// The number of time steps per frame; + and - change it. A window responds between two frames, so
/// no frame may take longer than a quarter of a second. A film has all steps of --steps.
class StepsPerFrame {
 public:
  StepsPerFrame(const Options& options, int& steps) : steps_(steps), wanted_(steps) {
    const bool is_film = options.headless || options.frames_given || !options.output.empty() ||
                         !window_problem().empty();
    least_ = is_film ? steps : 1;
    limit();
  }

  /// A frame of so many milliseconds was drawn.
  void drawn(double ms) {
    ms_per_step_ = std::min(ms_per_step_, ms / steps_);
    limit();
  }
  void key(unsigned char key) {
    if (key == '+' || key == '=') wanted_ = std::min(2 * steps_, max_steps);
    if (key == '-') wanted_ = std::max(steps_ / 2, 1);
    limit();
  }
  std::string text() const {
    return std::to_string(steps_) + (steps_ == 1 ? " step" : " steps") +
           (steps_ < wanted_ ? " (max)" : "");
  }

 private:
  static constexpr double max_ms = 250;
  int& steps_;
  int wanted_;
  int least_;
  // The fastest frame counts: a slower one is no reason to refuse steps forever.
  double ms_per_step_ = std::numeric_limits<double>::infinity();

  void limit() {
    const double most = std::max<double>(least_, max_ms / ms_per_step_);
    steps_ = static_cast<int>(std::min<double>(wanted_, most));
  }
};

/// Scale, title and the keys + and -. The window's owner adds the actions of the mouse and r.
inline Interaction heat_interaction(StepsPerFrame& steps) {
  Interaction interaction;
  interaction.legend = heat_scale();
  interaction.key = [&steps](unsigned char key) { steps.key(key); };
  interaction.title = [&steps] { return steps.text(); };
  return interaction;
}

/// Draws frames to the window or the file until the user ends it. show(advance, interaction) draws
/// them: it calls advance() before each, and returns the exit code. So does this function.
template <class Show>
int animate_heat(const Options& options, int& steps, const ShownPlate& plate, const Show& show) {
  StepsPerFrame steps_per_frame(options, steps);
  float total_ms = 0;
  int frames = 0;
  int total_steps = 0;
  const auto advance = [&] {
    const float ms = plate.timed_advance();
    total_ms += ms;
    ++frames;
    total_steps += steps;
    steps_per_frame.drawn(ms);
  };
  Interaction mouse_and_keys = heat_interaction(steps_per_frame);
  if (!options.method.empty())
    mouse_and_keys.title = [&, more = mouse_and_keys.title] {
      return options.method + ", " + more();
    };
  mouse_and_keys.drag = [&](int x0, int y0, int x1, int y1) { plate.add_heat(x0, y0, x1, y1); };
  mouse_and_keys.restart = [&] { plate.restart(); };
  const int code = show(advance, mouse_and_keys);
  if (frames > 0)
    std::printf("Average time per frame (steps: %d): %s\n", total_steps / frames,
                time_text(total_ms / frames).c_str());
  return code;
}

/// Runs check, benchmark or window, as the options say. `memory`: the kind that the kernels read.
/// Returns the exit code.
inline int run_heat(const Options& options, int& steps, const std::string& memory,
                    const ShownPlate& plate) {
  if (!options.check && !options.benchmark) {
    GPUAnimBitmap bitmap(plate.dim, plate.dim);
    const auto show = [&](const auto& advance, const Interaction& mouse_and_keys) {
      const auto draw = [&](uchar4* pixels, int) {
        advance();
        plate.color(pixels);
      };
      return bitmap.animate(options, draw, mouse_and_keys);
    };
    return animate_heat(options, steps, plate, show);
  }

  const int frames = frames_to_check(options);
  if (options.benchmark) announce_check(frames * steps);
  const bool passed = agrees(plate, frames, reference_heat(options.size, frames, steps));
  // A step moves at least these: (1) reads source and cell and writes a cell; (2) reads and writes
  // a cell.
  if (passed && options.benchmark)
    print_benchmark("heat, " + std::to_string(steps) + " steps per frame", memory, plate.advance,
                    5.0 * sizeof(float) * plate.dim * plate.dim * steps);
  return verdict(options.name(), passed);
}

/// Runs check or window of a program that draws `picture` itself. The check also compares pixels,
/// those in host memory. Returns the exit code.
inline int run_heat(const Options& options, int& steps, const ShownPlate& plate,
                    const PlatePicture& picture) {
  if (!options.check) {
    const auto show = [&](const auto& advance, const Interaction& mouse_and_keys) {
      const auto draw = [&](int) {
        advance();
        picture.draw();
      };
      return present(options, picture.in_host_memory, draw, mouse_and_keys, picture.in_window);
    };
    return animate_heat(options, steps, plate, show);
  }

  const std::vector<float> expected = reference_heat(plate.dim, options.frames, steps);
  bool passed = agrees(plate, options.frames, expected);
  picture.draw();
  passed =
      check_images("picture", picture.in_host_memory, heat_image(plate.dim, expected), 0) && passed;
  return verdict(options.name(), passed);
}
