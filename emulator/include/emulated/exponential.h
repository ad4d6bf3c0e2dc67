// e^x and 2^x of floats, to the same bits as the C library's expf and exp2f, but in place: a call
// may change every vector register, so a kernel would store all that it has in them around it.
//
// Algorithm: S. Nagy, "Exp and exp2 for floats" (Arm Optimized Routines, math/expf.c, 2017), which
// glibc, musl and others have: 2^(k/32 + r) is 2^(k/32), from a table, times a polynomial of r; in
// double, rounded once. Without its conditions for what is too large or too small: the last
// conversion gives infinity, 0 and the numbers next to 0.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__OPTIMIZE__) && !defined(EMULATED_EXPLAIN)  // else a call: nothing steps through it

namespace emulated {

// The bits of 2^(i/32), i = 0..31, less i << 47, so that adding k << 47 to entry k % 32 makes
// 2^(k/32).
inline constexpr std::uint64_t powers_of_two[32] = {
    0x3ff0000000000000, 0x3fefd9b0d3158574, 0x3fefb5586cf9890f, 0x3fef9301d0125b51,
    0x3fef72b83c7d517b, 0x3fef54873168b9aa, 0x3fef387a6e756238, 0x3fef1e9df51fdee1,
    0x3fef06fe0a31b715, 0x3feef1a7373aa9cb, 0x3feedea64c123422, 0x3feece086061892d,
    0x3feebfdad5362a27, 0x3feeb42b569d4f82, 0x3feeab07dd485429, 0x3feea47eb03a5585,
    0x3feea09e667f3bcd, 0x3fee9f75e8ec5f74, 0x3feea11473eb0187, 0x3feea589994cce13,
    0x3feeace5422aa0db, 0x3feeb737b0cdc5e5, 0x3feec49182a3f090, 0x3feed503b23e255d,
    0x3feee89f995ad3ad, 0x3feeff76f2fb5e47, 0x3fef199bdd85529c, 0x3fef3720dcef9069,
    0x3fef5818dcfba487, 0x3fef7c97337b9b5f, 0x3fefa4afa2a490da, 0x3fefd0765b6e4540};

// a * b + c, rounded once where the processor can: there the library's functions do so, too.
[[gnu::always_inline]] inline double multiply_add(double a, double b, double c) {
#if defined(__FP_FAST_FMA)
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

// 2^((k + r) / 32): k in the lowest bits of a double beyond 2^51, r from -1/2 to 1/2.
[[gnu::always_inline]] inline float power_of_two(double k, double r) {
  constexpr double c1 = 0x1.62e42ff0c52d6p-1 / 32;
  constexpr double c2 = 0x1.ebfce50fac4f3p-3 / 32 / 32;
  constexpr double c3 = 0x1.c6af84b912394p-5 / 32 / 32 / 32;
  const auto bits = std::bit_cast<std::uint64_t>(k);
  const auto scale = std::bit_cast<double>(powers_of_two[bits % 32] + (bits << 47));
  const double linear = multiply_add(c1, r, 1);
  const double rest = multiply_add(c3, r, c2);
  return static_cast<float>(multiply_add(rest, r * r, linear) * scale);
}

// x, or a bound; NaN stays.
[[gnu::always_inline]] inline double within(float x, float bound) {
  x = x < -bound ? -bound : x;
  return x > bound ? bound : x;
}

inline constexpr double to_lowest_bits = 0x1.8p52;  // a sum with it is rounded to an integer

}  // namespace emulated

extern "C" {
extern inline __attribute__((gnu_inline, always_inline)) float expf(float x) noexcept {
  constexpr double steps = 0x1.71547652b82fep0 * 32;  // 32 / ln 2
  const double in_range = emulated::within(x, 110);
  const double k = emulated::multiply_add(steps, in_range, emulated::to_lowest_bits);
  const double whole = k - emulated::to_lowest_bits;
  return emulated::power_of_two(k, emulated::multiply_add(steps, in_range, -whole));
}
extern inline __attribute__((gnu_inline, always_inline)) float exp2f(float x) noexcept {
  const double steps = 32 * emulated::within(x, 160);
  const double k = steps + emulated::to_lowest_bits;
  return emulated::power_of_two(k, steps - (k - emulated::to_lowest_bits));
}
}

#endif
