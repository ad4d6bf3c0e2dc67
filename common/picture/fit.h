#pragma once
#include <string>
#include <vector>

#include "image.h"

struct Point {
  int x;
  int y;
  bool operator==(const Point&) const = default;
};

/// The place of a picture in a window of any shape: in the middle, as large as fits. It is in the
/// window's pixels, from its lower left corner.
struct Fit {
  int left;
  int bottom;
  int width;
  int height;

  Fit(int window_width, int window_height, ImageView picture);

  /// Converts a place in the window (y downward) to a pixel of the
  /// picture (y upward); outside, to the nearest pixel.
  Point picture_point(int x, int y) const;

 private:
  int window_height_;
  int picture_width_;
  int picture_height_;
};

/// The parts of a window's title in this order, the important ones first. Empty parts are left out.
struct Title {
  std::string name;
  std::string shown;  ///< method, scene, steps
  std::string size;
  std::string rate;
  std::string ms;
  std::string state;  ///< the device that draws, or that it is paused
};

/// The title for a window of so many pixels. If its bar would cut the end, the title drops the
/// rate, then the size, and at last the milliseconds.
std::string fitting_text(Title title, int window_width);

/// A smaller picture. A pixel is the mean color of those that fall into it. 4 bytes per pixel.
std::vector<unsigned char> shrunk(ImageView picture, int width, int height);
