#include "image.h"

#include <errno.h>
#include <png.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>

#include "../fail.h"
#include "file.h"

namespace {

// A file of a few bytes can claim any size; beyond this one (8192 x 8192, 256 MiB) we do not believe it.
constexpr std::size_t max_pixels_read = std::size_t{1} << 26;
constexpr std::size_t max_png_bytes = 0xffffffff;  // libpng's limit for a picture in memory

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

bool size_is_sane(std::size_t width, std::size_t height) {
  return width > 0 && height > 0 && width <= max_pixels_read && height <= max_pixels_read / width;
}

std::string size_problem(std::size_t width, std::size_t height) {
  return "its size of " + std::to_string(width) + " x " + std::to_string(height) + " pixels is not supported";
}

/// How many bytes the file has; of a pipe or a device that is unknown.
std::size_t file_bytes(std::FILE* file) {
  struct stat status {};
  const bool known = ::fstat(::fileno(file), &status) == 0 && S_ISREG(status.st_mode);
  return known ? static_cast<std::size_t>(status.st_size) : std::numeric_limits<std::size_t>::max();
}

/// Can a file of this length hold the pixels that its header promises? Asked before memory for them is taken.
/// `max_per_byte`: to how many bytes one of the file can grow.
bool can_hold(std::FILE* file, std::size_t bytes, std::size_t max_per_byte) {
  return bytes / max_per_byte <= file_bytes(file);
}
constexpr std::size_t max_per_deflated_byte = 1032;  // zlib's manual, "Maximum Compression Factor"

/// The three readers return what is wrong, empty when nothing is.
std::string read_png(std::FILE* file, Image& image) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_stdio(&png, file)) return png.message;
  // 16 bits per channel would count as linear light; nearly all such files hold sRGB like the 8-bit ones.
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  png.format = PNG_FORMAT_RGBA;
  if (!size_is_sane(png.width, png.height)) {
    png_image_free(&png);
    return size_problem(png.width, png.height);
  }
  // A palette of 1 bit per pixel becomes 32 bits: one byte for 1/8 of the bytes of a pixel.
  if (!can_hold(file, std::size_t{png.width} * png.height / 8, max_per_deflated_byte)) {
    png_image_free(&png);
    return "it ends too early";
  }
  image = Image(static_cast<int>(png.width), static_cast<int>(png.height));
  // A negative stride makes the first row of the file the last one in memory: row 0 is the bottom.
  const auto stride = -static_cast<png_int_32>(4 * png.width);
  if (!png_image_finish_read(&png, nullptr, image.rgba.data(), stride, nullptr)) return png.message;
  return "";
}

/// The next number in the header of a PPM, where a # begins a comment up to the end of the line.
std::optional<std::size_t> ppm_number(std::FILE* file) {
  int c = std::getc(file);
  while (c == '#' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
    if (c == '#') {
      while (c != '\n' && c != EOF) c = std::getc(file);
    }
    c = std::getc(file);
  }
  std::size_t number = 0;
  bool any = false;
  for (; c >= '0' && c <= '9' && number < 1'000'000'000; c = std::getc(file)) {
    number = 10 * number + (c - '0');
    any = true;
  }
  // The one white space after the last number is taken too, as the format requires.
  if (!any || (c != ' ' && c != '\t' && c != '\n' && c != '\r')) return std::nullopt;
  return number;
}

std::string read_ppm(std::FILE* file, Image& image) {
  std::getc(file);  // P6, seen by the caller
  std::getc(file);
  const auto width = ppm_number(file), height = ppm_number(file), most = ppm_number(file);
  if (!width || !height || !most || *most == 0 || *most > 65535) return "its header is not one of a P6 file";
  if (!size_is_sane(*width, *height)) return size_problem(*width, *height);
  const std::size_t bytes_per_channel = *most > 255 ? 2 : 1;
  if (!can_hold(file, *width * *height * 3 * bytes_per_channel, 1)) return "it ends too early";
  image = Image(static_cast<int>(*width), static_cast<int>(*height));
  std::vector<unsigned char> row(*width * 3 * bytes_per_channel);
  for (int y = image.height - 1; y >= 0; --y) {
    if (std::fread(row.data(), 1, row.size(), file) != row.size()) return "it ends too early";
    for (int x = 0; x < image.width; ++x) {
      for (int c = 0; c < 3; ++c) {
        const unsigned char* sample = row.data() + (3 * static_cast<std::size_t>(x) + c) * bytes_per_channel;
        const std::size_t level = bytes_per_channel == 2 ? sample[0] * 256u + sample[1] : sample[0];
        image.pixel(x, y)[c] = static_cast<unsigned char>((std::min(level, *most) * 255 + *most / 2) / *most);
      }
    }
  }
  return "";
}

