#include "check.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>

#include "picture/image.h"

namespace {

/// The element that SAMPLES_CORRUPT makes wrong; `count` without it.
std::size_t corrupted(std::size_t count) {
  const char* text = std::getenv("SAMPLES_CORRUPT");
  return text != nullptr && *text != '\0' && std::string_view(text) != "0" ? count / 2 : count;
}

/// Prints where two results first differ; returns false.
bool report(std::string_view what, const std::string& where, const std::string& got,
            const std::string& expected, std::size_t bad, std::size_t count) {
  std::fprintf(stderr, "%s: first wrong at %s: got %s, expected %s; %zu of %zu are wrong\n",
               std::string(what).c_str(), where.c_str(), got.c_str(), expected.c_str(), bad, count);
  return false;
}

template <class T>
std::string text(T value) {
  std::ostringstream out;
  out.precision(9);
  out << +value;  // +: bytes are numbers here, not letters
  return out.str();
}

/// Whether agree(got[i], expected[i]) is true for every i.
template <class T, class Agree>
bool compare(std::string_view what, std::span<const T> got, std::span<const T> expected, Agree agree) {
  const std::size_t count = got.size(), corrupt = corrupted(count);
  if (count != expected.size()) {
    std::fprintf(stderr, "%s: got %zu elements, expected %zu\n", std::string(what).c_str(), count,
                 expected.size());
    return false;
  }
  std::size_t first = 0, bad = 0;
  for (std::size_t i = 0; i < count; ++i)
    if ((i == corrupt || !agree(got[i], expected[i])) && bad++ == 0) first = i;
  return bad == 0 ||
         report(what, "index " + std::to_string(first), text(got[first]), text(expected[first]), bad, count);
}

}  // namespace

template <class T>
bool check_equal(std::string_view what, std::span<const T> got, std::span<const T> expected) {
  return compare(what, got, expected, std::equal_to<T>());
}
template bool check_equal(std::string_view, std::span<const signed char>, std::span<const signed char>);
template bool check_equal(std::string_view, std::span<const unsigned char>, std::span<const unsigned char>);
template bool check_equal(std::string_view, std::span<const short>, std::span<const short>);
template bool check_equal(std::string_view, std::span<const unsigned short>, std::span<const unsigned short>);
template bool check_equal(std::string_view, std::span<const int>, std::span<const int>);
template bool check_equal(std::string_view, std::span<const unsigned>, std::span<const unsigned>);
template bool check_equal(std::string_view, std::span<const unsigned long>, std::span<const unsigned long>);
template bool check_equal(std::string_view, std::span<const float>, std::span<const float>);

bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float tolerance) {
  return compare(what, got, expected, [tolerance](double g, double e) {
    if (std::isinf(g) || std::isinf(e)) return g == e;
    return std::fabs(g - e) <= tolerance;  // false with any NaN
  });
}

bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance) {
  if (got.width != expected.width || got.height != expected.height) {
    std::fprintf(stderr, "%s: got a picture of %d x %d pixels, expected %d x %d\n", std::string(what).c_str(),
                 got.width, got.height, expected.width, expected.height);
    return false;
  }
  const std::size_t count = got.bytes() / 4, corrupt = corrupted(count);
  std::size_t first = 0, bad = 0;
  for (std::size_t pixel = 0; pixel < count; ++pixel) {
    bool good = pixel != corrupt;
    for (std::size_t i = 4 * pixel; i < 4 * pixel + 4; ++i)
      good = good && std::abs(got.rgba[i] - expected.rgba[i]) <= channel_tolerance;
    if (!good && bad++ == 0) first = pixel;
  }
  const auto color = [first](ImageView image) {
    const unsigned char* c = image.rgba + 4 * first;
    return "(" + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]) + ", " +
           std::to_string(c[3]) + ")";
  };
  const std::string where =
      "pixel (" + std::to_string(first % got.width) + ", " + std::to_string(first / got.width) + ")";
  return bad == 0 || report(what, where, color(got), color(expected), bad, count);
}

int verdict(std::string_view name, bool passed) {
  std::printf("%s %s\n", passed ? "PASS" : "FAIL", std::string(name).c_str());
  std::fflush(stdout);
  return passed ? 0 : 1;
}
