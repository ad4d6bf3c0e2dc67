// 16-bit floats (IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits): __half, __half2 and their
// functions. Arithmetic is exact in float or double and then rounded once to half, which is what the hardware
// returns.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "emulated/short_floats.h"

namespace emulated {

// Half to float; exact.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu, fraction = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
  const float magnitude = static_cast<float>(fraction) * 0x1p-24f;  // zero and subnormal numbers
  return sign != 0 ? -magnitude : magnitude;
}

// How a value between two halves is rounded.
enum class HalfRounding { nearest_even, toward_zero, down, up };

// Double to half, rounded once. NaN becomes 0x7fff, as on the device; too large numbers become infinite or,
// where the rounding goes the other way, the largest half, 65504.
inline std::uint16_t to_half(double value, HalfRounding rounding = HalfRounding::nearest_even) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | 0x7c00;
  if (magnitude == 0) return sign;
  int exponent = std::ilogb(magnitude);
  if (exponent > 16) exponent = 16;
  if (exponent < -14) exponent = -14;
  const double units = std::ldexp(magnitude, 10 - exponent);  // exact: a power of two
  const double below = std::floor(units), rest = units - below;
  bool round_up = false;
  switch (rounding) {
    case HalfRounding::nearest_even:
      round_up = rest > 0.5 || (rest == 0.5 && std::fmod(below, 2) != 0);
      break;
    case HalfRounding::toward_zero:
      break;
    case HalfRounding::down:
      round_up = sign != 0 && rest > 0;
      break;
    case HalfRounding::up:
      round_up = sign == 0 && rest > 0;
      break;
  }
  const double bits = (exponent + 14) * 1024.0 + below + (round_up ? 1 : 0);
  if (bits < 0x7c00) return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(bits));
  const bool to_infinity = rounding == HalfRounding::nearest_even ||
                           (rounding == HalfRounding::down && sign != 0) ||
                           (rounding == HalfRounding::up && sign == 0);
  return sign | (to_infinity ? 0x7c00 : 0x7bff);
}

// Float to half, to nearest even. The same as to_half, without its general arithmetic.
inline std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint16_t sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x477ff000u) return sign | 0x7c00;  // 65520 and more
  if (magnitude < 0x38800000u) {  // below 2^-14: steps of 2^-24, which this sum rounds to
    const float sum = std::bit_cast<float>(magnitude) + 0.5f;
    return sign | static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(sum) - 0x3f000000u);
  }
  const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
  return sign | static_cast<std::uint16_t>((rounded - 0x38000000u) >> 13);
}

}  // namespace emulated

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct __half {
  unsigned short bits;

  __half() = default;
  __half(const __half_raw& raw) : bits(raw.x) {}
  __half(float value) : bits(emulated::float_to_half(value)) {}
  __half(double value) : bits(emulated::to_half(value)) {}
  __half(int value) : bits(emulated::to_half(value)) {}
  __half(unsigned value) : bits(emulated::to_half(value)) {}
  __half(short value) : bits(emulated::to_half(value)) {}
  __half(unsigned short value) : bits(emulated::to_half(value)) {}
  operator float() const { return emulated::half_to_float(bits); }
  operator __half_raw() const { return {bits}; }
};
using half = __half;

struct __attribute__((aligned(4))) __half2 {
  __half x, y;

  __half2() = default;
  __half2(__half a, __half b) : x(a), y(b) {}
};
using half2 = __half2;
template <>
inline constexpr bool emulated::is_short_float<__half> = true;

namespace emulated {
inline __half half_from(double value) { return __half(value); }
inline __half half_bits(std::uint16_t bits) { return __half(__half_raw{bits}); }
}  // namespace emulated

// ---- conversions

inline __half __float2half(float a) { return __half(a); }
inline __half __float2half_rn(float a) { return __half(a); }
inline __half __float2half_rz(float a) {
  return emulated::half_bits(emulated::to_half(a, emulated::HalfRounding::toward_zero));
}
inline __half __float2half_rd(float a) {
  return emulated::half_bits(emulated::to_half(a, emulated::HalfRounding::down));
}
inline __half __float2half_ru(float a) {
  return emulated::half_bits(emulated::to_half(a, emulated::HalfRounding::up));
}
inline __half __double2half(double a) { return __half(a); }
inline float __half2float(__half a) { return emulated::half_to_float(a.bits); }

// Integers; conversions to them saturate.
namespace emulated {
inline __half rounded_to_half(double value, HalfRounding rounding) {
  return half_bits(to_half(value, rounding));
}
}  // namespace emulated
EMULATED_INTEGERS(half, __half, emulated::rounded_to_half)

