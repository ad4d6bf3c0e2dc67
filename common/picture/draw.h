#pragma once
#include <span>
#include <string>
#include <string_view>

#include "image.h"

// Simple drawing into an Image, for labels and charts. (x, y) is a lower left corner; y grows
// upward. Whatever lies outside the picture is left out.

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

/// What is written on a chart. Whatever is empty is left out, with its room.
struct ChartWords {
  std::string title;
  std::string x_axis;    ///< what the labels below the bars are
  std::string y_axis;    ///< what is counted or measured, and its unit
  std::string note{};    ///< a warning below the title, in red
  std::string value{};   ///< with two bars per label: what the first one is
  std::string beside{};  ///< and the second
};

/// A bar chart on white: one bar per value, or two where `words` name both, from 0 up, its label
/// below; round ticks on the y axis.
Image bar_chart(const ChartWords& words, std::span<const Bar> bars, int width, int height);
