// What the 16-bit floats __half and __nv_bfloat16 have in common: arithmetic, comparisons and
// functions, of single numbers and of pairs. Results are computed in double, in which sums and
// products of 16-bit floats lose nothing that their rounding could see, and rounded once, which is
// what the hardware returns.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <emulated/atomics.h>
#include <emulated/convert.h>

namespace emulated {

// Double to float, so that rounding the result to fewer bits gives what rounding the double would:
// what is lost leaves the last bit set.
inline float to_float_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value) || std::isinf(nearest))
    return nearest;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;  // toward zero
  return std::bit_cast<float>(bits | 1);
}

// a + b in double, so that rounding it to fewer bits gives what rounding the sum would: if
// something is lost the last bit is set.
inline double sum_odd(double a, double b) {
  const double sum = a + b, part = sum - a,
               error = (a - (sum - part)) + (b - part);  // Knuth's TwoSum
  if (error == 0 || !std::isfinite(sum)) return sum;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(sum);
  if ((error < 0) != (sum < 0)) --bits;  // toward zero
  return std::bit_cast<double>(bits | 1);
}

// An integer from one that is whole already, brought into its range.
template <class Integer>
Integer whole_number(float rounded) {
  if constexpr (sizeof(Integer) >= sizeof(int)) {
    return saturated<Integer>(rounded);
  } else {
    using Limits = std::numeric_limits<Integer>;
    return static_cast<Integer>(
        std::clamp<int>(saturated<int>(rounded), Limits::min(), Limits::max()));
  }
}

// Functions of one number x: hsqrt and the rounding ones are exact, the others are within the last
// place of the device's approximations.
#define EMULATED_SHORT_FLOAT_FUNCTIONS(F) \
  F(sqrt, std::sqrt(x))                   \
  F(rsqrt, 1 / std::sqrt(x))              \
  F(rcp, 1 / x)                           \
  F(exp, std::exp(x))                     \
  F(exp2, std::exp2(x))                   \
  F(exp10, std::pow(10.0, x))             \
  F(log, std::log(x))                     \
  F(log2, std::log2(x))                   \
  F(log10, std::log10(x))                 \
  F(sin, std::sin(x))                     \
  F(cos, std::cos(x))                     \
  F(tanh, std::tanh(x))                   \
  F(tanh_approx, std::tanh(x))            \
  F(floor, std::floor(x))                 \
  F(ceil, std::ceil(x))                   \
  F(trunc, std::trunc(x))                 \
  F(rint, std::nearbyint(x))
#define EMULATED_SHORT_FLOAT_COMPARISONS(F) F(eq) F(ne) F(lt) F(le) F(gt) F(ge)

// Nothing else may be in this namespace: it is where the compiler looks for what a
// program calls with such numbers.
namespace short_floats {

// The base of T, which has `bits`, a constructor from double (to the nearest) and a conversion to
// float. The functions are friends, so that the other operand may be any number that becomes a T.
template <class T>
struct ShortFloat {
  static T from_bits(unsigned bits) {
    T result;
    result.bits = static_cast<unsigned short>(bits);
    return result;
  }
  static T toward_zero(double value) {
    T result(value);  // the nearest, perhaps beyond the value
    if (std::fabs(emulated_wide(result)) > std::fabs(value)) --result.bits;
    return result;
  }

  friend double emulated_wide(T a) { return static_cast<float>(a); }

  friend T __hadd(T a, T b) { return emulated_wide(a) + emulated_wide(b); }
  friend T __hsub(T a, T b) { return emulated_wide(a) - emulated_wide(b); }
  friend T __hmul(T a, T b) { return emulated_wide(a) * emulated_wide(b); }
  friend T __hdiv(T a, T b) { return emulated_wide(a) / emulated_wide(b); }
  friend T __hfma(T a, T b, T c) {
    return sum_odd(emulated_wide(a) * emulated_wide(b), emulated_wide(c));
  }
  friend T __hneg(T a) { return from_bits(a.bits ^ 0x8000u); }
  friend T __habs(T a) { return from_bits(a.bits & 0x7fffu); }
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

  // Ordered comparisons: false if one side is NaN. operator!=: true then.
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
  friend int __hisinf(T a) {
    return !std::isinf(emulated_wide(a)) ? 0 : emulated_wide(a) > 0 ? 1 : -1;
  }
  // The smaller and the larger; the other one if one is NaN, or NaN then.
  friend T __hmin(T a, T b) { return std::fmin(emulated_wide(a), emulated_wide(b)); }
  friend T __hmax(T a, T b) { return std::fmax(emulated_wide(a), emulated_wide(b)); }

#define EMULATED_FUNCTION(name, expression) \
  friend T h##name(T a) {                   \
    const double x = emulated_wide(a);      \
    return expression;                      \
  }
  EMULATED_SHORT_FLOAT_FUNCTIONS(EMULATED_FUNCTION)
#undef EMULATED_FUNCTION

  friend T atomicAdd(T* address, T value) {
    return atomically(address, [=](T old) { return __hadd(old, value); });
  }
};

