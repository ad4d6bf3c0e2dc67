#pragma once
#include <functional>
#include <string>

/// What a sample does with the mouse and with keys of its own. Coordinates are pixels of the picture (y
/// upward, inside the picture), whatever the window's size.
struct Interaction {
  /// Left button: at the press with both ends the same, then with every piece of the way while it is held.
  std::function<void(int x0, int y0, int x1, int y1)> drag;
  /// r: the next frame is frame 0 again; put back what the sample keeps between frames.
  std::function<void()> restart;
  /// Any key but Esc, q, space, s, r.
  std::function<void(unsigned char key)> key;
  /// What those keys do, told once on the terminal, as "m takes the next method"; may be empty.
  std::string keys;
  /// What is shown now, for the window's title, where it follows the sample's name; may be empty.
  std::function<std::string()> title;
  /// Left button released: from where it was pressed to here (the book's click_drag).
  std::function<void(int x0, int y0, int x1, int y1)> released;
};
