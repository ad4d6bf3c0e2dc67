#include "side_by_side.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "device.h"
#include "device_memory.h"
#include "options.h"
#include "picture/draw.h"
#include "picture/present.h"
#include "timing.h"

namespace {

constexpr int gap = 4;           // pixels between the halves
constexpr double text_ms = 500;  // between changes of the shown time, so that it can be read
constexpr Color dark{25, 25, 25, 255};
constexpr Color light{255, 255, 255, 255};
constexpr Color differing{255, 0, 0, 255};

/// The median time of the last frames, as text that stays the same for a while.
class ShownTime {
 public:
  void add(double ms) {
    times_.push_back(ms);
    if (!text_.empty() && since_.ms() < text_ms) return;
    char text[50];
    std::snprintf(text, sizeof text, "%.3f ms", summary(times_).median_ms);
    text_ = is_recording() ? time_text(0) : text;
    times_.clear();
    since_.restart();
  }
  const std::string& text() const { return text_; }

 private:
  std::vector<double> times_;
  std::string text_;
  HostTimer since_;
};

/// Marks the differences of the first two parts in red in the third. Returns the number of pixels.
size_t draw_difference(Image& picture, int size) {
  size_t count = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const unsigned char* const left = picture.pixel(x, y);
      const unsigned char* const right = picture.pixel(x + size + gap, y);
      if (std::equal(left, left + 4, right)) continue;
      ++count;
      fill_rect(picture, x + 2 * (size + gap), y, 1, 1, differing);
    }
  return count;
}

}  // namespace

int show_side_by_side(const Options& options, const std::array<Side, 2>& sides, bool moves,
                      Interaction interaction) {
  const int size = options.size;
  const int scale = std::max(1, size / 256);
  const int line = text_height(scale) + 4 * scale;
  // Name and time; without a GPU also a note that these are not a GPU's times,
  // which may be the other way round.
  const int lines = is_emulated ? 3 : 2;
  const int parts = moves ? 2 : 3;
  Image picture(parts * (size + gap) - gap, size + lines * line + 2 * scale);
  DeviceMemory<uchar4> pixels(static_cast<size_t>(size) * size);
  std::array<ShownTime, 2> times;
  std::array<std::string, 2> names;

  const auto caption = [&](int left, int row, const std::string& text) {
    draw_text(picture, left + 3 * scale, size + 3 * scale + (lines - 1 - row) * line, text, light,
              scale);
  };
  const auto draw = [&](int frame) {
    fill_rect(picture, 0, 0, picture.width, picture.height, dark);
    for (size_t side = 0; side < sides.size(); ++side) {
      const int left = side == 0 ? 0 : size + gap;
      const double ms = sides[side].draw(pixels.get(), frame);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaMemcpy2D(picture.pixel(left, 0), size_t{4} * picture.width, pixels.get(),
                                size_t{4} * size, size_t{4} * size, size, cudaMemcpyDeviceToHost));
      if (sides[side].name() != names[side]) times[side] = {};  // another method: another time
      names[side] = sides[side].name();
      times[side].add(ms);
      caption(left, 0, names[side]);
      caption(left, 1, times[side].text());
      caption(left, 2, times_note());
    }
    if (moves) return;
    const size_t count = draw_difference(picture, size);
    caption(2 * (size + gap), 0, "difference");
    caption(2 * (size + gap), 1, std::to_string(count) + " pixels");
  };
  /// A place in a half. Both ends of one piece of the mouse's way are in the half where it begins.
  const auto in_half = [size](const std::function<void(int, int, int, int)>& take) {
    return [=](int x0, int y0, int x1, int y1) {
      const int left = x0 < size + gap ? 0 : size + gap;
      const auto inside = [size](int v) { return std::clamp(v, 0, size - 1); };
      take(inside(x0 - left), inside(y0), inside(x1 - left), inside(y1));
    };
  };
  if (interaction.drag) interaction.drag = in_half(interaction.drag);
  if (interaction.released) interaction.released = in_half(interaction.released);
  interaction.title = [&, more = interaction.title] {
    return names[0] + " | " + names[1] + (more ? ", " + more() : "");
  };
  interaction.legend_top = picture.height - size;  // not over the captions
  if (moves) return present(options, picture, draw, interaction);
  draw(0);
  return present(options, picture, nullptr, interaction);
}
