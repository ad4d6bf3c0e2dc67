// bfloat16: the upper half of a float (1 sign, 8 exponent, 7 fraction bits): __nv_bfloat16, __nv_bfloat162 and their
// functions. Arithmetic is done in float (products and fma in double) and rounded once, as hardware returns it.
#pragma once

#include <cuda_fp16.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace emulated {

// Float to bfloat16. NaN becomes 0x7fff, as on the device; too large numbers as with halves.
inline std::uint16_t to_bfloat16(float value, HalfRounding rounding = HalfRounding::nearest_even) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isinf(value)) return static_cast<std::uint16_t>(bits >> 16);
  const bool negative = bits >> 31 != 0;
  std::uint32_t up = 0;  // what makes the upper half the next one
  if (rounding == HalfRounding::nearest_even)
    up = 0x7fff + (bits >> 16 & 1);
  else if (rounding == (negative ? HalfRounding::down : HalfRounding::up))
    up = 0xffff;
  return static_cast<std::uint16_t>((bits + up) >> 16);
}
inline float bfloat16_to_float(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

// Double to float so that rounding the result again to bfloat16 gives what one rounding would: to odd.
inline float to_float_odd(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value) || std::isinf(nearest)) return nearest;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;  // toward zero
  return std::bit_cast<float>(bits | 1);
}

}  // namespace emulated

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __nv_bfloat16 {
  unsigned short bits;

  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits(raw.x) {}
  __nv_bfloat16(float value) : bits(emulated::to_bfloat16(value)) {}
  __nv_bfloat16(double value) : bits(emulated::to_bfloat16(emulated::to_float_odd(value))) {}
  __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(unsigned value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(short value) : __nv_bfloat16(static_cast<float>(value)) {}
  __nv_bfloat16(unsigned short value) : __nv_bfloat16(static_cast<float>(value)) {}
  operator float() const { return emulated::bfloat16_to_float(bits); }
  operator __nv_bfloat16_raw() const { return {bits}; }
};
using nv_bfloat16 = __nv_bfloat16;

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
using nv_bfloat162 = __nv_bfloat162;
template <>
inline constexpr bool emulated::is_short_float<__nv_bfloat16> = true;

// ---- conversions

inline __nv_bfloat16 __float2bfloat16(float a) { return __nv_bfloat16(a); }
inline __nv_bfloat16 __float2bfloat16_rn(float a) { return __nv_bfloat16(a); }
inline __nv_bfloat16 __float2bfloat16_rz(float a) {
  return __nv_bfloat16_raw{emulated::to_bfloat16(a, emulated::HalfRounding::toward_zero)};
}
inline __nv_bfloat16 __float2bfloat16_rd(float a) {
  return __nv_bfloat16_raw{emulated::to_bfloat16(a, emulated::HalfRounding::down)};
}
inline __nv_bfloat16 __float2bfloat16_ru(float a) {
  return __nv_bfloat16_raw{emulated::to_bfloat16(a, emulated::HalfRounding::up)};
}
inline __nv_bfloat16 __double2bfloat16(double a) { return __nv_bfloat16(a); }
inline float __bfloat162float(__nv_bfloat16 a) { return a; }
namespace emulated {
inline __nv_bfloat16 rounded_to_bfloat16(double value, HalfRounding rounding) {
  return __nv_bfloat16_raw{to_bfloat16(to_float_odd(value), rounding)};
}
}  // namespace emulated
EMULATED_INTEGERS(bfloat16, __nv_bfloat16, emulated::rounded_to_bfloat16)
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
inline short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.bits); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16_raw{a}; }
inline __nv_bfloat16 __short_as_bfloat16(short a) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(a)};
}

// Pairs; .x is the low half.
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
inline __nv_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
inline __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {a.x, a.y}; }
inline float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x, a.y); }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return {a.x, a.x}; }
inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return {a.y, a.y}; }
inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }
inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return {a.y, a.x}; }
inline float __low2float(__nv_bfloat162 a) { return a.x; }
inline float __high2float(__nv_bfloat162 a) { return a.y; }

// ---- arithmetic

namespace emulated {
inline double wide(__nv_bfloat16 a) { return bfloat16_to_float(a.bits); }
}  // namespace emulated
inline __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) {
  return emulated::wide(a) + emulated::wide(b);
}
inline __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) {
  return emulated::wide(a) - emulated::wide(b);
}
inline __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) {
  return emulated::wide(a) * emulated::wide(b);
}
inline __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) {
  return emulated::wide(a) / emulated::wide(b);
}
inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return std::fma(emulated::wide(a), emulated::wide(b), emulated::wide(c));
}
inline __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(a.bits ^ 0x8000)};
}
inline __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(a.bits & 0x7fff)};
}
inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return std::fmin(float{a}, float{b}); }
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return std::fmax(float{a}, float{b}); }
inline __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return emulated::saturate(__hfma(a, b, c));
}

inline __nv_bfloat16 operator+(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hadd(a, b); }
inline __nv_bfloat16 operator-(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hsub(a, b); }
inline __nv_bfloat16 operator*(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hmul(a, b); }
inline __nv_bfloat16 operator/(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hdiv(a, b); }
inline __nv_bfloat16 operator-(const __nv_bfloat16& a) { return __hneg(a); }
inline __nv_bfloat16& operator+=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a + b; }
inline __nv_bfloat16& operator-=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a - b; }
inline __nv_bfloat16& operator*=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a * b; }
inline __nv_bfloat16& operator/=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = a / b; }

// ---- comparisons: false if one side is NaN, but for operator!=

inline bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return float{a} == float{b}; }
inline bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return float{a} < float{b} || float{a} > float{b}; }
inline bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return float{a} < float{b}; }
inline bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return float{a} <= float{b}; }
inline bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return float{a} > float{b}; }
inline bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return float{a} >= float{b}; }
inline bool __hisnan(__nv_bfloat16 a) { return std::isnan(float{a}); }
inline bool operator==(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __heq(a, b); }
inline bool operator!=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return !__heq(a, b); }
inline bool operator<(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hlt(a, b); }
inline bool operator<=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hle(a, b); }
inline bool operator>(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hgt(a, b); }
inline bool operator>=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hge(a, b); }

// ---- atomics

inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  return emulated::atomically(address, [=](__nv_bfloat16 old) { return old + value; });
}
// Each half is added atomically, the pair as a whole need not be; here it is.
inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
  return emulated::atomically(address, [=](__nv_bfloat162 old) { return old + value; });
}
