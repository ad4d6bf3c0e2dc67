// What __half and __nv_bfloat16 have in common: functions of pairs, whose halves are computed alone, comparisons that
// hold if one side is NaN, conversions from and to integers. Included by ../cuda_fp16.h and ../cuda_bf16.h.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace emulated {

template <class T>
inline constexpr bool is_short_float = false;
template <class T>
concept ShortFloat = is_short_float<T>;
template <class P>
concept ShortPair = is_short_float<decltype(P::x)>;

template <ShortFloat T>
T saturate(T a) {
  const float v = a;
  return v > 0 ? (v < 1 ? a : T(1.0f)) : T(0.0f);  // NaN becomes 0
}
template <ShortFloat T>
bool unordered(T a, T b) {
  return std::isnan(float{a}) || std::isnan(float{b});
}
// The nearest integer of that type to what is an integer already. NaN becomes 0, of 64 bits the highest bit alone.
template <class Integer>
Integer nearest_integer(float rounded) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(rounded)) return sizeof(Integer) == 8 ? Integer{1} << 63 : 0;
  if (rounded >= std::ldexp(1.0f, Limits::digits)) return Limits::max();
  if (rounded <= static_cast<float>(Limits::min())) return Limits::min();
  return static_cast<Integer>(rounded);
}

}  // namespace emulated

// ---- functions of one number, and of the two of a pair

template <emulated::ShortFloat T>
T __hmax_nan(T a, T b) {
  return emulated::unordered(a, b) ? T(NAN) : __hmax(a, b);
}
template <emulated::ShortFloat T>
T __hmin_nan(T a, T b) {
  return emulated::unordered(a, b) ? T(NAN) : __hmin(a, b);
}
template <emulated::ShortFloat T>
T __hfma_relu(T a, T b, T c) {
  const T sum = __hfma(a, b, c);
  return float{sum} < 0 ? T(0.0f) : sum;
}
template <emulated::ShortPair P>
P __hfma2(P a, P b, P c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
template <emulated::ShortPair P>
P __hfma2_sat(P a, P b, P c) {
  return {emulated::saturate(__hfma(a.x, b.x, c.x)), emulated::saturate(__hfma(a.y, b.y, c.y))};
}
template <emulated::ShortPair P>
P __hfma2_relu(P a, P b, P c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}

#define EMULATED_OPERATION(name, pairs)                  \
  template <emulated::ShortPair P>                       \
  P pairs(P a, P b) {                                    \
    return {name(a.x, b.x), name(a.y, b.y)};             \
  }                                                      \
  template <emulated::ShortFloat T>                      \
  T name##_sat(T a, T b) {                               \
    return emulated::saturate(name(a, b));               \
  }                                                      \
  template <emulated::ShortPair P>                       \
  P pairs##_sat(P a, P b) {                              \
    return {name##_sat(a.x, b.x), name##_sat(a.y, b.y)}; \
  }                                                      \
  template <emulated::ShortFloat T>                      \
  T name##_rn(T a, T b) {                                \
    return name(a, b);                                   \
  }                                                      \
  template <emulated::ShortPair P>                       \
  P pairs##_rn(P a, P b) {                               \
    return pairs(a, b);                                  \
  }
EMULATED_OPERATION(__hadd, __hadd2)
EMULATED_OPERATION(__hsub, __hsub2)
EMULATED_OPERATION(__hmul, __hmul2)
#undef EMULATED_OPERATION

#define EMULATED_OF_PAIRS(name, pairs)       \
  template <emulated::ShortPair P>           \
  P pairs(P a, P b) {                        \
    return {name(a.x, b.x), name(a.y, b.y)}; \
  }
EMULATED_OF_PAIRS(__hdiv, __h2div)
EMULATED_OF_PAIRS(__hmin, __hmin2)
EMULATED_OF_PAIRS(__hmax, __hmax2)
EMULATED_OF_PAIRS(__hmin_nan, __hmin2_nan)
EMULATED_OF_PAIRS(__hmax_nan, __hmax2_nan)
#undef EMULATED_OF_PAIRS

#define EMULATED_OF_A_PAIR(name, pair) \
  template <emulated::ShortPair P>     \
  P pair(P a) {                        \
    return {name(a.x), name(a.y)};     \
  }
EMULATED_OF_A_PAIR(__hneg, __hneg2)
EMULATED_OF_A_PAIR(__habs, __habs2)
EMULATED_OF_A_PAIR(1.0f * __hisnan, __hisnan2)

// Of both: within the last place of the device's approximations; hsqrt and the rounding ones are exact.
#define EMULATED_FUNCTION(name, expression) \
  template <emulated::ShortFloat T>         \
  T h##name(T a) {                          \
    const double x = float{a};              \
    return T(expression);                   \
  }                                         \
  EMULATED_OF_A_PAIR(h##name, h2##name)
EMULATED_FUNCTION(sqrt, std::sqrt(x))
EMULATED_FUNCTION(rsqrt, 1 / std::sqrt(x))
EMULATED_FUNCTION(rcp, 1 / x)
EMULATED_FUNCTION(exp, std::exp(x))
EMULATED_FUNCTION(exp2, std::exp2(x))
EMULATED_FUNCTION(exp10, std::pow(10.0, x))
EMULATED_FUNCTION(log, std::log(x))
EMULATED_FUNCTION(log2, std::log2(x))
EMULATED_FUNCTION(log10, std::log10(x))
EMULATED_FUNCTION(sin, std::sin(x))
EMULATED_FUNCTION(cos, std::cos(x))
EMULATED_FUNCTION(tanh, std::tanh(x))
EMULATED_FUNCTION(tanh_approx, std::tanh(x))
EMULATED_FUNCTION(floor, std::floor(x))
EMULATED_FUNCTION(ceil, std::ceil(x))
EMULATED_FUNCTION(trunc, std::trunc(x))
EMULATED_FUNCTION(rint, std::nearbyint(x))
#undef EMULATED_FUNCTION
#undef EMULATED_OF_A_PAIR

// ---- operators

#define EMULATED_OPERATOR(sign, function)   \
  template <emulated::ShortPair P>          \
  P operator sign(const P& a, const P& b) { \
    return function(a, b);                  \
  }                                         \
  template <emulated::ShortPair P>          \
  P& operator sign##=(P& a, const P& b) {   \
    return a = function(a, b);              \
  }
