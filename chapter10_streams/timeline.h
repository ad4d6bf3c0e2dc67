#pragma once
// The timeline of the chapter's samples: a picture of the times at which copies and kernels ran.
// Nothing here is needed to understand how streams are used.

#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../common/book.h"
#include "../common/device.h"
#include "../common/picture/draw.h"
#include "../common/picture/image.h"
#include "../common/timing.h"
#include "chunks.h"

/// The units that do the work: a copy engine for each direction, and the multiprocessors.
enum class Engine { copy_in, kernel, copy_out };

/// The times at which the operations of some streams ran.
///
/// On a GPU an event after each operation measures its end. Its beginning is inferred: it begins
/// when the operation before it in the stream has ended. A copy also waits for a free engine.
/// (An event before the operation would not measure its beginning. That event is reached when the
/// operation before has ended, while this one may still wait for its engine.)
///
/// The emulated device runs every operation when it is submitted. There the timeline shows the
/// operations that may run at the same time, as if every operation took one step.
class Timeline {
 public:
  explicit Timeline(const std::vector<Pipeline>& pipelines) {
    for (const Pipeline& pipeline : pipelines) streams_.push_back(pipeline.stream);
  }
  ~Timeline() {
    for (const Operation& operation : operations_) cudaEventDestroy(operation.stop);
    if (begin_ != nullptr) cudaEventDestroy(begin_);
  }
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// Marks the operation that was just submitted to `stream`. `name`: one letter for the picture.
  /// Does nothing before start() and after finish().
  void mark(cudaStream_t stream, Engine engine, char name) {
    if (!is_running_) return;
    const auto row = std::find(streams_.begin(), streams_.end(), stream) - streams_.begin();
    operations_.push_back({static_cast<int>(row), engine, name, record(stream)});
  }

  void start() {
    HANDLE_ERROR(cudaDeviceSynchronize());
    begin_ = record(streams_[0]);
    is_running_ = true;
  }
  /// Waits for all marked operations.
  void finish() {
    is_running_ = false;
    HANDLE_ERROR(cudaDeviceSynchronize());
    if (is_emulated) {
      in_steps();
    } else {
      in_milliseconds();
    }
    for (const Operation& operation : operations_) end_ = std::max(end_, operation.last);
  }

  /// The part of the time, 0 to 1, in which two or more operations ran. For a GPU.
  float overlap() const {
    // +1 where an operation begins, -1 where it ends.
    std::vector<std::pair<float, int>> changes;
    for (const Operation& operation : operations_) {
      changes.push_back({operation.first, 1});
      changes.push_back({operation.last, -1});
    }
    std::sort(changes.begin(), changes.end());
    float overlapping = 0;
    float before = 0;
    int running = 0;
    for (const auto& [when, change] : changes) {
      if (running >= 2) overlapping += when - before;
      running += change;
      before = when;
    }
    return end_ > 0 ? overlapping / end_ : 0;
  }

