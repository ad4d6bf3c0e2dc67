#pragma once
#include <span>
#include <string>
#include <string_view>

#include "image.h"

// Simple drawing into an Image, for labels and charts. (x, y) is a lower left corner; y grows upward.
// Whatever lies outside the picture is left out.

/// Fills w x h pixels.
void fill_rect(Image& image, int x, int y, int w, int h, Color color);

/// Draws one line of ASCII text in a 5 x 7 pixel font (6 pixels per character, `scale` times as large).
/// Characters that the font does not have are drawn as a box.
void draw_text(Image& image, int x, int y, std::string_view text, Color color, int scale = 1);

/// The width of that text in pixels.
int text_width(std::string_view text, int scale = 1);
/// The height of a line in pixels, without space between lines.
int text_height(int scale = 1);

struct Bar {
  std::string label;
  double value = 0;
  double beside = 0;  ///< a second bar under the same label, in charts with a legend
};

/// What the two bars of each label are.
struct Legend {
  std::string value, beside;
};

/// A bar chart on white: title, y axis from 0 with round ticks, one bar per value (negative values and NaN as
/// 0), and as many of the labels below as fit. With a legend, two bars per label.
Image bar_chart(std::string_view title, std::span<const Bar> bars, std::string_view y_axis, int width,
                int height, const Legend& legend = {});