// Pairs; .x is the low half.
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 make_half2(__half a, __half b) { return {a, b}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
inline __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
inline __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
inline float2 __half22float2(__half2 a) { return make_float2(__half2float(a.x), __half2float(a.y)); }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline float __low2float(__half2 a) { return __half2float(a.x); }
inline float __high2float(__half2 a) { return __half2float(a.y); }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

// Bit patterns.
inline unsigned short __half_as_ushort(__half a) { return a.bits; }
inline short __half_as_short(__half a) { return static_cast<short>(a.bits); }
inline __half __ushort_as_half(unsigned short a) { return emulated::half_bits(a); }
inline __half __short_as_half(short a) { return emulated::half_bits(static_cast<unsigned short>(a)); }

// ---- arithmetic

inline __half __hadd(__half a, __half b) {
  return emulated::half_from(double(__half2float(a)) + __half2float(b));
}
inline __half __hsub(__half a, __half b) {
  return emulated::half_from(double(__half2float(a)) - __half2float(b));
}
inline __half __hmul(__half a, __half b) {
  return emulated::half_from(double(__half2float(a)) * __half2float(b));
}
inline __half __hdiv(__half a, __half b) {
  return emulated::half_from(double(__half2float(a)) / __half2float(b));
}
inline __half __hfma(__half a, __half b, __half c) {
  return emulated::half_from(double(__half2float(a)) * __half2float(b) + __half2float(c));
}
inline __half __hneg(__half a) { return emulated::half_bits(a.bits ^ 0x8000); }
inline __half __habs(__half a) { return emulated::half_bits(a.bits & 0x7fff); }
inline __half __hfma_sat(__half a, __half b, __half c) { return emulated::saturate(__hfma(a, b, c)); }

inline __half operator+(const __half& a, const __half& b) { return __hadd(a, b); }
inline __half operator-(const __half& a, const __half& b) { return __hsub(a, b); }
inline __half operator*(const __half& a, const __half& b) { return __hmul(a, b); }
inline __half operator/(const __half& a, const __half& b) { return __hdiv(a, b); }
inline __half operator+(const __half& a) { return a; }
inline __half operator-(const __half& a) { return __hneg(a); }
inline __half& operator+=(__half& a, const __half& b) { return a = a + b; }
inline __half& operator-=(__half& a, const __half& b) { return a = a - b; }
inline __half& operator*=(__half& a, const __half& b) { return a = a * b; }
inline __half& operator/=(__half& a, const __half& b) { return a = a / b; }

// ---- comparisons

// Ordered comparisons: false if one side is NaN, but for "not equal".
inline bool __heq(__half a, __half b) { return __half2float(a) == __half2float(b); }
inline bool __hne(__half a, __half b) {
  return __half2float(a) < __half2float(b) || __half2float(a) > __half2float(b);
}
inline bool __hlt(__half a, __half b) { return __half2float(a) < __half2float(b); }
inline bool __hle(__half a, __half b) { return __half2float(a) <= __half2float(b); }
inline bool __hgt(__half a, __half b) { return __half2float(a) > __half2float(b); }
inline bool __hge(__half a, __half b) { return __half2float(a) >= __half2float(b); }
inline bool operator==(const __half& a, const __half& b) { return __heq(a, b); }
inline bool operator!=(const __half& a, const __half& b) { return !__heq(a, b); }
inline bool operator<(const __half& a, const __half& b) { return __hlt(a, b); }
inline bool operator<=(const __half& a, const __half& b) { return __hle(a, b); }
inline bool operator>(const __half& a, const __half& b) { return __hgt(a, b); }
inline bool operator>=(const __half& a, const __half& b) { return __hge(a, b); }

inline bool __hisnan(__half a) { return std::isnan(__half2float(a)); }
inline int __hisinf(__half a) { return a.bits == 0x7c00 ? 1 : a.bits == 0xfc00 ? -1 : 0; }

// The smaller and the larger; the other one if one is NaN.
inline __half __hmin(__half a, __half b) { return __half(std::fmin(__half2float(a), __half2float(b))); }
inline __half __hmax(__half a, __half b) { return __half(std::fmax(__half2float(a), __half2float(b))); }

// ---- atomics

inline __half atomicAdd(__half* address, __half value) {
  return emulated::atomically(address, [=](__half old) { return __hadd(old, value); });
}
inline __half2 atomicAdd(__half2* address, __half2 value) {
  return emulated::atomically(address, [=](__half2 old) { return __hadd2(old, value); });
}