  /// Rows: copies in, kernels and copies out of each stream. Time grows to the right.
  Image picture(const std::string& title, int width, int height) const {
    constexpr Color white{255, 255, 255};
    constexpr Color black{0, 0, 0};
    constexpr Color gray{225, 225, 225};
    constexpr std::array<Color, 3> colors{Color{90, 140, 220}, Color{80, 170, 90},
                                          Color{235, 150, 60}};
    constexpr std::array<const char*, 3> names{"in", "kernel", "out"};
    const int scale = std::max(1, width / 480);
    const int gap = 4 * scale;
    const int line = text_height(scale) + gap;
    const int left = text_width("stream 0: kernel", scale) + 2 * gap;
    const int right = width - gap;
    const int rows = 3 * static_cast<int>(streams_.size());
    const int bottom = 2 * line + gap;
    const int row_height = std::max(1, (height - bottom - 2 * line) / rows);

    Image image(width, height);
    fill_rect(image, 0, 0, width, height, white);
    draw_text(image, gap, height - line, title, black, scale);
    const auto y_of = [&](int row) { return bottom + (rows - 1 - row) * row_height; };
    for (int row = 0; row < rows; ++row) {
      const std::string label = "stream " + std::to_string(row / 3) + ": " + names[row % 3];
      fill_rect(image, left, y_of(row), right - left, row_height - gap, gray);
      draw_text(image, gap, y_of(row) + (row_height - line) / 2, label, black, scale);
    }

    const auto x_of = [&](float when) {
      return left +
             static_cast<int>(static_cast<float>(right - left) * when / std::max(end_, 1e-6f));
    };
    for (const Operation& operation : operations_) {
      const int engine = static_cast<int>(operation.engine);
      const int y = y_of(3 * operation.stream + engine);
      const int x = x_of(operation.first);
      const int wide = std::max(1, x_of(operation.last) - x - 1);
      fill_rect(image, x, y, wide, row_height - gap, colors[engine]);
      const std::string name(1, operation.name);
      if (wide > text_width(name, scale) + 1)
        draw_text(image, x + (wide - text_width(name, scale)) / 2, y + (row_height - line) / 2,
                  name, black, scale);
    }
    char text[100] = "order and dependencies only (emulated)";
    if (!is_emulated)
      std::snprintf(text, sizeof text, "0 to %.3f ms: ends measured, beginnings inferred", end_);
    const int room = width - gap - text_width(text, scale);
    draw_text(image, std::max(gap, std::min(left, room)), gap, text, black, scale);
    return image;
  }

 private:
  struct Operation {
    int stream;
    Engine engine;
    char name;
    cudaEvent_t stop;
    float first = 0;
    float last = 0;
  };

  static cudaEvent_t record(cudaStream_t stream) {
    cudaEvent_t event;
    HANDLE_ERROR(cudaEventCreate(&event));
    HANDLE_ERROR(cudaEventRecord(event, stream));
    return event;
  }

  void in_milliseconds() {
    for (Operation& operation : operations_)
      HANDLE_ERROR(cudaEventElapsedTime(&operation.last, begin_, operation.stop));
    for (size_t i = 0; i < operations_.size(); ++i)
      for (size_t k = 0; k < operations_.size(); ++k) {
        Operation& operation = operations_[i];
        const Operation& other = operations_[k];
        const bool before_in_stream = other.stream == operation.stream && k < i;
        const bool before_in_engine = other.engine == operation.engine &&
                                      operation.engine != Engine::kernel &&
                                      other.last < operation.last;
        if (before_in_stream || before_in_engine)
          operation.first = std::max(operation.first, other.last);
      }
  }

  /// The operations of a stream keep their order, and each engine does one at a time: the one
  /// submitted first of those that are ready.
  void in_steps() {
    std::vector<bool> done(operations_.size());
    size_t left = operations_.size();
    for (int step = 0; left > 0; ++step) {
      std::vector<bool> stream_waits(streams_.size());
      std::array<bool, 3> engine_is_busy{};
      for (size_t i = 0; i < operations_.size(); ++i) {
        Operation& operation = operations_[i];
        if (done[i] || stream_waits[operation.stream]) continue;
        stream_waits[operation.stream] = true;  // later operations of the stream wait for this one
        bool& busy = engine_is_busy[static_cast<int>(operation.engine)];
        if (busy) continue;
        busy = true;
        done[i] = true;
        operation.first = static_cast<float>(step);
        operation.last = operation.first + 1;
        --left;
      }
    }
  }

  std::vector<cudaStream_t> streams_;
  std::vector<Operation> operations_;
  cudaEvent_t begin_ = nullptr;
  bool is_running_ = false;
  float end_ = 0;
};

/// Runs submit() twice: once by the clock, and once with the timeline, which becomes the picture.
inline Image time_and_draw(Timeline& timeline, const std::function<void()>& submit,
                           const std::string& title, int size) {
  // The events are in the default stream, which waits for the others.
  EventTimer timer;
  timer.start();
  submit();
  std::printf("Time taken: %s\n", time_text(timer.stop()).c_str());

  timeline.start();
  submit();
  timeline.finish();
  if (!is_emulated)
    std::printf("%.0f %% of the time copies and kernels overlap\n", 100 * timeline.overlap());
  return timeline.picture(title, size, size / 2 + 1);
}
