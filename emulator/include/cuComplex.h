// Complex numbers as float2 (cuFloatComplex, cuComplex) and double2
// (cuDoubleComplex): x real, y imaginary.
#pragma once

#include <cmath>

#include "vector_types.h"

using cuFloatComplex = float2;
using cuComplex = cuFloatComplex;
using cuDoubleComplex = double2;

inline cuFloatComplex make_cuFloatComplex(float re, float im) { return make_float2(re, im); }
inline cuComplex make_cuComplex(float re, float im) { return make_float2(re, im); }
inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return make_double2(re, im); }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}

namespace emulated {
// Both scaled by the divisor's size, so that its square does not overflow.
template <class C>
C complex_quotient(C a, C b) {
  const auto scale = 1 / (std::abs(b.x) + std::abs(b.y));
  const C as = {a.x * scale, a.y * scale}, bs = {b.x * scale, b.y * scale};
  const auto norm = 1 / (bs.x * bs.x + bs.y * bs.y);
  return {(as.x * bs.x + as.y * bs.y) * norm, (as.y * bs.x - as.x * bs.y) * norm};
}
}  // namespace emulated

// The functions of complex numbers C of type T, whose names end in `f` for float.
#define EMULATED_COMPLEX(C, T, f)                                                         \
  inline T cuCreal##f(C a) { return a.x; }                                                \
  inline T cuCimag##f(C a) { return a.y; }                                                \
  inline T cuCabs##f(C a) { return std::hypot(a.x, a.y); }                                \
  inline C cuConj##f(C a) { return {a.x, -a.y}; }                                         \
  inline C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline C cuCdiv##f(C a, C b) { return emulated::complex_quotient(a, b); }               \
  inline C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }
EMULATED_COMPLEX(cuFloatComplex, float, f)
EMULATED_COMPLEX(cuDoubleComplex, double, )
#undef EMULATED_COMPLEX
