#pragma once
#include <cstddef>
#include <cstring>
#include <functional>
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
bool same_size(std::string_view what, std::size_t got, std::size_t expected);

/// Where two results differ, in words.
struct Difference {
  std::string where, got, expected;
};
bool report(std::string_view what, const Difference& first, std::size_t bad, std::size_t count);

/// Whether good(i) is true for every i < count; if not, reports difference(i) of the first and how many.
template <class Good, class MakeDifference>
bool all_good(std::string_view what, std::size_t count, Good good, MakeDifference difference) {
  std::size_t first = 0, bad = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (!good(i) && bad++ == 0) first = i;
  return bad == 0 || report(what, difference(first), bad, count);
}

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

/// Whether agree(got[i], expected[i]) is true for every i. corrupted(value): what a value counts as with
/// SAMPLES_CORRUPT.
template <class T, class Corrupted, class Agree>
bool compare(std::string_view what, std::span<const T> got, std::span<const T> expected, Corrupted corrupted,
             Agree agree) {
  if (!same_size(what, got.size(), expected.size())) return false;
  const std::size_t corrupt = corrupting() ? got.size() / 2 : got.size();
  const auto value = [&](std::size_t i) { return i == corrupt ? corrupted(got[i]) : got[i]; };
  return all_good(
      what, got.size(), [&](std::size_t i) { return agree(value(i), expected[i]); },
      [&](std::size_t i) {
        return Difference{"index " + std::to_string(i), text(value(i)), text(expected[i])};
      });
}
}  // namespace check_detail

/// Every element equals its counterpart. T needs == and <<.
template <class T>
bool check_equal(std::string_view what, std::span<const T> got, std::span<const T> expected) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto another_value = [](T value) {
    unsigned char byte;
    std::memcpy(&byte, &value, 1);
    byte ^= 1;
    std::memcpy(&value, &byte, 1);
    return value;
  };
  return check_detail::compare(what, got, expected, another_value, std::equal_to<T>());
}

/// The same for vectors, arrays and spans of one element type.
template <std::ranges::contiguous_range Got, std::ranges::contiguous_range Expected>
bool check_equal(std::string_view what, const Got& got, const Expected& expected) {
  using T = std::ranges::range_value_t<Got>;
  static_assert(std::is_same_v<T, std::ranges::range_value_t<Expected>>);
  return check_equal<T>(what, std::span<const T>(got), std::span<const T>(expected));
}

/// |got - expected| <= tolerance for every element. Infinities agree only with themselves.
bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float tolerance);

/// Same size, and no channel of a pixel that differs by more than `channel_tolerance`.
bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance);

/// Prints "PASS name" or "FAIL name" on standard output; to be the program's last line. Returns main's exit
/// code.
int verdict(std::string_view name, bool passed);
