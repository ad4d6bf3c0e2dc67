#pragma once
#include <cstddef>
#include <string>
#include <vector>

/// The layout of a pixel in memory.
struct Color {
  unsigned char red = 0;
  unsigned char green = 0;
  unsigned char blue = 0;
  unsigned char alpha = 255;
};

/// A picture in host memory: 4 bytes (red, green, blue, alpha) per pixel, row
/// after row, row 0 at the BOTTOM.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> rgba;

  Image() = default;
  Image(int width, int height);  ///< opaque black

  unsigned char* pixel(int x, int y) {
    return rgba.data() + 4 * (static_cast<size_t>(y) * width + x);
  }
  const unsigned char* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

/// The same layout in memory with another owner, such as a CPUBitmap.
struct ImageView {
  int width = 0;
  int height = 0;
  const unsigned char* rgba = nullptr;

  ImageView(int width, int height, const unsigned char* rgba)
      : width(width), height(height), rgba(rgba) {}
  ImageView(const Image& image)
      : ImageView(image.width, image.height, image.rgba.data()) {}  // NOLINT: as a span
  size_t bytes() const { return size_t{4} * width * height; }
};

/// Reads a PNG of any kind. An unreadable file ends the program: one sentence, exit code 2.
Image read_image(const std::string& path);

/// Writes a .png or a .ppm without alpha. The complete file replaces an older one. A failure ends
/// the program: one sentence, exit code 1.
void write_image(const std::string& path, ImageView image);
/// The same for programs that continue: returns the sentence, which is empty after success.
std::string try_write_image(const std::string& path, ImageView image);

/// The ending of a file's name in small letters, with its dot: ".png".
std::string file_ending(const std::string& path);

std::string absolute_path(const std::string& path);