EMULATED_OPERATOR(+, __hadd2)
EMULATED_OPERATOR(-, __hsub2)
EMULATED_OPERATOR(*, __hmul2)
EMULATED_OPERATOR(/, __h2div)
#undef EMULATED_OPERATOR
template <emulated::ShortPair P>
P operator-(const P& a) {
  return __hneg2(a);
}
#define EMULATED_STEP(sign)          \
  template <emulated::ShortFloat T>  \
  T& operator sign##sign(T& a) {     \
    return a sign## = T(1.0f);       \
  }                                  \
  template <emulated::ShortFloat T>  \
  T operator sign##sign(T& a, int) { \
    const T before = a;              \
    a sign## = T(1.0f);              \
    return before;                   \
  }
EMULATED_STEP(+)
EMULATED_STEP(-)
#undef EMULATED_STEP

// ---- comparisons; with u also true if one side is NaN. Of pairs: 1 or 0 for each half, all bits or none, for both.

#define EMULATED_COMPARE_PAIRS(name)                                                      \
  template <emulated::ShortPair P>                                                        \
  P __h##name##2(P a, P b) {                                                              \
    return {1.0f * __h##name(a.x, b.x), 1.0f * __h##name(a.y, b.y)};                      \
  }                                                                                       \
  template <emulated::ShortPair P>                                                        \
  unsigned __h##name##2_mask(P a, P b) {                                                  \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0); \
  }                                                                                       \
  template <emulated::ShortPair P>                                                        \
  bool __hb##name##2(P a, P b) {                                                          \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                    \
  }
#define EMULATED_COMPARE(name)                           \
  template <emulated::ShortFloat T>                      \
  bool __h##name##u(T a, T b) {                          \
    return emulated::unordered(a, b) || __h##name(a, b); \
  }                                                      \
  EMULATED_COMPARE_PAIRS(name)                           \
  EMULATED_COMPARE_PAIRS(name##u)
EMULATED_COMPARE(eq)
EMULATED_COMPARE(ne)
EMULATED_COMPARE(lt)
EMULATED_COMPARE(le)
EMULATED_COMPARE(gt)
EMULATED_COMPARE(ge)
#undef EMULATED_COMPARE
#undef EMULATED_COMPARE_PAIRS
template <emulated::ShortPair P>
bool operator==(const P& a, const P& b) {
  return __hbeq2(a, b);
}
template <emulated::ShortPair P>
bool operator!=(const P& a, const P& b) {
  return __hbneu2(a, b);
}

// ---- from and to integers: __half2int_rz, __int2half_rn and so on; `make(double, rounding)` gives a number's bits

#define EMULATED_INTEGER(half, T, make, name, Integer)                                                 \
  inline Integer __##half##2##name##_rn(T a) {                                                         \
    return emulated::nearest_integer<Integer>(std::nearbyint(float{a}));                               \
  }                                                                                                    \
  inline Integer __##half##2##name##_rz(T a) {                                                         \
    return emulated::nearest_integer<Integer>(std::trunc(float{a}));                                   \
  }                                                                                                    \
  inline Integer __##half##2##name##_rd(T a) {                                                         \
    return emulated::nearest_integer<Integer>(std::floor(float{a}));                                   \
  }                                                                                                    \
  inline Integer __##half##2##name##_ru(T a) {                                                         \
    return emulated::nearest_integer<Integer>(std::ceil(float{a}));                                    \
  }                                                                                                    \
  inline T __##name##2##half##_rn(Integer a) { return make(a, emulated::HalfRounding::nearest_even); } \
  inline T __##name##2##half##_rz(Integer a) { return make(a, emulated::HalfRounding::toward_zero); }  \
  inline T __##name##2##half##_rd(Integer a) { return make(a, emulated::HalfRounding::down); }         \
  inline T __##name##2##half##_ru(Integer a) { return make(a, emulated::HalfRounding::up); }
#define EMULATED_INTEGERS(half, T, make)                                   \
  EMULATED_INTEGER(half, T, make, int, int)                                \
  EMULATED_INTEGER(half, T, make, uint, unsigned)                          \
  EMULATED_INTEGER(half, T, make, short, short)                            \
  EMULATED_INTEGER(half, T, make, ushort, unsigned short)                  \
  EMULATED_INTEGER(half, T, make, ll, long long)                           \
  EMULATED_INTEGER(half, T, make, ull, unsigned long long)                 \
  inline signed char __##half##2char_rz(T a) {                             \
    return emulated::nearest_integer<signed char>(std::trunc(float{a}));   \
  }                                                                        \
  inline unsigned char __##half##2uchar_rz(T a) {                          \
    return emulated::nearest_integer<unsigned char>(std::trunc(float{a})); \
  }
