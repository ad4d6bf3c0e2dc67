#pragma once
// What a window of the heat programs shows beside the plate: the color scale, and + and - for the steps per frame.

#include <algorithm>
#include <cstdio>
#include <string>

#include "../common/heat_color.h"
#include "../common/picture/draw.h"
#include "../common/picture/interaction.h"
#include "heat_common.h"

/// The colors of the temperatures from 0 (below) to 1.
inline Image heat_scale() {
  constexpr int bar_width = 14, bar_height = 101, border = 8, label_width = 30;
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
    draw_text(scale, border + bar_width + 5, std::clamp(y - 3, border, border + bar_height - 7), label,
              {255, 255, 255, 255});
  }
  return scale;
}

/// What mouse and keys do there, for --help and the window.
inline void add_heat_keys(Options& options) {
  options.add_keys({{"a click or drag", "adds heat"}, {"+ and -", "double and halve the steps per frame"}});
}

/// Scale, title and the keys + and -, which change `steps`, the steps per frame. The sample adds what the mouse and r
/// do to its plate.
inline Interaction heat_interaction(int& steps) {
  Interaction interaction;
  interaction.legend = heat_scale();
  interaction.key = [&steps](unsigned char key) {
    if (key == '+' || key == '=') steps = std::min(2 * steps, most_steps);
    if (key == '-') steps = std::max(steps / 2, 1);
  };
  interaction.title = [&steps] {
    return std::to_string(steps) + (steps == 1 ? " step" : " steps") + " per frame";
  };
  return interaction;
}
