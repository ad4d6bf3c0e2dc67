#pragma once
#include <cstddef>
#include <functional>
#include <ranges>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

struct ImageView;  // picture/image.h

// Comparing a result with its reference. Every function returns whether they agree; where not, it prints on standard
// error the first bad index, got, expected, and how many of how many are bad. NaN never agrees with anything. With
// SAMPLES_CORRUPT=1 in the environment one element counts as wrong, so that a test can prove that --check can fail.

namespace check_detail {
bool same_size(std::string_view what, std::size_t got, std::size_t expected);
/// The element that SAMPLES_CORRUPT makes wrong; `count` without it.
std::size_t corrupted(std::size_t count);
/// Prints where two results first differ; returns false.
bool report(std::string_view what, const std::string& where, const std::string& got,
            const std::string& expected, std::size_t bad, std::size_t count);

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
  if (!same_size(what, got.size(), expected.size())) return false;
  const std::size_t count = got.size(), corrupt = corrupted(count);
  std::size_t first = 0, bad = 0;
  for (std::size_t i = 0; i < count; ++i)
    if ((i == corrupt || !agree(got[i], expected[i])) && bad++ == 0) first = i;
  return bad == 0 ||
         report(what, "index " + std::to_string(first), text(got[first]), text(expected[first]), bad, count);
}
}  // namespace check_detail

/// Every element equals its counterpart: vectors, arrays and spans of one type of numbers.
template <class T>
bool check_equal(std::string_view what, std::span<const T> got, std::span<const T> expected) {
  return check_detail::compare(what, got, expected, std::equal_to<T>());
}
template <std::ranges::contiguous_range Got, std::ranges::contiguous_range Expected>
bool check_equal(std::string_view what, const Got& got, const Expected& expected) {
  using T = std::ranges::range_value_t<Got>;
  return check_equal<T>(what, std::span<const T>(got), std::span<const T>(expected));
}

/// |got - expected| <= tolerance for every element. Infinities agree only with themselves.
bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float tolerance);

/// Same size, and no channel of a pixel that differs by more than `channel_tolerance`.
bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance);

/// Prints "PASS name" or "FAIL name" on standard output, as the program's last line. Returns main's exit code.
int verdict(std::string_view name, bool passed);
