#pragma once
#include <functional>
#include <string>

#include "image.h"

/// A sample's actions for the mouse and for its own keys (Options::add_keys() declares them).
/// Coordinates are pixels of the picture, y upward, for any size of the window.
struct Interaction {
  /// Left button: called at the press with both ends the same, then for every
  /// piece of the way while the button is held.
  std::function<void(int x0, int y0, int x1, int y1)> drag;
  /// r: the next frame is frame 0 again; reset the state that the sample keeps between frames.
  std::function<void()> restart;
  /// The wheel: 1 up, -1 down.
  std::function<void(int direction)> wheel;
  /// Does the next frame look like this one? If so, a window draws none until a key is pressed.
  std::function<bool()> still;
  std::function<void(unsigned char key)> key;
  /// Mouse and keys only move a camera. So a paused frame is drawn again after them.
  bool camera = false;
  /// Text for the window's title after the sample's name: method, scene.
  /// Without it the title shows --method, if given.
  std::function<std::string()> title;
  /// Shown over the upper right corner of the picture in a window, such as a
  /// color scale; not in files.
  Image legend;
  int legend_top = 0;  ///< free rows of the picture above it
  /// Left button released: from the place of the press to here (the book's click_drag).
  std::function<void(int x0, int y0, int x1, int y1)> released;
};
