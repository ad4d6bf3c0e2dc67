#pragma once
#include <string>
#include <vector>

#include "image.h"

struct Point {
  int x;
  int y;
  bool operator==(const Point&) const = default;
};

/// Where a picture lies in a window whose shape may be another: as large as fits, in the middle. In
/// the window's pixels, from its lower left corner.
struct Fit {
  int left;
  int bottom;
  int width;
  int height;

  Fit(int window_width, int window_height, ImageView picture);

  /// A place in the window, y downward, as a pixel of the picture, y
  /// upward: the nearest one when outside.
  Point picture_point(int x, int y) const;

 private:
  int window_height_;
  int picture_width_;
  int picture_height_;
};

/// What a window's title says, in this order: what matters first. Empty parts are left out.
struct Title {
  std::string name;
  std::string shown;  ///< method, scene, steps
  std::string size;
  std::string rate;
  std::string ms;
  std::string state;  ///< which device draws, or that it is paused
};

/// The title in a window of so many pixels. Where its bar would cut the end, it has no rate, then
/// no size, and at last no milliseconds.
std::string fitting_text(Title title, int window_width);

/// A picture made smaller: the mean color of the pixels that fall into each. 4 bytes per pixel.
std::vector<unsigned char> shrunk(ImageView picture, int width, int height);
