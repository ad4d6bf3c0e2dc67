// 16-bit floats (IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits): __half and __half2.
// Their arithmetic and functions are those of all 16-bit floats, emulated/short_floats.h;
// emulated/half_bits.h converts.
#pragma once

#include <cuda_runtime.h>

#include <bit>
#include <cstdint>

#include <emulated/half_bits.h>

#include "emulated/short_floats.h"

struct __half_raw {
  unsigned short x;
};

struct __half : emulated::short_floats::ShortFloat<__half> {
  unsigned short bits;

  __half() = default;
  __half(const __half_raw& raw) : bits(raw.x) {}
  __half(float value) : bits(emulated::float_to_half(value)) {}
  __half(double value) : __half(emulated::to_float_odd(value)) {}
  __half(int value) : __half(static_cast<double>(value)) {}
  __half(unsigned value) : __half(static_cast<double>(value)) {}
  operator float() const { return emulated::half_to_float(bits); }
  operator __half_raw() const { return {bits}; }
};
using half = __half;

struct __attribute__((aligned(4))) __half2
    : emulated::short_floats::ShortFloatPair<__half2, __half> {
  __half x, y;

  __half2() = default;
  __half2(__half a, __half b) : x(a), y(b) {}
};
using half2 = __half2;

inline __half __float2half(float a) { return a; }
inline __half __float2half_rn(float a) { return a; }
inline __half __float2half_rz(float a) { return __half::toward_zero(a); }
inline __half __double2half(double a) { return a; }
inline float __half2float(__half a) { return a; }

// Integers; conversions to them saturate.
EMULATED_INTEGERS(half, __half)

// Pairs; .x is the low half.
inline __half2 __halves2half2(__half a, __half b) { return {a, b}; }
inline __half2 make_half2(__half a, __half b) { return {a, b}; }
inline __half2 __half2half2(__half a) { return {a, a}; }
inline __half2 __float2half2_rn(float a) { return {a, a}; }
inline __half2 __floats2half2_rn(float a, float b) { return {a, b}; }
inline __half2 __float22half2_rn(float2 a) { return {a.x, a.y}; }
inline float2 __half22float2(__half2 a) { return make_float2(a.x, a.y); }
inline __half __low2half(__half2 a) { return a.x; }
inline __half __high2half(__half2 a) { return a.y; }
inline __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
inline __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

// Bit patterns.
inline unsigned short __half_as_ushort(__half a) { return a.bits; }
inline short __half_as_short(__half a) { return static_cast<short>(a.bits); }
inline __half __ushort_as_half(unsigned short a) { return __half::from_bits(a); }
inline __half __short_as_half(short a) { return __half::from_bits(static_cast<unsigned short>(a)); }
