#pragma once
#include <cstddef>
#include <string>
#include <vector>

/// As a pixel of a picture lies in memory.
struct Color {
  unsigned char red = 0, green = 0, blue = 0, alpha = 255;
};

/// A picture in host memory: 4 bytes (red, green, blue, alpha) per pixel, row after row, and as everywhere in
/// this collection row 0 is the BOTTOM row.
struct Image {
  int width = 0, height = 0;
  std::vector<unsigned char> rgba;  ///< width * height * 4 bytes

  Image() = default;
  Image(int width, int height);  ///< opaque black

  /// The 4 bytes of pixel (x, y); 0 <= x < width, 0 <= y < height.
  unsigned char* pixel(int x, int y) { return rgba.data() + 4 * (static_cast<std::size_t>(y) * width + x); }
  const unsigned char* pixel(int x, int y) const {
    return rgba.data() + 4 * (static_cast<std::size_t>(y) * width + x);
  }
};

/// The same layout in memory that somebody else owns, a CPUBitmap for example.
struct ImageView {
  int width = 0, height = 0;
  const unsigned char* rgba = nullptr;

  ImageView(int width, int height, const unsigned char* rgba) : width(width), height(height), rgba(rgba) {}
  ImageView(const Image& image)
      : ImageView(image.width, image.height, image.rgba.data()) {}  // NOLINT: as a span
  std::size_t bytes() const { return std::size_t{4} * width * height; }
};

/// Reads a PNG (any kind) or a PPM (P6). What cannot be read ends the program: one sentence, exit code 2.
Image read_image(const std::string& path);

/// Writes a .png (with alpha where a pixel is not opaque) or a .ppm (without). The file is written beside its
/// place and renamed when complete, so that a failure leaves an older file as it was. A failure ends the
/// program: one sentence, exit code 1. `keep_alpha`: false writes what a window would show, where alpha has no effect.
void write_image(const std::string& path, ImageView image, bool keep_alpha = true);

/// The same for programs that go on after a failure: returns the sentence, empty when all went well.
std::string try_write_image(const std::string& path, ImageView image, bool keep_alpha = true);
