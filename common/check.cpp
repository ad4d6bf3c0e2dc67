#include "check.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace check_detail {

bool corrupting() {
  const char* text = std::getenv("SAMPLES_CORRUPT");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0";
}

bool same_size(std::string_view what, std::size_t got, std::size_t expected) {
  if (got == expected) return true;
  std::fprintf(stderr, "%s: got %zu elements, expected %zu\n", std::string(what).c_str(), got, expected);
  return false;
}

bool report(std::string_view what, const Difference& first, std::size_t bad, std::size_t count) {
  std::fprintf(stderr, "%s: first wrong at %s: got %s, expected %s; %zu of %zu are wrong\n",
               std::string(what).c_str(), first.where.c_str(), first.got.c_str(), first.expected.c_str(), bad,
               count);
  return false;
}

}  // namespace check_detail

bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float tolerance) {
  // NaN, as the one value that a careless comparison lets pass.
  const auto another_value = [](float) { return std::numeric_limits<float>::quiet_NaN(); };
  const auto near = [tolerance](double g, double e) {
    if (std::isinf(g) || std::isinf(e)) return g == e;
    return std::fabs(g - e) <= tolerance;  // false with any NaN
  };
  return check_detail::compare(what, got, expected, another_value, near);
}

bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance) {
  if (got.width != expected.width || got.height != expected.height) {
    std::fprintf(stderr, "%s: got a picture of %d x %d pixels, expected %d x %d\n", std::string(what).c_str(),
                 got.width, got.height, expected.width, expected.height);
    return false;
  }
  const bool corrupt = check_detail::corrupting();  // the first pixel
  const auto value = [&](std::size_t pixel, int channel) -> int {
    if (pixel == 0 && corrupt) return (expected.rgba[channel] + 128) % 256;
    return got.rgba[4 * pixel + channel];
  };
  const auto good = [&](std::size_t pixel) {
    for (int c = 0; c < 4; ++c)
      if (std::abs(value(pixel, c) - expected.rgba[4 * pixel + c]) > channel_tolerance) return false;
    return true;
  };
  return check_detail::all_good(what, got.bytes() / 4, good, [&](std::size_t pixel) {
    const auto text = [](const auto& level) {
      return "(" + std::to_string(level(0)) + ", " + std::to_string(level(1)) + ", " +
             std::to_string(level(2)) + ", " + std::to_string(level(3)) + ")";
    };
    return check_detail::Difference{
        "pixel (" + std::to_string(pixel % got.width) + ", " + std::to_string(pixel / got.width) + ")",
        text([&](int c) { return value(pixel, c); }),
        text([&](int c) { return int{expected.rgba[4 * pixel + c]}; })};
  });
}

int verdict(std::string_view name, bool passed) {
  std::printf("%s %s\n", passed ? "PASS" : "FAIL", std::string(name).c_str());
  std::fflush(stdout);
  return passed ? 0 : 1;
}