std::string read_any(std::FILE* file, Image& image) {
  unsigned char start[8] = {};
  const std::size_t got = std::fread(start, 1, sizeof start, file);
  if (std::ferror(file)) return "reading failed";
  if (got == 0) return "it is empty";
  std::rewind(file);
  if (png_sig_cmp(start, 0, sizeof start) == 0) return read_png(file, image);
  if (start[0] == 'P' && start[1] == '6') return read_ppm(file, image);
  return "it is neither a PNG nor a P6 picture";
}

/// Rows from the top, without alpha: what .ppm files hold, and .png files of opaque pictures.
std::vector<unsigned char> rgb_from_top(ImageView image) {
  std::vector<unsigned char> rgb(std::size_t{3} * image.width * image.height);
  unsigned char* out = rgb.data();
  for (int y = image.height - 1; y >= 0; --y) {
    const unsigned char* in = image.rgba + std::size_t{4} * y * image.width;
    for (int x = 0; x < image.width; ++x, in += 4, out += 3) std::copy_n(in, 3, out);
  }
  return rgb;
}

bool is_opaque(ImageView image) {
  for (std::size_t i = 3; i < image.bytes(); i += 4) {
    if (image.rgba[i] != 255) return false;
  }
  return true;
}

std::string write_png(std::FILE* file, ImageView image, bool with_alpha) {
  if (image.bytes() > max_png_bytes) return "a PNG holds at most 4 GiB of pixels (a .ppm has no limit)";
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  int written = 0;
  if (with_alpha) {
    png.format = PNG_FORMAT_RGBA;
    written = png_image_write_to_stdio(&png, file, 0, image.rgba, -4 * image.width, nullptr);
  } else {
    png.format = PNG_FORMAT_RGB;
    written = png_image_write_to_stdio(&png, file, 0, rgb_from_top(image).data(), 3 * image.width, nullptr);
  }
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
  if (width < 0 || height < 0) throw std::invalid_argument("Image: negative size");
  rgba.assign(std::size_t{4} * width * height, 0);
  for (std::size_t i = 3; i < rgba.size(); i += 4) rgba[i] = 255;
}

Image read_image(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rbe"), std::fclose);
  if (!file) fail(exit_code::wrong_use, "cannot read " + path + ": " + std::strerror(errno));
  Image image;
  std::string problem;
  try {
    problem = read_any(file.get(), image);
  } catch (const std::bad_alloc&) {
    problem = "not enough memory for it";
  }
  if (!problem.empty()) fail(exit_code::wrong_use, "cannot read the picture " + path + ": " + problem);
  return image;
}

std::string try_write_image(const std::string& path, ImageView image, bool keep_alpha) {
  const std::string ending = file_ending(path);
  std::string problem;
  if (ending != ".png" && ending != ".ppm") {
    problem = "pictures end in .png or .ppm";
  } else if (image.width <= 0 || image.height <= 0) {
    problem = "the picture is empty";
  } else {
    NewFile file(path);
    problem = file.error();
    if (problem.empty()) {
      errno = 0;
      problem = ending == ".png" ? write_png(file.stream(), image, keep_alpha && !is_opaque(image))
                                 : write_ppm(file.stream(), image);
      if (std::ferror(file.stream())) problem = std::strerror(errno != 0 ? errno : EIO);
    }
    if (problem.empty() && !file.commit()) problem = file.error();
  }
  return problem.empty() ? "" : "cannot write " + path + ": " + problem;
}

void write_image(const std::string& path, ImageView image, bool keep_alpha) {
  const std::string problem = try_write_image(path, image, keep_alpha);
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
