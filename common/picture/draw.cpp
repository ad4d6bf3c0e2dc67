#include "draw.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include "font.h"

namespace {

constexpr Color white{255, 255, 255};
constexpr Color black{0, 0, 0};
constexpr Color gray{210, 210, 210};
constexpr Color blue{40, 90, 170};
constexpr Color orange{235, 140, 40};
constexpr Color red{190, 30, 30};

/// The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `value`: a
/// step that is easy to read on an axis.
double round_step(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= value) return factor * power;
  }
  return 10 * power;
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// The amount of ink `column` to the right of and `row` below the upper left corner of a
/// character. It is interpolated between the centers of the font's pixels, so enlarged letters
/// get round corners and joined diagonals.
float ink_at(char character, float column, float row) {
  const float left = std::floor(column - 0.5f);
  const float top = std::floor(row - 0.5f);
  const float a = column - 0.5f - left;
  const float b = row - 0.5f - top;
  const auto at = [&](int right, int down) {
    return font::is_ink(character, static_cast<int>(left) + right, static_cast<int>(top) + down)
               ? 1.0f
               : 0.0f;
  };
  return (1 - b) * ((1 - a) * at(0, 0) + a * at(1, 0)) + b * ((1 - a) * at(0, 1) + a * at(1, 1));
}

}  // namespace

void fill_rect(Image& image, int x, int y, int w, int h, Color color) {
  const long right = std::min<long>(image.width, static_cast<long>(x) + w);
  const long top = std::min<long>(image.height, static_cast<long>(y) + h);
  for (int v = std::max(y, 0); v < top; ++v)
    for (int u = std::max(x, 0); u < right; ++u)
      std::memcpy(image.pixel(u, v), &color, sizeof color);
}

void draw_text(Image& image, int x, int y, std::string_view text, Color color, int scale) {
  const auto size = static_cast<float>(scale);
  for (const char character : text) {
    for (int v = -font::descent * scale; v < font::height * scale; ++v) {
      for (int u = 0; u < font::width * scale; ++u) {
        if (x + u < 0 || x + u >= image.width || y + v < 0 || y + v >= image.height) continue;
        const float ink =
            ink_at(character, (static_cast<float>(u) + 0.5f) / size,
                   static_cast<float>(font::height) - (static_cast<float>(v) + 0.5f) / size);
        const float share = std::clamp((ink - 0.4f) * std::max(2.0f, size) + 0.5f, 0.0f, 1.0f);
        const auto mixed = [share](unsigned char under, unsigned char over) {
          return static_cast<unsigned char>(std::lround(static_cast<float>(under) * (1 - share) +
                                                        static_cast<float>(over) * share));
        };
        unsigned char* const pixel = image.pixel(x + u, y + v);
        const Color result{mixed(pixel[0], color.red), mixed(pixel[1], color.green),
                           mixed(pixel[2], color.blue), mixed(pixel[3], color.alpha)};
        std::memcpy(pixel, &result, sizeof result);
      }
    }
    x += (font::width + 1) * scale;
  }
}

int text_width(std::string_view text, int scale) {
  if (text.empty()) return 0;
  return (static_cast<int>(text.size()) * (font::width + 1) - 1) * scale;
}

int text_height(int scale) { return font::height * scale; }

