#pragma once
#include <math.h>
#include <string.h>

#include <cstddef>
#include <vector>

#include "picture/image.h"

#if defined(BOOK_LISTING) && __has_include(<GL/glut.h>)
#include "gl_helper.h"  // the book's bitmap brings OpenGL with it
#endif

class Options;

/// The book's picture in host memory: 4 bytes (RGBA) per pixel, row 0 at the bottom.
struct CPUBitmap {
  CPUBitmap(int width, int height, void* data = nullptr);
  CPUBitmap(const CPUBitmap&) = delete;  // the book's programs hold pointers to its pixels
  CPUBitmap& operator=(const CPUBitmap&) = delete;

  unsigned char* get_ptr(void) const { return pixels; }
  long image_size(void) const { return static_cast<long>(bytes_.size()); }
  ImageView view() const { return {x, y, pixels}; }

  /// The book's call: shows the picture in a window or, without one, writes a file. Then calls `e`
  /// with the data block, if both exist. Unlike the book's, it returns, so main continues.
  void display_and_exit(void (*e)(void*) = nullptr);

  /// For samples with options. Returns main's exit code.
  int show(const Options& options) const;

 private:
  std::vector<unsigned char> bytes_;

 public:  // as in the book
  unsigned char* pixels;
  int x;
  int y;
  void* dataBlock;
};
