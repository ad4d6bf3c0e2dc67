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
  double beside = 0;  ///< a second bar under the same label, in charts with a legend
};

struct Legend {
  std::string value;   ///< what the first of the two bars of each label is
  std::string beside;  ///< and the second
};

/// A bar chart on white: title, y axis from 0 with round ticks, one bar per value, from 0 up, and
/// its label below. With a legend, two bars per label.
Image bar_chart(std::string_view title, std::span<const Bar> bars, std::string_view y_axis,
                int width, int height, const Legend& legend = {});
