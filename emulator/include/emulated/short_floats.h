// What the 16-bit floats __half and __nv_bfloat16 have in common: arithmetic, comparisons and functions, of single numbers
// and of pairs. Results are computed in double, in which sums, products and fma of 16-bit floats lose nothing that their
// rounding could see, and rounded once, which is what the hardware returns.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "atomics.h"
#include "rounding.h"

namespace emulated {

// Double to float, so that rounding the result to fewer bits gives what rounding the double would: what is lost leaves the
// last bit set.
inline float to_float_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value) || std::isinf(nearest)) return nearest;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;  // toward zero
  return std::bit_cast<float>(bits | 1);
}

// Nothing else may stand in this namespace: it is where the compiler looks for what a program calls with such numbers.
namespace short_floats {

// The base of T, which has `bits`, a constructor from double (to the nearest) and a conversion to float. The functions are
// friends, so that the other operand may be any number that becomes a T.
template <class T>
struct ShortFloat {
  static T from_bits(unsigned bits) {
    T result;
    result.bits = static_cast<unsigned short>(bits);
    return result;
  }
  // The nearest one, or its neighbor if the nearest lies on the wrong side.
  template <Direction direction>
  static T rounded(double value) {
    const T nearest(value);
    const double error = value - emulated_wide(nearest);
    const bool negative = (nearest.bits & 0x8000) != 0;
    if (error > 0 && (direction == Direction::up || (direction == Direction::to_zero && negative)))
      return from_bits(negative ? nearest.bits - 1 : nearest.bits + 1);
    if (error < 0 && (direction == Direction::down || (direction == Direction::to_zero && !negative)))
      return from_bits(negative ? nearest.bits + 1 : nearest.bits - 1);
    return nearest;
  }

  friend double emulated_wide(T a) { return static_cast<float>(a); }

  friend T __hadd(T a, T b) { return emulated_wide(a) + emulated_wide(b); }
  friend T __hsub(T a, T b) { return emulated_wide(a) - emulated_wide(b); }
  friend T __hmul(T a, T b) { return emulated_wide(a) * emulated_wide(b); }
  friend T __hdiv(T a, T b) { return emulated_wide(a) / emulated_wide(b); }
  friend T __hfma(T a, T b, T c) { return std::fma(emulated_wide(a), emulated_wide(b), emulated_wide(c)); }
  friend T __hneg(T a) { return from_bits(a.bits ^ 0x8000u); }
  friend T __habs(T a) { return from_bits(a.bits & 0x7fffu); }
  friend T __hadd_sat(T a, T b) { return saturated(__hadd(a, b)); }
  friend T __hsub_sat(T a, T b) { return saturated(__hsub(a, b)); }
  friend T __hmul_sat(T a, T b) { return saturated(__hmul(a, b)); }
  friend T __hfma_sat(T a, T b, T c) { return saturated(__hfma(a, b, c)); }
  friend T operator+(const T& a, const T& b) { return __hadd(a, b); }
  friend T operator-(const T& a, const T& b) { return __hsub(a, b); }
  friend T operator*(const T& a, const T& b) { return __hmul(a, b); }
  friend T operator/(const T& a, const T& b) { return __hdiv(a, b); }
  friend T operator+(const T& a) { return a; }
  friend T operator-(const T& a) { return __hneg(a); }
  friend T& operator+=(T& a, const T& b) { return a = a + b; }
  friend T& operator-=(T& a, const T& b) { return a = a - b; }
  friend T& operator*=(T& a, const T& b) { return a = a * b; }
  friend T& operator/=(T& a, const T& b) { return a = a / b; }

  // Ordered comparisons: false if one side is NaN, but for operator!=.
  friend bool __heq(T a, T b) { return emulated_wide(a) == emulated_wide(b); }
  friend bool __hne(T a, T b) {
    return emulated_wide(a) < emulated_wide(b) || emulated_wide(a) > emulated_wide(b);
  }
  friend bool __hlt(T a, T b) { return emulated_wide(a) < emulated_wide(b); }
  friend bool __hle(T a, T b) { return emulated_wide(a) <= emulated_wide(b); }
  friend bool __hgt(T a, T b) { return emulated_wide(a) > emulated_wide(b); }
  friend bool __hge(T a, T b) { return emulated_wide(a) >= emulated_wide(b); }
  friend bool operator==(const T& a, const T& b) { return __heq(a, b); }
  friend bool operator!=(const T& a, const T& b) { return !__heq(a, b); }
  friend bool operator<(const T& a, const T& b) { return __hlt(a, b); }
  friend bool operator<=(const T& a, const T& b) { return __hle(a, b); }
  friend bool operator>(const T& a, const T& b) { return __hgt(a, b); }
  friend bool operator>=(const T& a, const T& b) { return __hge(a, b); }
  friend bool __hisnan(T a) { return std::isnan(emulated_wide(a)); }
  friend int __hisinf(T a) { return !std::isinf(emulated_wide(a)) ? 0 : emulated_wide(a) > 0 ? 1 : -1; }
  // The smaller and the larger; the other one if one is NaN.
  friend T __hmin(T a, T b) { return std::fmin(emulated_wide(a), emulated_wide(b)); }
  friend T __hmax(T a, T b) { return std::fmax(emulated_wide(a), emulated_wide(b)); }

