#pragma once
#include <algorithm>

#include "../options.h"
#include "interaction.h"

/// A camera that orbits an object: a drag turns it, the wheel zooms, r resets both.
struct Orbit {
  float turned = 0;  ///< radians around the object
  float raised = 0;  ///< radians above its equator
  float zoom = 1;    ///< smaller is nearer: a factor of what the picture shows

  static void add_keys(Options& options) {
    options.add_keys({{"drag", "orbit"}, {"wheel", "zoom"}});
  }

  /// For a picture of dim x dim pixels: a drag across it is half a turn. The
  /// orbit must outlive the window.
  Interaction interaction(int dim) {
    Interaction mouse;
    mouse.drag = [this, radians = 3.1416f / static_cast<float>(dim)](int x0, int y0, int x1,
                                                                     int y1) {
      turned -= radians * static_cast<float>(x1 - x0);
      raised = std::clamp(raised - radians * static_cast<float>(y1 - y0), -1.5f, 1.5f);
    };
    mouse.wheel = [this](int direction) {
      zoom = std::clamp(zoom * (direction > 0 ? 0.9f : 1 / 0.9f), 0.2f, 3.0f);
    };
    mouse.restart = [this] { *this = {}; };
    mouse.camera = true;
    return mouse;
  }
};
