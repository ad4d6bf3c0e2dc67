#pragma once
#include <functional>
#include <string>

#include "image.h"

/// What a sample does with the mouse and with keys of its own (Options::add_keys() declares them).
/// Coordinates are pixels of the picture, y upward, whatever the window's size.
struct Interaction {
  /// Left button: at the press with both ends the same, then with every
  /// piece of the way while it is held.
  std::function<void(int x0, int y0, int x1, int y1)> drag;
  /// r: the next frame is frame 0 again; put back what the sample keeps between frames.
  std::function<void()> restart;
  /// The wheel: 1 up, -1 down.
  std::function<void(int direction)> wheel;
  /// Does the next frame look like this one? Then a window draws none until a key is pressed.
  std::function<bool()> still;
  std::function<void(unsigned char key)> key;
  /// Mouse and keys move a camera and nothing else: a paused frame is drawn again for them.
  bool camera = false;
  /// For the window's title, behind the sample's name: method, scene.
  /// Without it --method, if there is one.
  std::function<std::string()> title;
  /// Shown over the upper right corner of the picture in a window, a color
  /// scale for example; in no file.
  Image legend;
  int legend_top = 0;  ///< rows of the picture above it that it leaves free
  /// Left button released: from where it was pressed to here (the book's click_drag).
  std::function<void(int x0, int y0, int x1, int y1)> released;
};
