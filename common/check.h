#pragma once
#include <cstddef>
#include <cstring>
#include <iterator>
#include <ranges>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>

#include "picture/image.h"

// Comparing a result with its reference. Every function returns whether they agree; where not, it prints on
// standard error the first bad index, got, expected, and how many of how many are bad. NaN never agrees with
// anything. With SAMPLES_CORRUPT=1 in the environment one element of `got` counts as another value, so that a
// test can prove that a wrong result is found.

namespace check_detail {
bool corrupting();
bool report(std::string_view what, std::string_view where, std::string_view got, std::string_view expected,
            std::size_t bad, std::size_t count);
bool report_sizes(std::string_view what, std::size_t got, std::size_t expected);

template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out.precision(9);
  if constexpr (sizeof(T) == 1) {
    out << static_cast<int>(value);  // bytes are numbers here, not letters
  } else {
    out << value;
  }
  return out.str();
}
}  // namespace check_detail

/// Every element equals its counterpart. T needs == and <<.
template <class T>
bool check_equal(std::string_view what, std::span<const T> got, std::span<const T> expected) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (got.size() != expected.size()) return check_detail::report_sizes(what, got.size(), expected.size());
  const std::size_t corrupt = check_detail::corrupting() ? got.size() / 2 : got.size();
  const auto value = [&](std::size_t i) {
    T v = got[i];
    if (i == corrupt) {
      unsigned char byte;
      std::memcpy(&byte, &v, 1);
      byte ^= 1;
      std::memcpy(&v, &byte, 1);
    }
    return v;
  };
  std::size_t first = 0, bad = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (value(i) == expected[i]) continue;
    if (bad++ == 0) first = i;
  }
  if (bad == 0) return true;
  return check_detail::report(what, "index " + std::to_string(first), check_detail::text(value(first)),
                              check_detail::text(expected[first]), bad, got.size());
}

/// The same for vectors, arrays and spans of one element type.
template <std::ranges::contiguous_range Got, std::ranges::contiguous_range Expected>
bool check_equal(std::string_view what, const Got& got, const Expected& expected) {
  using T = std::ranges::range_value_t<Got>;
  static_assert(std::is_same_v<T, std::ranges::range_value_t<Expected>>);
  return check_equal<T>(what, std::span<const T>(got), std::span<const T>(expected));
}

/// |got - expected| <= absolute + relative * |expected| for every element. Infinities agree only with
/// themselves.
bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float absolute, float relative = 0);

/// Same size, and at most `pixels_allowed` pixels with a channel that differs by more than
/// `channel_tolerance`.
bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance,
                  std::size_t pixels_allowed = 0);

/// Prints "PASS name" or "FAIL name" on standard output; to be the program's last line. Returns main's exit
/// code.
int verdict(std::string_view name, bool passed);
