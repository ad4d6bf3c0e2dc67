// Single operations with a rounding of their own: to zero (rz), up (ru), down (rd). (To the nearest is what the
// processor does anyway, see math.h.)
//
// Setting the processor's rounding mode twice costs 150 ns. Instead the nearest result is computed, then the sign of
// what its rounding has lost, without an error: by error-free sums (Knuth's TwoSum, Shewchuk's expansions) and products
// (in double for float, by a fused multiply-add for double). The neighbor is taken where the rounding went the wrong
// way. Doubles near the ends of their range, where a product's error has no representation, do set the mode.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace emulated {

enum class Direction { to_zero, up, down };

// The neighbor of x above (step 1) or below (step -1); of an infinity the largest number. T: double, float, or a float of
// 16 bits (short_floats.h), whose least number has the bits 1, too.
template <class T>
inline T neighbor(T x, int step) {
  using Bits = std::conditional_t<sizeof(T) == 2, std::int16_t,
                                  std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;
  const T zero(0), least = std::bit_cast<T>(Bits{1});
  if (x == zero) return step > 0 ? least : -least;
  return std::bit_cast<T>(static_cast<Bits>(std::bit_cast<Bits>(x) + (x > zero ? step : -step)));
}

// `nearest` and the sign of exact - nearest give the result in the direction.
template <Direction direction, class T>
inline T adjusted(T nearest, double error) {
  const bool up = direction == Direction::up || (direction == Direction::to_zero && nearest < T(0));
  const bool down = direction == Direction::down || (direction == Direction::to_zero && nearest > T(0));
  if (up && error > 0) return neighbor(nearest, 1);
  if (down && error < 0) return neighbor(nearest, -1);
  return nearest;
}

// Infinite from finite operands: the exact result is smaller.
template <class T>
inline double overflow_error(T nearest) {
  return nearest > 0 ? -1 : 1;
}

struct ExactSum {
  double value, error;  // value + error is exact
};
inline ExactSum two_sum(double a, double b) {
  const double value = a + b, part = value - a;
  return {value, (a - (value - part)) + (b - part)};
}

// A number that has the sign of low + high + c - d, where low is less than the last bit of high.
inline double sign_of_sum(double low, double high, double c, double d) {
  const ExactSum first = two_sum(low, c), second = two_sum(high, first.value);
  const ExactSum lowest = two_sum(first.error, -d), middle = two_sum(second.error, lowest.value),
                 highest = two_sum(second.value, middle.value);
  if (highest.value != 0) return highest.value;
  return highest.error != 0 ? highest.error : middle.error != 0 ? middle.error : lowest.error;
}