// The base of Pair, which has two T, x and y, and a constructor from them.
template <class Pair, class T>
struct ShortFloatPair {
#define EMULATED_OF_PAIR(name, pairs) \
  friend Pair pairs(Pair a) { return {name(a.x), name(a.y)}; }
#define EMULATED_OF_PAIRS(name, pairs) \
  friend Pair pairs(Pair a, Pair b) { return {name(a.x, b.x), name(a.y, b.y)}; }
  EMULATED_OF_PAIR(__hneg, __hneg2)
  EMULATED_OF_PAIR(__habs, __habs2)
  EMULATED_OF_PAIR(1.0f * __hisnan, __hisnan2)
  EMULATED_OF_PAIRS(__hadd, __hadd2)
  EMULATED_OF_PAIRS(__hsub, __hsub2)
  EMULATED_OF_PAIRS(__hmul, __hmul2)
  EMULATED_OF_PAIRS(__hdiv, __h2div)
  EMULATED_OF_PAIRS(__hmin, __hmin2)
  EMULATED_OF_PAIRS(__hmax, __hmax2)
  friend Pair __hfma2(Pair a, Pair b, Pair c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
  }
#define EMULATED_FUNCTION(name, expression) EMULATED_OF_PAIR(h##name, h2##name)
  EMULATED_SHORT_FLOAT_FUNCTIONS(EMULATED_FUNCTION)
#undef EMULATED_FUNCTION
#undef EMULATED_OF_PAIR
#undef EMULATED_OF_PAIRS
  friend Pair operator+(const Pair& a, const Pair& b) { return __hadd2(a, b); }
  friend Pair operator-(const Pair& a, const Pair& b) { return __hsub2(a, b); }
  friend Pair operator*(const Pair& a, const Pair& b) { return __hmul2(a, b); }
  friend Pair operator/(const Pair& a, const Pair& b) { return __h2div(a, b); }
  friend Pair operator-(const Pair& a) { return __hneg2(a); }
  friend Pair& operator+=(Pair& a, const Pair& b) { return a = a + b; }
  friend Pair& operator-=(Pair& a, const Pair& b) { return a = a - b; }
  friend Pair& operator*=(Pair& a, const Pair& b) { return a = a * b; }
  friend Pair& operator/=(Pair& a, const Pair& b) { return a = a / b; }

  // 1 or 0 for each number; whether it holds for both.
#define EMULATED_COMPARE(name)                                       \
  friend Pair __h##name##2(Pair a, Pair b) {                         \
    return {1.0f * __h##name(a.x, b.x), 1.0f * __h##name(a.y, b.y)}; \
  }                                                                  \
  friend bool __hb##name##2(Pair a, Pair b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
  EMULATED_SHORT_FLOAT_COMPARISONS(EMULATED_COMPARE)
#undef EMULATED_COMPARE
  friend bool operator==(const Pair& a, const Pair& b) { return __hbeq2(a, b); }
  friend bool operator!=(const Pair& a, const Pair& b) { return a.x != b.x && a.y != b.y; }
  friend float __low2float(Pair a) { return a.x; }
  friend float __high2float(Pair a) { return a.y; }
  friend Pair __lowhigh2highlow(Pair a) { return {a.y, a.x}; }
  // On a GPU each number is added atomically, the pair as a whole need not be; here it is.
  friend Pair atomicAdd(Pair* address, Pair value) {
    return atomically(address, [=](Pair old) { return __hadd2(old, value); });
  }
};

}  // namespace short_floats

}  // namespace emulated

#undef EMULATED_SHORT_FLOAT_FUNCTIONS
#undef EMULATED_SHORT_FLOAT_COMPARISONS

// From and to integers: __half2int_rz, __int2half_rn and so on.
#define EMULATED_FROM_SHORT_FLOAT(half, T, name, Integer, suffix, function) \
  inline Integer __##half##2##name##_##suffix(T a) {                        \
    return emulated::whole_number<Integer>(function(float{a}));             \
  }
#define EMULATED_INTEGER(half, T, name, Integer)                                \
  inline T __##name##2##half##_rn(Integer a) { return static_cast<double>(a); } \
  EMULATED_FROM_SHORT_FLOAT(half, T, name, Integer, rn, std::nearbyint)         \
  EMULATED_FROM_SHORT_FLOAT(half, T, name, Integer, rz, std::trunc)             \
  EMULATED_FROM_SHORT_FLOAT(half, T, name, Integer, rd, std::floor)             \
  EMULATED_FROM_SHORT_FLOAT(half, T, name, Integer, ru, std::ceil)
#define EMULATED_INTEGERS(half, T)                                      \
  EMULATED_INTEGER(half, T, int, int)                                   \
  EMULATED_INTEGER(half, T, uint, unsigned)                             \
  EMULATED_INTEGER(half, T, short, short)                               \
  EMULATED_INTEGER(half, T, ushort, unsigned short)                     \
  EMULATED_INTEGER(half, T, ll, long long)                              \
  EMULATED_INTEGER(half, T, ull, unsigned long long)                    \
  EMULATED_FROM_SHORT_FLOAT(half, T, char, signed char, rz, std::trunc) \
  EMULATED_FROM_SHORT_FLOAT(half, T, uchar, unsigned char, rz, std::trunc)
