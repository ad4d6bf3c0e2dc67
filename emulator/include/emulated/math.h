// CUDA's mathematical functions, as far as <cmath> does not have them. Where CUDA offers a fast
// approximation (__expf, __fdividef, ...), the emulated device computes the exact function: results
// differ from hardware in the last bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "convert.h"
#include "exponential.h"
#include "qualifiers.h"
#include "rounding.h"

// CUDA code uses these without std::.
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

// ---- the smaller and the larger number: never NaN where there is another, and -0 is less than 0
// (PTX, min and max) ----
namespace emulated {
template <class Bits, class T>
constexpr T smaller(T a, T b) {
  const T either = a < b || b != b ? a : b;
  return a == b ? std::bit_cast<T>(std::bit_cast<Bits>(a) | std::bit_cast<Bits>(b)) : either;
}
template <class Bits, class T>
constexpr T larger(T a, T b) {
  const T either = a > b || b != b ? a : b;
  return a == b ? std::bit_cast<T>(std::bit_cast<Bits>(a) & std::bit_cast<Bits>(b)) : either;
}
}  // namespace emulated
// In place of the C library's, which are calls and leave the zeros open.
extern "C" {
#define EMULATED_INLINE extern inline __attribute__((gnu_inline, always_inline))
EMULATED_INLINE float fminf(float a, float b) noexcept {
  return emulated::smaller<std::uint32_t>(a, b);
}
EMULATED_INLINE float fmaxf(float a, float b) noexcept {
  return emulated::larger<std::uint32_t>(a, b);
}
EMULATED_INLINE double fmin(double a, double b) noexcept {
  return emulated::smaller<std::uint64_t>(a, b);
}
EMULATED_INLINE double fmax(double a, double b) noexcept {
  return emulated::larger<std::uint64_t>(a, b);
}
#undef EMULATED_INLINE
}

// ---- min and max for every mixture of types that CUDA has ----
#define EMULATED_MIN_MAX(T)                           \
  constexpr T min(T a, T b) { return b < a ? b : a; } \
  constexpr T max(T a, T b) { return a < b ? b : a; }
EMULATED_MIN_MAX(int)
EMULATED_MIN_MAX(unsigned)
EMULATED_MIN_MAX(long)
EMULATED_MIN_MAX(unsigned long)
EMULATED_MIN_MAX(long long)
EMULATED_MIN_MAX(unsigned long long)
#undef EMULATED_MIN_MAX
inline float min(float a, float b) { return ::fminf(a, b); }
inline float max(float a, float b) { return ::fmaxf(a, b); }
inline double min(double a, double b) { return ::fmin(a, b); }
inline double max(double a, double b) { return ::fmax(a, b); }
#define EMULATED_MIXED(specifier, A, B, T)                                        \
  specifier T min(A a, B b) { return min(static_cast<T>(a), static_cast<T>(b)); } \
  specifier T max(A a, B b) { return max(static_cast<T>(a), static_cast<T>(b)); } \
  specifier T min(B a, A b) { return min(static_cast<T>(a), static_cast<T>(b)); } \
  specifier T max(B a, A b) { return max(static_cast<T>(a), static_cast<T>(b)); }
EMULATED_MIXED(constexpr, int, unsigned, unsigned)
EMULATED_MIXED(constexpr, long, unsigned long, unsigned long)
EMULATED_MIXED(constexpr, long long, unsigned long long, unsigned long long)
EMULATED_MIXED(inline, float, double, double)
#undef EMULATED_MIXED

// ---- functions that <cmath> lacks ----
inline float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
inline float rsqrt(float x) { return rsqrtf(x); }
inline float __frsqrt_rn(float x) {
  return static_cast<float>(1.0 / ::sqrt(static_cast<double>(x)));
}
inline float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
inline float norm3df(float a, float b, float c) { return ::sqrtf(a * a + b * b + c * c); }
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline float fdividef(float a, float b) { return a / b; }
inline double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }

// ---- sine and cosine of multiples of pi: exact where the result is ----
inline double sinpi(double x) {
  const double turn = ::fmod(x, 2.0);
  const double rest = ::fmod(turn, 1.0);
  if (rest == 0 && !std::isnan(x)) return std::copysign(0.0, x);
  return ::sin(3.14159265358979323846 * turn);
}
inline double cospi(double x) {
  const double turn = ::fmod(::fabs(x), 2.0);
  if (turn == 0.5 || turn == 1.5) return 0;
  return ::cos(3.14159265358979323846 * turn);
}
inline float sinpif(float x) { return static_cast<float>(sinpi(x)); }
inline float cospif(float x) { return static_cast<float>(cospi(x)); }
inline void sincospi(double x, double* sine, double* cosine) {
  *sine = sinpi(x);
  *cosine = cospi(x);
}
inline void sincospif(float x, float* sine, float* cosine) {
  *sine = sinpif(x);
  *cosine = cospif(x);
}

