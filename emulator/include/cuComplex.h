// Complex numbers as float2 (cuFloatComplex, cuComplex) and double2 (cuDoubleComplex): x real, y imaginary.
#pragma once

#include <cmath>

#include "vector_functions.h"
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
template <class C>
C complex_product(C a, C b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
// Both scaled by the divisor's size, so that its square does not overflow.
template <class C>
C complex_quotient(C a, C b) {
  const auto scale = 1 / (std::abs(b.x) + std::abs(b.y));
  const C as = {a.x * scale, a.y * scale}, bs = {b.x * scale, b.y * scale};
  const auto norm = 1 / (bs.x * bs.x + bs.y * bs.y);
  return {(as.x * bs.x + as.y * bs.y) * norm, (as.y * bs.x - as.x * bs.y) * norm};
}
}  // namespace emulated

inline float cuCrealf(cuFloatComplex a) { return a.x; }
inline float cuCimagf(cuFloatComplex a) { return a.y; }
inline float cuCabsf(cuFloatComplex a) { return std::hypot(a.x, a.y); }
inline cuFloatComplex cuConjf(cuFloatComplex a) { return make_float2(a.x, -a.y); }
inline cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
inline cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
inline cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) { return emulated::complex_product(a, b); }
inline cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) { return emulated::complex_quotient(a, b); }
inline cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return cuCaddf(cuCmulf(a, b), c);
}

inline double cuCreal(cuDoubleComplex a) { return a.x; }
inline double cuCimag(cuDoubleComplex a) { return a.y; }
inline double cuCabs(cuDoubleComplex a) { return std::hypot(a.x, a.y); }
inline cuDoubleComplex cuConj(cuDoubleComplex a) { return make_double2(a.x, -a.y); }
inline cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
inline cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
inline cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return emulated::complex_product(a, b);
}
inline cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  return emulated::complex_quotient(a, b);
}
inline cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return cuCadd(cuCmul(a, b), c);
}
