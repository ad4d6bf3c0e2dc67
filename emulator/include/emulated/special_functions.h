// CUDA's mathematical functions that the C library does not have: inverse error functions, the normal distribution, norms,
// multiples of pi.
#pragma once

#include <bit>
#include <cmath>
#include <limits>

// ---- sine and cosine of multiples of pi: exact where the result is ----
inline double sinpi(double x) {
  const double turn = std::fmod(x, 2.0), rest = std::fmod(turn, 1.0);
  if (rest == 0 && !std::isnan(x)) return std::copysign(0.0, x);
  return std::sin(3.14159265358979323846 * turn);
}
inline double cospi(double x) {
  const double turn = std::fmod(std::fabs(x), 2.0);
  if (turn == 0.5 || turn == 1.5) return 0;
  return std::cos(3.14159265358979323846 * turn);
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

// ---- norms and their reciprocals ----
inline double norm3d(double a, double b, double c) { return std::hypot(a, b, c); }
inline double rhypot(double a, double b) { return 1.0 / std::hypot(a, b); }
inline double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
inline float rhypotf(float a, float b) { return static_cast<float>(rhypot(a, b)); }
inline float rnorm3df(float a, float b, float c) { return static_cast<float>(rnorm3d(a, b, c)); }

inline double rcbrt(double x) { return 1.0 / std::cbrt(x); }

// ---- the normal distribution and the inverse error functions ----
inline double normcdf(double x) { return 0.5 * std::erfc(-x * 0.70710678118654752440); }
namespace emulated {
template <int n>
double polynomial(const double (&coefficients)[n], double x) {
  double result = 0;
  for (const double c : coefficients) result = result * x + c;
  return result;
}
}  // namespace emulated
// The inverse of normcdf: a rational approximation (relative error 1e-9; P. J. Acklam, 2003), made exact by two of
// Halley's steps.
inline double normcdfinv(double p) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (!(p > 0 && p < 1))
    return p == 0 ? -infinity : p == 1 ? infinity : std::numeric_limits<double>::quiet_NaN();
  if (p > 0.97575) return -normcdfinv(1 - p);  // the upper tail mirrors the lower one; 1 - p is exact here
  double x;
  if (p < 0.02425) {
    constexpr double a[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                            -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr double b[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                            3.754408661907416e+00, 1};
    const double q = std::sqrt(-2 * std::log(p));
    x = emulated::polynomial(a, q) / emulated::polynomial(b, q);
  } else {
    constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                            1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02,  -1.556989798598866e+02,
                            6.680131188771972e+01,  -1.328068155288572e+01, 1};
    const double q = p - 0.5, r = q * q;
    x = emulated::polynomial(a, r) * q / emulated::polynomial(b, r);
  }
  for (int step = 0; step < 2; ++step) {
    const double u = (normcdf(x) - p) * 2.50662827463100050242 * std::exp(x * x / 2);
    x -= u / (1 + x * u / 2);
  }
  return x;
}
inline double erfcinv(double y) { return y == 1 ? 0 : -normcdfinv(y / 2) * 0.70710678118654752440; }
inline double erfinv(double y) {
  // Small values lose no digits: Newton's steps for erf itself.
  if (std::fabs(y) < 0.5) {
    double x = y * 0.88622692545275801365;
    for (int step = 0; step < 5; ++step) x -= (std::erf(x) - y) * 0.88622692545275801365 * std::exp(x * x);
    return x;
  }
  return y < 0 ? -erfcinv(1 + y) : erfcinv(1 - y);
}
inline float normcdff(float x) { return static_cast<float>(normcdf(x)); }
inline float normcdfinvf(float p) { return static_cast<float>(normcdfinv(p)); }
inline float erfinvf(float y) { return static_cast<float>(erfinv(y)); }
inline float erfcinvf(float y) { return static_cast<float>(erfcinv(y)); }