// ---- fast approximations on hardware ----
inline float __fdividef(float a, float b) { return a / b; }
inline float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }  // NaN becomes 0
// The C library has functions of its own with these names, which it does not let us define: macros.
#define __expf(x) (::expf(x))
#define __exp10f(x) (::powf(10.0f, x))
#define __logf(x) (::logf(x))
#define __log2f(x) (::log2f(x))
#define __log10f(x) (::log10f(x))
#define __sinf(x) (::sinf(x))
#define __cosf(x) (::cosf(x))
#define __tanf(x) (::tanf(x))
#define __powf(x, y) (::powf(x, y))
#define __sincosf(x, s, c) (static_cast<void>(*(s) = ::sinf(x), *(c) = ::cosf(x)))

// ---- conversions ----
#define EMULATED_TO_INTEGER(from, From, to, To)                                                 \
  inline To __##from##2##to##_rn(From x) { return emulated::saturated<To>(std::nearbyint(x)); } \
  inline To __##from##2##to##_rz(From x) { return emulated::saturated<To>(std::trunc(x)); }     \
  inline To __##from##2##to##_ru(From x) { return emulated::saturated<To>(std::ceil(x)); }      \
  inline To __##from##2##to##_rd(From x) { return emulated::saturated<To>(std::floor(x)); }
EMULATED_TO_INTEGER(float, float, int, int)
EMULATED_TO_INTEGER(float, float, uint, unsigned)
EMULATED_TO_INTEGER(float, float, ll, long long)
EMULATED_TO_INTEGER(float, float, ull, unsigned long long)
EMULATED_TO_INTEGER(double, double, int, int)
EMULATED_TO_INTEGER(double, double, uint, unsigned)
EMULATED_TO_INTEGER(double, double, ll, long long)
EMULATED_TO_INTEGER(double, double, ull, unsigned long long)
#undef EMULATED_TO_INTEGER

inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
inline double __int2double_rn(int x) { return x; }
inline double __uint2double_rn(unsigned x) { return x; }
inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }

// The same bits as another type.
constexpr unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
constexpr int __float_as_int(float x) { return std::bit_cast<int>(x); }
constexpr float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
constexpr float __int_as_float(int x) { return std::bit_cast<float>(x); }
constexpr long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
constexpr double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
constexpr int __double2hiint(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 32);
}
constexpr int __double2loint(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x)); }
constexpr double __hiloint2double(int high, int low) {
  return std::bit_cast<double>(std::uint64_t{static_cast<unsigned>(high)} << 32 |
                               static_cast<unsigned>(low));
}

// ---- bits and integers ----
constexpr int __popc(unsigned x) { return std::popcount(x); }
constexpr int __popcll(unsigned long long x) { return std::popcount(x); }
constexpr int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
constexpr int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
constexpr int __ffs(int x) {
  return __builtin_ffs(x);
}  // number of the lowest 1 bit, from 1; 0 for none
constexpr int __ffsll(long long x) { return __builtin_ffsll(x); }
// Bits in the reverse order.
constexpr unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
constexpr unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
// Four of the eight bytes of y:x; each 4-bit digit of `selector` picks one, its
// highest bit selects the sign only.
constexpr unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t bytes = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned digit =
        selector >> 4 * i & 7;  // the digit's fourth bit counts for PTX's prmt, but not here
    const unsigned byte = static_cast<unsigned>(bytes >> 8 * digit) & 255;
    result |= byte << 8 * i;
  }
  return result;
}
// The high or low word of high:low shifted; l and r take the shift modulo 32, lc and rc at most 32.
constexpr unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift & 31) >> 32);
}
constexpr unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
constexpr unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift & 31));
}
constexpr unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}
constexpr int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
constexpr unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32);
}
constexpr long long __mul64hi(long long a, long long b) {
  return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
constexpr unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
// Products of the low 24 bits.
constexpr int __mul24(int a, int b) {
  const std::int64_t x = static_cast<std::int32_t>(static_cast<unsigned>(a) << 8) >> 8;
  const std::int64_t y = static_cast<std::int32_t>(static_cast<unsigned>(b) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned>(x * y));
}
constexpr unsigned __umul24(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(a & 0xffffff) * (b & 0xffffff));
}
constexpr unsigned __sad(int a, int b, unsigned c) {
  return c + (a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b)
                    : static_cast<unsigned>(b) - static_cast<unsigned>(a));
}
constexpr unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}
constexpr int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
constexpr int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
constexpr unsigned __uhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(a) + b) >> 1);
}
constexpr unsigned __urhadd(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<std::uint64_t>(a) + b + 1) >> 1);
}
