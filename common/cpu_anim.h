#pragma once
#include <math.h>
#include <string.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "picture/image.h"
#include "picture/interaction.h"

class Options;

// The book's listings cast their functions, void (DataBlock*, int), to the types below.
#pragma GCC diagnostic ignored "-Wcast-function-type"

/// The book's moving picture in host memory: 4 bytes (RGBA) per pixel, row 0 at the bottom.
struct CPUAnimBitmap {
  /// `data` is passed to the functions given below.
  CPUAnimBitmap(int width, int height, void* data = nullptr);
  CPUAnimBitmap(const CPUAnimBitmap&) = delete;  // the book's programs hold pointers to its pixels
  CPUAnimBitmap& operator=(const CPUAnimBitmap&) = delete;

  unsigned char* get_ptr(void) const { return pixels; }
  long image_size(void) const { return static_cast<long>(bytes_.size()); }
  ImageView view() const { return {width, height, pixels}; }

  /// The book's call: `f(data, x0, y0, x1, y1)` when the left button is released; y points down.
  void click_drag(void (*f)(void*, int, int, int, int)) { clickDrag = f; }

  /// The book's call: f(data, ticks), for ticks = 1, 2, ..., fills the picture for a window or,
  /// without one, a film. Then e(data) frees. Unlike the book's, it returns.
  void anim_and_exit(void (*f)(void*, int), void (*e)(void*));

  /// For samples with options: draw(frame), for frame = 0, 1, ..., fills
  /// get_ptr(). Returns main's exit code.
  int animate(const Options& options, const std::function<void(int frame)>& draw,
              const Interaction& interaction = {}) const;

 private:
  std::vector<unsigned char> bytes_;

 public:  // as in the book
  unsigned char* pixels;
  int width;
  int height;
  void* dataBlock;
  void (*clickDrag)(void*, int, int, int, int) = nullptr;
};
