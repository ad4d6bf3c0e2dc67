// Shifts by the width of the type or more, as a GPU does them. C++ leaves them undefined and x86
// takes the amount modulo the width; PTX clamps it: shl and shr.u give 0, shr.s gives copies of the
// sign. cu2cpp writes these macros after the shift operators of device code
// (../../translate/shifts.cpp):
//
//   a << b     becomes  a << EMULATED_SHIFT_LEFT b      which is  (a << shift()) << b
//   a >>= b    becomes  a >>= EMULATED_ASSIGN_RIGHT b   which is  a >>= (shift() >>= b)
//
// so that precedence and associativity stay the language's own, and
// neither operand has to be found.
#pragma once

#include <type_traits>
#include <utility>

#if defined(__SANITIZE_ADDRESS__) && !defined(EMULATED_CLAMPED_SHIFTS)
// UndefinedBehaviorSanitizer reports where a shift stands: they stay as they are,
// unless a program counts on PTX's.
#define EMULATED_SHIFT_LEFT
#define EMULATED_SHIFT_RIGHT
#define EMULATED_ASSIGN_LEFT
#define EMULATED_ASSIGN_RIGHT
#else
#define EMULATED_SHIFT_LEFT ::emulated::shift() <<
#define EMULATED_SHIFT_RIGHT ::emulated::shift() >>
#define EMULATED_ASSIGN_LEFT ::emulated::shift() <<=
#define EMULATED_ASSIGN_RIGHT ::emulated::shift() >>=
#endif

#if defined(__clang__)
// a << b == c: the operators below have the precedence that they always have.
#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"
#endif

namespace emulated {

// Integers and enumerations that become integers implicitly.
template <class T, class Plain = std::remove_cvref_t<T>>
concept Shiftable = (std::is_integral_v<Plain> ||
                     (std::is_enum_v<Plain> && std::is_convertible_v<Plain, long long>)) &&
                    sizeof(Plain) <= 8;

template <class T>
concept NotShiftable = !Shiftable<T>;

// Device code has at least 32 bits in a shift, and 32 bits of the amount count, without a sign.
template <class T, class Amount>
[[gnu::always_inline]] constexpr T shifted_left(T value, Amount amount) {
  constexpr unsigned width = 8 * sizeof(T);
  const auto bits = static_cast<unsigned>(amount);
  using Bits = std::make_unsigned_t<T>;
  const T inside = static_cast<T>(static_cast<Bits>(value) << (bits % width));
  return bits < width ? inside : T{0};
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr T shifted_right(T value, Amount amount) {
  constexpr unsigned width = 8 * sizeof(T);
  const auto bits = static_cast<unsigned>(amount);
  if constexpr (std::is_signed_v<T>)
    return value >> (bits < width ? bits : width - 1);
  else
    return bits < width ? value >> (bits % width) : T{0};
}

// (Amounts are taken by value: a reference would need a constant to have an address.)

// The left operand, or the amount of a compound assignment, until the shift.
template <class T>
struct ShiftOperand {
  T value;
};
// After an object whose own operator is a template, as in `out << shift() << x`, ours has to be
// the better choice: to the const T& of such operators a compiler prefers &&, and a volatile object
// is not copied into a T (by g++; clang calls that ambiguous).
struct ShiftTag {};
using Shift = const volatile ShiftTag&&;
inline constexpr ShiftTag shift_tag;
[[gnu::always_inline]] constexpr Shift shift() { return static_cast<Shift>(shift_tag); }

template <Shiftable T>
[[gnu::always_inline]] constexpr auto operator<<(T value, Shift) {
  return ShiftOperand<decltype(+value)>{+value};
}
template <Shiftable T>
[[gnu::always_inline]] constexpr auto operator>>(T value, Shift) {
  return ShiftOperand<decltype(+value)>{+value};
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr T operator<<(ShiftOperand<T> left, Amount amount) {
  return shifted_left(left.value, +amount);
}
template <class T, class Amount>
[[gnu::always_inline]] constexpr T operator>>(ShiftOperand<T> left, Amount amount) {
  return shifted_right(left.value, +amount);
}

template <class Amount>
[[gnu::always_inline]] constexpr auto operator<<=(Shift, Amount amount) {
  return ShiftOperand<decltype(+amount)>{+amount};
}
template <class Amount>
[[gnu::always_inline]] constexpr auto operator>>=(Shift, Amount amount) {
  return ShiftOperand<decltype(+amount)>{+amount};
}
template <Shiftable T, class Amount>
[[gnu::always_inline]] constexpr T& operator<<=(T& value, ShiftOperand<Amount> amount) {
  return value = static_cast<std::remove_cv_t<T>>(shifted_left(+value, amount.value));
}
template <Shiftable T, class Amount>
[[gnu::always_inline]] constexpr T& operator>>=(T& value, ShiftOperand<Amount> amount) {
  return value = static_cast<std::remove_cv_t<T>>(shifted_right(+value, amount.value));
}

// Objects with shift operators of their own, such as streams, get what follows the macro.
template <NotShiftable T>
[[gnu::always_inline]] constexpr T&& operator<<(T&& object, Shift) {
  return std::forward<T>(object);
}
template <NotShiftable T>
[[gnu::always_inline]] constexpr T&& operator>>(T&& object, Shift) {
  return std::forward<T>(object);
}
template <NotShiftable T, class Amount>
[[gnu::always_inline]] constexpr decltype(auto) operator<<=(T& object,
                                                            ShiftOperand<Amount> amount) {
  return object <<= amount.value;
}
template <NotShiftable T, class Amount>
[[gnu::always_inline]] constexpr decltype(auto) operator>>=(T& object,
                                                            ShiftOperand<Amount> amount) {
  return object >>= amount.value;
}

}  // namespace emulated