// Computes in another rounding mode. The volatile copies keep the operation between the two changes.
template <Direction direction, class Operation>
[[gnu::noinline]] double in_mode(Operation operation, double a, double b = 0, double c = 0) {
  const int before = std::fegetround();
  std::fesetround(direction == Direction::up     ? FE_UPWARD
                  : direction == Direction::down ? FE_DOWNWARD
                                                 : FE_TOWARDZERO);
  volatile double x = a, y = b, z = c;
  volatile double result = operation(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  std::fesetround(before);
  return result;
}

// Far enough from the ends of the range that errors of sums and products are numbers, too.
inline bool is_moderate(double x) {
  const double size = std::fabs(x);
  return size > 0x1p-900 && size < 0x1p1000;
}

// Rounded down, numbers that cancel each other leave -0.
template <Direction direction, class T>
inline T sum_result(T nearest, double error, bool negative) {
  if (direction == Direction::down && nearest == 0 && error == 0) return negative ? -T(0) : T(0);
  return adjusted<direction>(nearest, error);
}

template <Direction direction>
inline float add(float a, float b) {
  const float nearest = a + b;
  if (std::isinf(nearest))
    return std::isinf(a) || std::isinf(b) ? nearest : adjusted<direction>(nearest, overflow_error(nearest));
  return sum_result<direction>(nearest, sign_of_sum(0, a, b, nearest), std::signbit(a) || std::signbit(b));
}
template <Direction direction>
inline float multiply(float a, float b) {
  const float nearest = a * b;
  if (std::isinf(nearest))
    return std::isinf(a) || std::isinf(b) ? nearest : adjusted<direction>(nearest, overflow_error(nearest));
  return adjusted<direction>(nearest, static_cast<double>(a) * b - nearest);
}
template <Direction direction>
inline float divide(float a, float b) {
  const float nearest = a / b;
  if (std::isinf(nearest))
    return std::isinf(a) || b == 0 ? nearest : adjusted<direction>(nearest, overflow_error(nearest));
  const double error = a - static_cast<double>(nearest) * b;  // b times the quotient's
  return adjusted<direction>(nearest, b > 0 ? error : -error);
}
template <Direction direction>
inline float square_root(float a) {
  const float nearest = std::sqrt(a);
  return adjusted<direction>(nearest, a - static_cast<double>(nearest) * nearest);
}
template <Direction direction>
inline float multiply_add(float a, float b, float c) {
  const float nearest = std::fma(a, b, c);
  const double product = static_cast<double>(a) * b;
  if (std::isinf(nearest))
    return std::isinf(product) || std::isinf(c) ? nearest
                                                : adjusted<direction>(nearest, overflow_error(nearest));
  return sum_result<direction>(nearest, sign_of_sum(0, product, c, nearest),
                               std::signbit(product) || std::signbit(c));
}

template <Direction direction>
inline double add(double a, double b) {
  const double nearest = a + b;
  if (!(std::fabs(a) < 0x1p1000 && std::fabs(b) < 0x1p1000)) [[unlikely]]
    return in_mode<direction>([](double x, double y, double) { return x + y; }, a, b);
  return sum_result<direction>(nearest, two_sum(a, b).error, std::signbit(a) || std::signbit(b));
}
template <Direction direction>
inline double multiply(double a, double b) {
  const double nearest = a * b;
  if (!is_moderate(nearest)) [[unlikely]]
    return in_mode<direction>([](double x, double y, double) { return x * y; }, a, b);
  return adjusted<direction>(nearest, std::fma(a, b, -nearest));
}
template <Direction direction>
inline double divide(double a, double b) {
  const double nearest = a / b;
  if (!is_moderate(nearest) || !is_moderate(a)) [[unlikely]]
    return in_mode<direction>([](double x, double y, double) { return x / y; }, a, b);
  const double error = std::fma(-nearest, b, a);
  return adjusted<direction>(nearest, b > 0 ? error : -error);
}
template <Direction direction>
inline double square_root(double a) {
  const double nearest = std::sqrt(a);
  if (!is_moderate(a)) [[unlikely]]
    return in_mode<direction>([](double x, double, double) { return std::sqrt(x); }, a);
  return adjusted<direction>(nearest, std::fma(-nearest, nearest, a));
}
template <Direction direction>
inline double multiply_add(double a, double b, double c) {
  const double nearest = std::fma(a, b, c), product = a * b;
  if (!is_moderate(product) || !is_moderate(c) || !(std::fabs(nearest) < 0x1p1000)) [[unlikely]]
    return in_mode<direction>([](double x, double y, double z) { return std::fma(x, y, z); }, a, b, c);
  return sum_result<direction>(nearest, sign_of_sum(std::fma(a, b, -product), product, c, nearest), true);
}

}  // namespace emulated

#define EMULATED_ROUNDED(name, direction)                                                                   \
  inline float __fadd_##name(float a, float b) { return emulated::add<emulated::direction>(a, b); }         \
  inline float __fsub_##name(float a, float b) { return emulated::add<emulated::direction>(a, -b); }        \
  inline float __fmul_##name(float a, float b) { return emulated::multiply<emulated::direction>(a, b); }    \
  inline float __fdiv_##name(float a, float b) { return emulated::divide<emulated::direction>(a, b); }      \
  inline float __frcp_##name(float a) { return emulated::divide<emulated::direction>(1.0f, a); }            \
  inline float __fsqrt_##name(float a) { return emulated::square_root<emulated::direction>(a); }            \
  inline float __fmaf_##name(float a, float b, float c) {                                                   \
    return emulated::multiply_add<emulated::direction>(a, b, c);                                            \
  }                                                                                                         \
  inline double __dadd_##name(double a, double b) { return emulated::add<emulated::direction>(a, b); }      \
  inline double __dsub_##name(double a, double b) { return emulated::add<emulated::direction>(a, -b); }     \
  inline double __dmul_##name(double a, double b) { return emulated::multiply<emulated::direction>(a, b); } \
  inline double __ddiv_##name(double a, double b) { return emulated::divide<emulated::direction>(a, b); }   \
  inline double __drcp_##name(double a) { return emulated::divide<emulated::direction>(1.0, a); }           \
  inline double __dsqrt_##name(double a) { return emulated::square_root<emulated::direction>(a); }          \
  inline double __fma_##name(double a, double b, double c) {                                                \
    return emulated::multiply_add<emulated::direction>(a, b, c);                                            \
  }
EMULATED_ROUNDED(rz, Direction::to_zero)
EMULATED_ROUNDED(ru, Direction::up)
EMULATED_ROUNDED(rd, Direction::down)
#undef EMULATED_ROUNDED
