// Conversions of floating-point numbers to integers, as a GPU does them. C++ leaves a value that
// does not fit undefined, and x86 makes the most negative integer of it; PTX's cvt saturates.
// cu2cpp makes these calls of conversions in device code (../../translate/casts.cpp).
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

// For functions whose own conversions are no mistakes of the program.
#if defined(__SANITIZE_ADDRESS__)
#define EMULATED_UNCHECKED __attribute__((no_sanitize("float-cast-overflow")))
#else
#define EMULATED_UNCHECKED __attribute__((always_inline, no_sanitize("float-cast-overflow")))
#endif

namespace emulated {

/// An integer of type To with the value of x, rounded towards zero and brought into To's
/// range. NaN becomes 0, or 1 << (bits - 1) where x is a double or To has 64 bits. Types
/// smaller than int go through the 32-bit type of their sign and keep its low bits. (PTX
/// manual, cvt; measured on an H200.)
//
// No branches, so that loops over threads stay vector instructions. The conversion itself comes
// first, whatever x is: too small ones become the smallest integer on x86, on arm64, and where the
// compiler knows x. What else does not fit is chosen afterwards, also where x86 happens to give the
// same: the compiler may know x, after inlining, and makes 0 of NaN.
template <class To, class From>
EMULATED_UNCHECKED constexpr To saturated(From x) {
  static_assert(std::is_integral_v<To> && std::is_floating_point_v<From>);
#if defined(__x86_64__)
  constexpr bool through_int = sizeof(To) == 1 && std::is_unsigned_v<To> && sizeof(From) == 4;
#else
  constexpr bool through_int = false;
#endif
  if constexpr (through_int) {
    // Through int, which is faster than unsigned: from 2^31 on the low eight bits of a float are 0.
    constexpr From half = 2147483648.0f;
    constexpr From beyond = 4294967296.0f;
    const int result = static_cast<int>(x > From{0} && x < half ? x : From{0});
    return static_cast<To>(x >= beyond ? -1 : result);
  } else if constexpr (sizeof(To) < 4) {
    return static_cast<To>(saturated<std::conditional_t<std::is_signed_v<To>, int, unsigned>>(x));
  } else {
    using Limits = std::numeric_limits<To>;
    // 2^31, 2^32, 2^63 or 2^64: the first number that is too large, exact
    // in every floating-point type.
    constexpr From beyond = static_cast<From>(To{1} << (Limits::digits - 1)) * 2;
    constexpr To not_a_number =
        sizeof(From) > 4 || sizeof(To) > 4 ? To{1} << (8 * sizeof(To) - 1) : To{0};
    if (std::is_constant_evaluated()) {  // a constant must not rely on what the machine does
      if (x != x) return not_a_number;
      if (x >= beyond) return Limits::max();
      if (x <= static_cast<From>(Limits::min())) return Limits::min();
      return static_cast<To>(x);
    }
    if constexpr (std::is_signed_v<To>) {
      To result = static_cast<To>(x);
      result = x == x ? result : not_a_number;
      return x >= beyond ? Limits::max() : result;
    } else {
      To result = static_cast<To>(x > From{0} ? x : From{0});
      if constexpr (not_a_number != 0) result = x == x ? result : not_a_number;
      return x >= beyond ? Limits::max() : result;
    }
  }
}

/// An integer of type To from a number that is known to fit: no check is needed
/// (../../src/diagnosis/undefined.cpp).
template <class To, class From>
EMULATED_UNCHECKED constexpr To fitting(From x) {
  return static_cast<To>(x);
}
#undef EMULATED_UNCHECKED

/// What (To)x means on a GPU.
template <class To, class From>
requires std::is_scalar_v<From>
__attribute__((always_inline)) constexpr To to(From x) {
  if constexpr (std::is_integral_v<To> && !std::is_same_v<std::remove_cv_t<To>, bool> &&
                std::is_floating_point_v<From>)
    return saturated<std::remove_cv_t<To>>(x);
  else
    return (To)x;
}
template <class To, class From>
requires(!std::is_scalar_v<std::decay_t<From>>) __attribute__((always_inline)) constexpr To
    to(From&& x) {
  return (To)std::forward<From>(x);
}

/// (To)(Converted<To>)x is to<To>(x), so the end of x need not be found.
template <class To>
struct IntegerFrom {
  To value;
  template <class From>
  requires std::is_scalar_v<From>
  __attribute__((always_inline)) constexpr IntegerFrom(From x) : value(to<To>(x)) {}
  template <class From>
  requires(!std::is_scalar_v<std::decay_t<From>> &&
           !std::is_same_v<std::decay_t<From>, IntegerFrom>)
      // NOLINTNEXTLINE(bugprone-forwarding-reference-overload)
      __attribute__((always_inline)) constexpr IntegerFrom(From&& x)
      : value(to<To>(std::forward<From>(x))) {}
  __attribute__((always_inline)) constexpr operator To() const { return value; }
};
template <class To>
using Converted =
    std::conditional_t<std::is_integral_v<To> && !std::is_same_v<To, bool>, IntegerFrom<To>, To>;

}  // namespace emulated
