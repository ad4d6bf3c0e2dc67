#include "check.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace check_detail {

bool corrupting() {
  const char* text = std::getenv("SAMPLES_CORRUPT");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

bool report(std::string_view what, std::string_view where, std::string_view got, std::string_view expected,
            std::size_t bad, std::size_t count) {
  std::fprintf(stderr, "%s: first wrong at %s: got %s, expected %s; %zu of %zu are wrong\n",
               std::string(what).c_str(), std::string(where).c_str(), std::string(got).c_str(),
               std::string(expected).c_str(), bad, count);
  return false;
}

bool report_sizes(std::string_view what, std::size_t got, std::size_t expected) {
  std::fprintf(stderr, "%s: got %zu elements, expected %zu\n", std::string(what).c_str(), got, expected);
  return false;
}

}  // namespace check_detail

bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float absolute, float relative) {
  if (got.size() != expected.size()) return check_detail::report_sizes(what, got.size(), expected.size());
  const std::size_t corrupt = check_detail::corrupting() ? got.size() / 2 : got.size();
  // NaN, as the one value that a careless comparison lets pass.
  const auto value = [&](std::size_t i) {
    return i == corrupt ? std::numeric_limits<float>::quiet_NaN() : got[i];
  };
  const auto good = [&](std::size_t i) {
    const double g = value(i), e = expected[i];
    if (std::isinf(g) || std::isinf(e)) return g == e;
    return std::fabs(g - e) <= absolute + relative * std::fabs(e);  // false with any NaN
  };
  std::size_t first = 0, bad = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (good(i)) continue;
    if (bad++ == 0) first = i;
  }
  if (bad == 0) return true;
  return check_detail::report(what, "index " + std::to_string(first), check_detail::text(value(first)),
                              check_detail::text(expected[first]), bad, got.size());
}

bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance,
                  std::size_t pixels_allowed) {
  if (got.width != expected.width || got.height != expected.height) {
    std::fprintf(stderr, "%s: got a picture of %d x %d pixels, expected %d x %d\n", std::string(what).c_str(),
                 got.width, got.height, expected.width, expected.height);
    return false;
  }
  const std::size_t pixels = got.bytes() / 4;
  // One pixel more than may be wrong.
  const std::size_t corrupt = check_detail::corrupting() ? std::min(pixels, pixels_allowed + 1) : 0;
  const auto value = [&](std::size_t pixel, int channel) -> int {
    const int level = got.rgba[4 * pixel + channel];
    return pixel < corrupt ? (expected.rgba[4 * pixel + channel] + 128) % 256 : level;
  };
  const auto text = [](const auto& level) {
    return "(" + std::to_string(level(0)) + ", " + std::to_string(level(1)) + ", " +
           std::to_string(level(2)) + ", " + std::to_string(level(3)) + ")";
  };
  std::size_t first = 0, bad = 0;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    bool good = true;
    for (int c = 0; c < 4; ++c) {
      good = good && std::abs(value(pixel, c) - expected.rgba[4 * pixel + c]) <= channel_tolerance;
    }
    if (good) continue;
    if (bad++ == 0) first = pixel;
  }
  if (bad <= pixels_allowed) return true;
  const std::string where =
      "pixel (" + std::to_string(first % got.width) + ", " + std::to_string(first / got.width) + ")";
  return check_detail::report(what, where, text([&](int c) { return value(first, c); }),
                              text([&](int c) { return int{expected.rgba[4 * first + c]}; }), bad, pixels);
}

int verdict(std::string_view name, bool passed) {
  std::printf("%s %s\n", passed ? "PASS" : "FAIL", std::string(name).c_str());
  std::fflush(stdout);
  return passed ? 0 : 1;
}
