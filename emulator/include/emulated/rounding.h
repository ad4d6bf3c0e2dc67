// Single operations with a rounding of their own: to zero (rz), up (ru), down (rd). (To the nearest is what the
// processor does anyway, see math.h.) The processor's rounding mode is set for each, twice, which costs 150 ns: programs
// that use them show intervals or accuracy, not speed.
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

// Computes in the processor's other rounding mode. The volatile copies keep the operation between the two changes.
template <Direction direction, class T, class Operation>
[[gnu::noinline]] T in_mode(Operation operation, T a, T b = 0, T c = 0) {
  const int before = std::fegetround();
  std::fesetround(direction == Direction::up     ? FE_UPWARD
                  : direction == Direction::down ? FE_DOWNWARD
                                                 : FE_TOWARDZERO);
  volatile T x = a, y = b, z = c;
  volatile T result = operation(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  std::fesetround(before);
  return result;
}
template <Direction direction, class T>
T add(T a, T b) {
  return in_mode<direction>([](T x, T y, T) { return x + y; }, a, b);
}
template <Direction direction, class T>
T multiply(T a, T b) {
  return in_mode<direction>([](T x, T y, T) { return x * y; }, a, b);
}
template <Direction direction, class T>
T divide(T a, T b) {
  return in_mode<direction>([](T x, T y, T) { return x / y; }, a, b);
}
template <Direction direction, class T>
T square_root(T a) {
  return in_mode<direction>([](T x, T, T) { return std::sqrt(x); }, a);
}
template <Direction direction, class T>
T multiply_add(T a, T b, T c) {
  return in_mode<direction>([](T x, T y, T z) { return std::fma(x, y, z); }, a, b, c);
}
template <Direction direction>
float to_float(double a) {
  return static_cast<float>(
      in_mode<direction>([](double x, double, double) -> double { return static_cast<float>(x); }, a));
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
  }                                                                                                         \
  inline float __int2float_##name(int x) { return emulated::to_float<emulated::direction>(x); }             \
  inline float __uint2float_##name(unsigned x) { return emulated::to_float<emulated::direction>(x); }       \
  inline float __double2float_##name(double x) { return emulated::to_float<emulated::direction>(x); }
EMULATED_ROUNDED(rz, Direction::to_zero)
EMULATED_ROUNDED(ru, Direction::up)
EMULATED_ROUNDED(rd, Direction::down)
#undef EMULATED_ROUNDED
