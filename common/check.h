#pragma once
#include <span>
#include <string_view>
#include <type_traits>

struct ImageView;  // picture/image.h

// Functions that compare a result with its reference. Each returns whether they agree. If not, it
// prints on standard error the first bad index, got, expected, and the number of bad elements.
// NaN never agrees with anything. With SAMPLES_CORRUPT=1 in the environment one element counts as
// wrong, so a test can prove that --check can fail.

/// Every element equals its counterpart: vectors, arrays and spans of one type of numbers.
template <class T>
bool check_equal(std::string_view what, std::span<const T> got, std::span<const T> expected);
template <class Got, class Expected>
bool check_equal(std::string_view what, const Got& got, const Expected& expected) {
  using T = std::remove_cvref_t<decltype(*std::data(got))>;
  return check_equal<T>(what, std::span<const T>(got), std::span<const T>(expected));
}

/// |got - expected| <= tolerance for every element. Infinities agree only with themselves.
bool check_near(std::string_view what, std::span<const float> got, std::span<const float> expected,
                float tolerance);

/// Same size, and no channel of a pixel differs by more than `channel_tolerance`.
bool check_images(std::string_view what, ImageView got, ImageView expected, int channel_tolerance);

/// Prints "PASS name" or "FAIL name" on standard output, as the last line. Returns main's exit
/// code. Right numbers may be luck. So if the emulated device has reported an error, the verdict is
/// FAIL for any `passed`.
int verdict(std::string_view name, bool passed);
