#include "fit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

Fit::Fit(int window_width, int window_height, ImageView picture)
    : window_height_(window_height),
      picture_width_(picture.width),
      picture_height_(picture.height) {
  const double scale = std::min(static_cast<double>(window_width) / picture.width,
                                static_cast<double>(window_height) / picture.height);
  width = std::max(1, static_cast<int>(std::lround(picture.width * scale)));
  height = std::max(1, static_cast<int>(std::lround(picture.height * scale)));
  left = (window_width - width) / 2;
  bottom = (window_height - height) / 2;
}

Point Fit::picture_point(int x, int y) const {
  const auto pixel = [](int position, int shown, int size) {
    return std::clamp(static_cast<int>(std::floor((position + 0.5) * size / shown)), 0, size - 1);
  };
  const int up = window_height_ - 1 - y;
  return {pixel(x - left, width, picture_width_), pixel(up - bottom, height, picture_height_)};
}

std::string fitting_text(Title title, int window_width) {
  constexpr int buttons = 80;  // of the bar, in pixels
  constexpr int letter = 7;    // on average
  const auto text = [&] {
    std::string all = title.name;
    for (const std::string* part :
         {&title.shown, &title.size, &title.rate, &title.ms, &title.state})
      if (!part->empty()) all += "  " + *part;
    return all;
  };
  const int most = (window_width - buttons) / letter;
  for (std::string* part : {&title.rate, &title.size, &title.ms})
    if (static_cast<int>(text().size()) > most) part->clear();
  return text();
}

std::vector<unsigned char> shrunk(ImageView picture, int width, int height) {
  std::vector<unsigned char> small(size_t{4} * width * height, 255);
  for (int y = 0; y < height; ++y) {
    const auto y0 = static_cast<size_t>(y) * picture.height / height;
    const auto y1 = std::max(y0 + 1, (static_cast<size_t>(y) + 1) * picture.height / height);
    for (int x = 0; x < width; ++x) {
      const auto x0 = static_cast<size_t>(x) * picture.width / width;
      const auto x1 = std::max(x0 + 1, (static_cast<size_t>(x) + 1) * picture.width / width);
      size_t sum[3] = {};
      for (size_t v = y0; v < y1; ++v) {
        const unsigned char* in = picture.rgba + 4 * (v * picture.width + x0);
        for (size_t u = x0; u < x1; ++u, in += 4) {
          for (int c = 0; c < 3; ++c) sum[c] += in[c];
        }
      }
      unsigned char* out = small.data() + 4 * (static_cast<size_t>(y) * width + x);
      for (int c = 0; c < 3; ++c)
        out[c] = static_cast<unsigned char>(sum[c] / ((x1 - x0) * (y1 - y0)));
    }
  }
  return small;
}