  // hsqrt is correctly rounded; up to hcos the others are within the last place of the device's approximations.
  friend T hsqrt(T a) { return std::sqrt(emulated_wide(a)); }
  friend T hrsqrt(T a) { return 1 / std::sqrt(emulated_wide(a)); }
  friend T hrcp(T a) { return 1 / emulated_wide(a); }
  friend T hexp(T a) { return std::exp(emulated_wide(a)); }
  friend T hexp2(T a) { return std::exp2(emulated_wide(a)); }
  friend T hlog(T a) { return std::log(emulated_wide(a)); }
  friend T hlog2(T a) { return std::log2(emulated_wide(a)); }
  friend T hsin(T a) { return std::sin(emulated_wide(a)); }
  friend T hcos(T a) { return std::cos(emulated_wide(a)); }
  friend T hfloor(T a) { return std::floor(emulated_wide(a)); }
  friend T hceil(T a) { return std::ceil(emulated_wide(a)); }
  friend T htrunc(T a) { return std::trunc(emulated_wide(a)); }
  friend T hrint(T a) { return std::nearbyint(emulated_wide(a)); }

  friend T atomicAdd(T* address, T value) {
    return atomically(address, [=](T old) { return __hadd(old, value); });
  }

 private:
  static T saturated(T a) {
    return emulated_wide(a) > 0 ? (emulated_wide(a) < 1 ? a : T(1.0)) : T(0.0);
  }  // NaN becomes 0
};

// Pairs: 1 or 0 for each number; with b, whether it holds for both.
#define EMULATED_COMPARE_PAIRS(name)                                   \
  friend Pair __h##name##2(Pair a, Pair b) {                           \
    return {T(int{__h##name(a.x, b.x)}), T(int{__h##name(a.y, b.y)})}; \
  }                                                                    \
  friend bool __hb##name##2(Pair a, Pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }

// The base of Pair, which has two T, x and y, and a constructor from them.
template <class Pair, class T>
struct ShortFloatPair {
  friend Pair __hadd2(Pair a, Pair b) { return {__hadd(a.x, b.x), __hadd(a.y, b.y)}; }
  friend Pair __hsub2(Pair a, Pair b) { return {__hsub(a.x, b.x), __hsub(a.y, b.y)}; }
  friend Pair __hmul2(Pair a, Pair b) { return {__hmul(a.x, b.x), __hmul(a.y, b.y)}; }
  friend Pair __h2div(Pair a, Pair b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
  friend Pair __hfma2(Pair a, Pair b, Pair c) { return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
  friend Pair __hneg2(Pair a) { return {__hneg(a.x), __hneg(a.y)}; }
  friend Pair __habs2(Pair a) { return {__habs(a.x), __habs(a.y)}; }
  friend Pair __hmin2(Pair a, Pair b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
  friend Pair __hmax2(Pair a, Pair b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
  friend Pair operator+(const Pair& a, const Pair& b) { return __hadd2(a, b); }
  friend Pair operator-(const Pair& a, const Pair& b) { return __hsub2(a, b); }
  friend Pair operator*(const Pair& a, const Pair& b) { return __hmul2(a, b); }
  friend Pair operator/(const Pair& a, const Pair& b) { return __h2div(a, b); }
  friend Pair operator-(const Pair& a) { return __hneg2(a); }
  EMULATED_COMPARE_PAIRS(eq)
  EMULATED_COMPARE_PAIRS(ne)
  EMULATED_COMPARE_PAIRS(lt)
  EMULATED_COMPARE_PAIRS(le)
  EMULATED_COMPARE_PAIRS(gt)
  EMULATED_COMPARE_PAIRS(ge)
  friend bool operator==(const Pair& a, const Pair& b) { return __hbeq2(a, b); }
  friend bool operator!=(const Pair& a, const Pair& b) { return __hbne2(a, b); }
  friend float __low2float(Pair a) { return a.x; }
  friend float __high2float(Pair a) { return a.y; }
  // On a GPU each number is added atomically, the pair as a whole need not be; here it is.
  friend Pair atomicAdd(Pair* address, Pair value) {
    return atomically(address, [=](Pair old) { return __hadd2(old, value); });
  }
};
#undef EMULATED_COMPARE_PAIRS

}  // namespace short_floats

}  // namespace emulated
