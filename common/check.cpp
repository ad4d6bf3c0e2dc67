#include "check.h"

#include <cuda_runtime.h>  // for EMULATED_DEVICE

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

#include "picture/image.h"

namespace {

/// Returns whether right(i) holds for i = 0 ... count - 1, except where SAMPLES_CORRUPT makes it
/// fail. If not, prints difference(i) of the first, such as "index 2: got 7, expected 3".
template <class Right, class Difference>
bool all_right(std::string_view what, size_t count, Right right, Difference difference) {
  const char* text = std::getenv("SAMPLES_CORRUPT");
  const bool corrupts = text != nullptr && *text != '\0' && std::string_view(text) != "0";
  const size_t corrupt = corrupts ? count / 2 : count;
  size_t first = 0;
  size_t bad = 0;
  for (size_t i = 0; i < count; ++i)
    if ((i == corrupt || !right(i)) && bad++ == 0) first = i;
  if (bad > 0)
    std::fprintf(stderr, "%s: first wrong at %s; %zu of %zu are wrong\n", std::string(what).c_str(),
                 difference(first).c_str(), bad, count);
  return bad == 0;
}

/// For ./run --step --wrong, which shows who wrote it.
void tell_device([[maybe_unused]] const void* wrong, [[maybe_unused]] size_t bytes) {
#ifdef EMULATED_DEVICE
  emulated::note_wrong(wrong, bytes);
#endif
  // ./run then names the command.
  if (const char* const file = std::getenv("SAMPLES_WRONG_ELEMENT"))
    if (std::FILE* const mark = std::fopen(file, "w")) std::fclose(mark);
}

/// Whether agree(got[i], expected[i]) is true for every i.
template <class T, class Agree>
bool compare(std::string_view what, std::span<const T> got, std::span<const T> expected,
             Agree agree) {
  if (got.size() != expected.size()) {
    std::fprintf(stderr, "%s: got %zu elements, expected %zu\n", std::string(what).c_str(),
                 got.size(), expected.size());
    return false;
  }
  return all_right(
      what, got.size(), [&](size_t i) { return agree(got[i], expected[i]); },
      [&](size_t i) {
        tell_device(&got[i], sizeof(T));
        std::ostringstream out;
        out.precision(9);  // +, below: bytes are numbers here, not letters
        out << "index " << i << ": got " << +got[i] << ", expected " << +expected[i];
        return out.str();
      });
}

}  // namespace

template <class T>
bool check_equal(std::string_view what, std::span<const T> got, std::span<const T> expected) {
  return compare(what, got, expected, std::equal_to<T>());
}
template bool check_equal(std::string_view, std::span<const signed char>,
                          std::span<const signed char>);
template bool check_equal(std::string_view, std::span<const unsigned char>,
                          std::span<const unsigned char>);
template bool check_equal(std::string_view, std::span<const short>, std::span<const short>);
template bool check_equal(std::string_view, std::span<const unsigned short>,
                          std::span<const unsigned short>);
template bool check_equal(std::string_view, std::span<const int>, std::span<const int>);
template bool check_equal(std::string_view, std::span<const unsigned>, std::span<const unsigned>);
template bool check_equal(std::string_view, std::span<const unsigned long>,
                          std::span<const unsigned long>);
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
    std::fprintf(stderr, "%s: got a picture of %d x %d pixels, expected %d x %d\n",
                 std::string(what).c_str(), got.width, got.height, expected.width, expected.height);
    return false;
  }
  const auto color = [](const unsigned char* c) {
    std::string text = "(";
    for (int i = 0; i < 4; ++i) text += std::to_string(c[i]) + (i < 3 ? ", " : ")");
    return text;
  };
  return all_right(
      what, got.bytes() / 4,
      [&](size_t pixel) {
        bool good = true;
        for (size_t i = 4 * pixel; i < 4 * pixel + 4; ++i)
          good = good && std::abs(got.rgba[i] - expected.rgba[i]) <= channel_tolerance;
        return good;
      },
      [&](size_t pixel) {
        tell_device(got.rgba + 4 * pixel, 4);
        return "pixel (" + std::to_string(pixel % got.width) + ", " +
               std::to_string(pixel / got.width) + "): got " + color(got.rgba + 4 * pixel) +
               ", expected " + color(expected.rgba + 4 * pixel);
      });
}

int verdict(std::string_view name, bool passed) {
#ifdef EMULATED_DEVICE
  const unsigned errors = emulated::reported_errors();
  if (passed && errors > 0) {
    std::fprintf(stderr, "%s: the numbers are right, but the device reported %u error%s (above)\n",
                 std::string(name).c_str(), errors, errors == 1 ? "" : "s");
    passed = false;
  }
#endif
  std::printf("%s %s\n", passed ? "PASS" : "FAIL", std::string(name).c_str());
  std::fflush(stdout);
  return passed ? 0 : 1;
}
