// bfloat16: the upper half of a float (1 sign, 8 exponent, 7 fraction bits): __nv_bfloat16 and
// __nv_bfloat162. Their arithmetic and functions are those of all 16-bit floats,
// emulated/short_floats.h; here are the conversions.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "emulated/short_floats.h"

namespace emulated {

// Float to bfloat16, to nearest even. NaN becomes 0x7fff, as on the device.
inline std::uint16_t float_to_bfloat16(float value) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace emulated

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __nv_bfloat16 : emulated::short_floats::ShortFloat<__nv_bfloat16> {
  unsigned short bits;

  __nv_bfloat16() = default;
  __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits(raw.x) {}
  __nv_bfloat16(float value) : bits(emulated::float_to_bfloat16(value)) {}
  __nv_bfloat16(double value) : __nv_bfloat16(emulated::to_float_odd(value)) {}
  __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __nv_bfloat16(unsigned value) : __nv_bfloat16(static_cast<double>(value)) {}
  operator float() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
  operator __nv_bfloat16_raw() const { return {bits}; }
};
using nv_bfloat16 = __nv_bfloat16;

struct __attribute__((aligned(4))) __nv_bfloat162
    : emulated::short_floats::ShortFloatPair<__nv_bfloat162, __nv_bfloat16> {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
using nv_bfloat162 = __nv_bfloat162;

inline __nv_bfloat16 __float2bfloat16(float a) { return a; }
inline __nv_bfloat16 __float2bfloat16_rn(float a) { return a; }
inline __nv_bfloat16 __float2bfloat16_rz(float a) { return __nv_bfloat16::toward_zero(a); }
inline __nv_bfloat16 __double2bfloat16(double a) { return a; }
inline float __bfloat162float(__nv_bfloat16 a) { return a; }

// Integers; conversions to them saturate.
EMULATED_INTEGERS(bfloat16, __nv_bfloat16)

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

// Bit patterns.
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
inline short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.bits); }
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __nv_bfloat16::from_bits(a); }
inline __nv_bfloat16 __short_as_bfloat16(short a) {
  return __nv_bfloat16::from_bits(static_cast<unsigned short>(a));
}
