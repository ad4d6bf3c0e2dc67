#pragma once
#include <span>
#include <string>
#include <string_view>

#include "image.h"

// Simple drawing into an Image, for labels and charts. (x, y) is a lower left corner; y grows
// upward. Parts outside the picture are left out.

/// Fills w x h pixels.
void fill_rect(Image& image, int x, int y, int w, int h, Color color);

/// Draws a line of ASCII text in a font of 5 x 7 pixels, `scale` times as large and smoothed; other
/// characters as a box. g, p, q and y reach 2 * scale below y.
void draw_text(Image& image, int x, int y, std::string_view text, Color color, int scale = 1);

int text_width(std::string_view text, int scale = 1);  ///< in pixels
int text_height(int scale = 1);                        ///< of a line

struct Bar {
  std::string label;
  double value = 0;
  double beside = 0;  ///< a second bar under the same label
};

/// The words on a chart. An empty one is left out and needs no room.
struct ChartWords {
  std::string title;
  std::string x_axis;    ///< the meaning of the labels below the bars
  std::string y_axis;    ///< the quantity counted or measured, and its unit
  std::string note{};    ///< a warning below the title, in red
  std::string value{};   ///< with two bars per label: the name of the first
  std::string beside{};  ///< and the second
};

/// A bar chart on white: one bar per value, or two if `words` name both. Bars start at 0, with the
/// label below; the y axis has round ticks.
Image bar_chart(const ChartWords& words, std::span<const Bar> bars, int width, int height);