Image bar_chart(const ChartWords& words, std::span<const Bar> bars, int width, int height) {
  const bool two = !words.value.empty();
  Image image(width, height);
  fill_rect(image, 0, 0, width, height, white);
  double largest = 0;
  for (const Bar& bar : bars) largest = std::max({largest, bar.value, bar.beside});
  const double step = largest > 0 ? round_step(largest / 5) : 1;
  const int ticks = std::max(1, static_cast<int>(std::ceil(largest / step - 1e-9)));

  // Letters grow with the picture, so that they stay readable when it is shown small. In a large
  // picture they leave the room to the bars.
  const int scale = std::clamp(std::min(width, height) / 110, 1, 4);
  // The largest scale at which it fits the width.
  const auto fitting = [&](std::string_view text) {
    int largest = scale;
    while (largest > 1 && text_width(text, largest) > width - 8 * largest) --largest;
    return largest;
  };
  const int line = text_height(scale);
  const int gap = line / 2;
  int label_width = 0;
  for (int tick = 0; tick <= ticks; ++tick)
    label_width = std::max(label_width, text_width(short_number(tick * step), scale));
  const int left = gap + label_width + gap;
  const int right = width - 2 * gap;
  const bool x_named = !words.x_axis.empty();
  const int under_axis = gap + gap / 2;
  const int bottom = (x_named ? line + gap : 0) + gap + line + under_axis;

  // Above the bars, line by line: title, warning, legend, name of the y axis.
  int y = height;
  const auto next_line = [&](const std::string& text) {
    if (!text.empty()) y -= line + gap;
    return !text.empty();
  };
  const auto draw_middle = [&](const std::string& text, int at, Color color) {
    const int letters = fitting(text);
    draw_text(image, (width - text_width(text, letters)) / 2, at, text, color, letters);
  };
  if (next_line(words.title)) draw_middle(words.title, y, black);
  if (next_line(words.note)) draw_middle(words.note, y, red);
  if (next_line(words.value)) {
    const std::string squares = "abcde";  // the letters whose room the squares take
    const int letters = fitting(words.value + words.beside + squares);
    const int side = text_height(letters);
    int x = gap;
    for (const auto& [text, color] :
         {std::pair{words.value, blue}, std::pair{words.beside, orange}}) {
      fill_rect(image, x, y, side, side, color);
      draw_text(image, x + side + side / 2, y, text, black, letters);
      x += 5 * side / 2 + text_width(text, letters);
    }
  }
  if (next_line(words.y_axis)) draw_text(image, gap, y, words.y_axis, black, fitting(words.y_axis));
  if (x_named) draw_middle(words.x_axis, gap, black);
  const int top = y - line - gap;
  if (right <= left || top <= bottom) return image;  // too small for more

  for (int tick = 0; tick <= ticks; ++tick) {
    const int y =
        bottom + static_cast<int>(std::lround(static_cast<double>(top - bottom) * tick / ticks));
    const std::string label = short_number(tick * step);
    fill_rect(image, left, y, right - left, std::max(1, scale / 2), tick == 0 ? black : gray);
    draw_text(image, left - gap - text_width(label, scale), y - line / 2, label, black, scale);
  }
  const double slot =
      bars.empty() ? 0 : static_cast<double>(right - left) / static_cast<double>(bars.size());
  // A label may extend to the next one.
  size_t apart = std::max<size_t>(bars.size(), 1);
  size_t widest = 0;  // in letters
  size_t last = bars.size();
  for (size_t i = 0; i < bars.size(); ++i) {
    if (bars[i].label.empty()) continue;
    widest = std::max(widest, bars[i].label.size());
    if (last < i) apart = std::min(apart, i - last);
    last = i;
  }
  const std::string longest(widest, '0');
  const auto fits = [&](int letters) {
    return text_width(longest, letters) + letters <= slot * static_cast<double>(apart);
  };
  int letters = scale;  // smaller if all labels then fit
  while (2 * letters > scale && !fits(letters)) --letters;
  if (letters < 1 || !fits(letters)) letters = scale;
  for (size_t i = 0; i < bars.size(); ++i) {
    const int from = left + static_cast<int>(slot * static_cast<double>(i));
    const int to = left + static_cast<int>(slot * static_cast<double>(i + 1));
    const int space = (to - from) / 5;
    const int all = to - from - 2 * space;
    const int bar_width = two ? all / 2 : all;
    const auto draw_bar = [&](int x, double value, Color color) {
      const int bar_height = static_cast<int>(
          std::lround((top - bottom) * value / (static_cast<double>(ticks) * step)));
      fill_rect(image, x, bottom + 1, std::max(1, bar_width), bar_height, color);
    };
    draw_bar(from + space, bars[i].value, blue);
    if (two) draw_bar(from + space + bar_width, bars[i].beside, orange);
    draw_text(image, (from + to - text_width(bars[i].label, letters)) / 2,
              bottom - under_axis - line, bars[i].label, black, letters);
  }
  return image;
}
