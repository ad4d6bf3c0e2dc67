// Single operations with a rounding of their own, which the compiler must not combine (programs for
// the emulated device are compiled with -ffp-contract=off): to the nearest (rn), which is what the
// processor does anyway, to zero (rz), up (ru), down (rd). For the last three the processor's
// rounding mode is set, twice, which costs 150 ns: programs that use them show intervals or
// accuracy, not speed.
#pragma once

#include <cfenv>
#include <cmath>

namespace emulated {

enum class Direction { nearest, to_zero, up, down };

// The operations, all with three operands.
inline constexpr auto adds = [](auto x, auto y, auto) { return x + y; };
inline constexpr auto multiplies = [](auto x, auto y, auto) { return x * y; };
inline constexpr auto divides = [](auto x, auto y, auto) { return x / y; };
inline constexpr auto takes_root = [](auto x, auto, auto) { return std::sqrt(x); };
inline constexpr auto multiplies_adds = [](auto x, auto y, auto z) { return std::fma(x, y, z); };

// Computes in the processor's other rounding mode. The volatile copies keep the
// operation between the two changes.
template <Direction direction, class T, class Operation>
[[gnu::noinline]] T in_other_mode(Operation operation, T a, T b, T c) {
  const int before = std::fegetround();
  int mode = FE_TOWARDZERO;
  if (direction == Direction::up) mode = FE_UPWARD;
  if (direction == Direction::down) mode = FE_DOWNWARD;
  std::fesetround(mode);
  volatile T x = a;
  volatile T y = b;
  volatile T z = c;
  volatile T result = operation(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  std::fesetround(before);
  return result;
}
template <Direction direction, class T, class Operation>
T in_mode(Operation operation, T a, T b = 0, T c = 0) {
  if constexpr (direction == Direction::nearest)
    return operation(a, b, c);
  else
    return in_other_mode<direction>(operation, a, b, c);
}
template <Direction direction, class T>
float to_float(T a) {
  if constexpr (direction == Direction::nearest)
    return static_cast<float>(a);
  else
    return static_cast<float>(in_mode<direction, double>(
        [](double x, double, double) -> double { return static_cast<float>(x); }, a));
}

}  // namespace emulated

// For the type T, whose names begin with f or d.
#define EMULATED_ROUNDED_TYPE(T, f, fma, name, direction)                    \
  inline T __##f##add_##name(T a, T b) {                                     \
    return emulated::in_mode<direction>(emulated::adds, a, b);               \
  }                                                                          \
  inline T __##f##sub_##name(T a, T b) {                                     \
    return emulated::in_mode<direction>(emulated::adds, a, -b);              \
  }                                                                          \
  inline T __##f##mul_##name(T a, T b) {                                     \
    return emulated::in_mode<direction>(emulated::multiplies, a, b);         \
  }                                                                          \
  inline T __##f##div_##name(T a, T b) {                                     \
    return emulated::in_mode<direction>(emulated::divides, a, b);            \
  }                                                                          \
  inline T __##f##rcp_##name(T a) {                                          \
    return emulated::in_mode<direction>(emulated::divides, T{1}, a);         \
  }                                                                          \
  inline T __##f##sqrt_##name(T a) {                                         \
    return emulated::in_mode<direction>(emulated::takes_root, a);            \
  }                                                                          \
  inline T __##fma##_##name(T a, T b, T c) {                                 \
    return emulated::in_mode<direction>(emulated::multiplies_adds, a, b, c); \
  }
#define EMULATED_ROUNDED(name, direction)                                                   \
  EMULATED_ROUNDED_TYPE(float, f, fmaf, name, direction)                                    \
  EMULATED_ROUNDED_TYPE(double, d, fma, name, direction)                                    \
  inline float __int2float_##name(int x) { return emulated::to_float<direction>(x); }       \
  inline float __uint2float_##name(unsigned x) { return emulated::to_float<direction>(x); } \
  inline float __double2float_##name(double x) { return emulated::to_float<direction>(x); }
EMULATED_ROUNDED(rn, emulated::Direction::nearest)
EMULATED_ROUNDED(rz, emulated::Direction::to_zero)
EMULATED_ROUNDED(ru, emulated::Direction::up)
EMULATED_ROUNDED(rd, emulated::Direction::down)
#undef EMULATED_ROUNDED
#undef EMULATED_ROUNDED_TYPE
