#include "image.h"

#include <errno.h>
#include <png.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "../fail.h"
#include "file.h"

namespace {

// A file of a few bytes can claim any size. A larger size than this one
// (8192 x 8192, 256 MiB) is refused.
constexpr size_t max_pixels_read = size_t{1} << 26;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

/// The error in the file; empty if there is none.
std::string read_png(std::FILE* file, Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_stdio(&png, file)) return png.message;
  // 16 bits per channel would count as linear light. But nearly all such
  // files hold sRGB, like the 8-bit ones.
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  png.format = PNG_FORMAT_RGBA;
  if (size_t{png.width} * png.height > max_pixels_read) {
    png_image_free(&png);
    return "its size of " + std::to_string(png.width) + " x " + std::to_string(png.height) +
           " pixels is not supported";
  }
  image = Image(static_cast<int>(png.width), static_cast<int>(png.height));
  // A negative stride makes the first row of the file the last one in memory: row 0 is the bottom.
  const auto stride = -static_cast<png_int_32>(4 * png.width);
  return png_image_finish_read(&png, nullptr, image.rgba.data(), stride, nullptr) ? ""
                                                                                  : png.message;
}

/// Rows from the top, without alpha, as files have them.
std::vector<unsigned char> rgb_from_top(ImageView image) {
  std::vector<unsigned char> rgb(size_t{3} * image.width * image.height);
  unsigned char* out = rgb.data();
  for (int y = image.height - 1; y >= 0; --y) {
    const unsigned char* in = image.rgba + size_t{4} * y * image.width;
    for (int x = 0; x < image.width; ++x, in += 4, out += 3) std::copy_n(in, 3, out);
  }
  return rgb;
}

std::string write_png(std::FILE* file, ImageView image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  const bool written =
      png_image_write_to_stdio(&png, file, 0, rgb_from_top(image).data(), 3 * image.width, nullptr);
  return written ? "" : png.message;
}

std::string write_ppm(std::FILE* file, ImageView image) {
  std::fprintf(file, "P6\n%d %d\n255\n", image.width, image.height);
  const std::vector<unsigned char> rgb = rgb_from_top(image);
  std::fwrite(rgb.data(), 1, rgb.size(), file);
  return "";  // the caller looks at the stream's state
}

}  // namespace

Image::Image(int width, int height) : width(width), height(height) {
  rgba.assign(size_t{4} * width * height, 0);
  for (size_t i = 3; i < rgba.size(); i += 4) rgba[i] = 255;
}

Image read_image(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) fail(exit_code::wrong_use, "cannot read " + path + ": " + std::strerror(errno));
  Image image;
  const std::string problem = read_png(file.get(), image);
  if (!problem.empty())
    fail(exit_code::wrong_use, "cannot read the picture " + path + ": " + problem);
  return image;
}

std::string try_write_image(const std::string& path, ImageView image) {
  const std::string ending = file_ending(path);
  std::string problem;
  if (ending != ".png" && ending != ".ppm") {
    problem = "pictures end in .png or .ppm";
  } else {
    NewFile file(path);
    problem = file.error();
    if (problem.empty()) {
      errno = 0;
      problem =
          ending == ".png" ? write_png(file.stream(), image) : write_ppm(file.stream(), image);
      if (std::ferror(file.stream())) problem = std::strerror(errno != 0 ? errno : EIO);
    }
    if (problem.empty() && !file.commit()) problem = file.error();
  }
  return problem.empty() ? "" : "cannot write " + path + ": " + problem;
}

void write_image(const std::string& path, ImageView image) {
  const std::string problem = try_write_image(path, image);
  if (!problem.empty()) fail(exit_code::failed, problem);
}

std::string absolute_path(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::string file_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return ending;
}
