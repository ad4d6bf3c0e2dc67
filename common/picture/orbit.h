#pragma once
#include <algorithm>

#include "../options.h"
#include "interaction.h"

/// A camera that goes round an object: a drag turns it, the wheel zooms, r puts it back.
struct Orbit {
  float turned = 0;  ///< radians
  float zoom = 1;    ///< smaller is nearer: a factor of what the picture shows

  static void add_keys(Options& options) { options.add_keys({{"drag", "orbit"}, {"wheel", "zoom"}}); }

  /// For a picture of dim x dim pixels: a drag across it is half a turn. The orbit must live as long as the window.
  Interaction interaction(int dim) {
    Interaction mouse;
    mouse.drag = [this, dim](int x0, int, int x1, int) {
      turned += 3.1416f * static_cast<float>(x1 - x0) / static_cast<float>(dim);
    };
    mouse.wheel = [this](int direction) {
      zoom = std::clamp(zoom * (direction > 0 ? 0.9f : 1 / 0.9f), 0.2f, 3.0f);
    };
    mouse.restart = [this] { *this = {}; };
    return mouse;
  }
};
