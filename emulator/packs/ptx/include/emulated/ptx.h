// What the instructions of inline PTX become (../../translate/inline_ptx.cpp): functions of their
// names, with _ for each dot and one after. `T` is the type that the instruction names: u32, s32,
// b32, f32 and so on. Meaning: PTX ISA, "Instruction Set".
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <emulated/atomics.h>
#include <emulated/barriers.h>
#include <emulated/math.h>
#include <emulated/memory_access.h>
#include <emulated/words.h>

namespace emulated::ptx {

// An operand as the instruction's type: bits stay what they are between a
// float and an integer of its size.
template <class T, class From>
constexpr T as(From value) {
  if constexpr (std::is_pointer_v<From>)
    return static_cast<T>(reinterpret_cast<std::uintptr_t>(value));
  else if constexpr (std::is_floating_point_v<T> != std::is_floating_point_v<From> &&
                     sizeof(T) == sizeof(From))
    return std::bit_cast<T>(value);
  else
    return static_cast<T>(value);
}
template <class To, class From>
constexpr void assign(To& to, From value) {
  if constexpr (std::is_pointer_v<To>)
    to = reinterpret_cast<To>(static_cast<std::uintptr_t>(value));
  else
    to = as<To>(value);
}

// Integers wrap.
template <class T>
using wrapping =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;

// Instructions whose result has the type of their operands.
#define EMULATED_PTX(name, operands, expression) \
  template <class T>                             \
  constexpr T name operands {                    \
    return expression;                           \
  }
EMULATED_PTX(mov_, (T a), a)
EMULATED_PTX(add_, (T a, T b),
             static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(b)))
EMULATED_PTX(sub_, (T a, T b),
             static_cast<T>(static_cast<wrapping<T>>(a) - static_cast<wrapping<T>>(b)))
EMULATED_PTX(mul_, (T a, T b),
             static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(b)))
EMULATED_PTX(mad_, (T a, T b, T c), add_(mul_(a, b), c))
EMULATED_PTX(mul_lo_, (T a, T b), mul_(a, b))
EMULATED_PTX(mad_lo_, (T a, T b, T c), mad_(a, b, c))
EMULATED_PTX(fma_, (T a, T b, T c), std::fma(a, b, c))
EMULATED_PTX(min_, (T a, T b), ::min(a, b))
EMULATED_PTX(max_, (T a, T b), ::max(a, b))
EMULATED_PTX(abs_, (T a), a < 0 ? sub_(T{0}, a) : a)
EMULATED_PTX(neg_, (T a), sub_(T{0}, a))
EMULATED_PTX(and_, (T a, T b), (a & b))
EMULATED_PTX(or_, (T a, T b), a | b)
EMULATED_PTX(xor_, (T a, T b), a ^ b)
EMULATED_PTX(not_, (T a), ~a)
EMULATED_PTX(sqrt_, (T a), std::sqrt(a))
EMULATED_PTX(rsqrt_, (T a), 1 / std::sqrt(a))
EMULATED_PTX(rcp_, (T a), 1 / a)
EMULATED_PTX(sin_, (T a), std::sin(a))
EMULATED_PTX(cos_, (T a), std::cos(a))
EMULATED_PTX(ex2_, (T a), std::exp2(a))
EMULATED_PTX(lg2_, (T a), std::log2(a))
EMULATED_PTX(tanh_, (T a), std::tanh(a))
#undef EMULATED_PTX
template <class T>
constexpr auto mul_wide_(T a, T b) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  return static_cast<Wide>(a) * b;
}
template <class T>
constexpr T mul_hi_(T a, T b) {
  static_assert(sizeof(T) >= 4, "mul.hi of 32 and 64 bits only");
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  return static_cast<T>(static_cast<Wide>(a) * b >> sizeof(T) * 8);
}
// Shifts by the width or more give 0, or the sign.
template <class T>
constexpr T shl_(T a, T by) {
  return by >= sizeof(T) * 8 ? 0 : static_cast<T>(a << by);
}
template <class T>
constexpr T shr_(T a, T by) {
  const auto distance = static_cast<std::make_unsigned_t<T>>(by);
  return distance >= sizeof(T) * 8 ? (a < 0 ? static_cast<T>(-1) : T{0})
                                   : static_cast<T>(a >> distance);
}
template <class T>
constexpr unsigned popc_(T a) {
  return static_cast<unsigned>(std::popcount(a));
}
template <class T>
constexpr unsigned clz_(T a) {
  return static_cast<unsigned>(std::countl_zero(a));
}
constexpr unsigned brev_(unsigned a) { return ::__brev(a); }
// The position of the highest bit that differs from the sign; all bits set for none.
template <class T>
constexpr unsigned bfind_(T a) {
  auto bits = static_cast<std::make_unsigned_t<T>>(a);
  if (a < 0) bits = static_cast<std::make_unsigned_t<T>>(~bits);
  return bits == 0 ? 0xffffffffu : static_cast<unsigned>(std::bit_width(bits) - 1);
}
// `length` bits from `start`, the sign extended for a signed type.
template <class T>
constexpr T bfe_(T a, T start, T length) {
  const unsigned from = static_cast<unsigned>(start) & 255;
  const unsigned count = static_cast<unsigned>(length) & 255;
  if (count == 0) return 0;
  const auto value = static_cast<std::int64_t>(a) >> (from > 63 ? 63 : from);
  if (count >= 32) return static_cast<T>(value);
  const auto part = static_cast<std::uint32_t>(value) & ((1u << count) - 1);
  const bool negative = std::is_signed_v<T> && (part >> (count - 1) & 1) != 0;
  return static_cast<T>(negative ? part | ~((1u << count) - 1) : part);
}
// b with the lowest `length` bits of a put at `start`.
constexpr unsigned bfi_(unsigned a, unsigned b, unsigned start, unsigned length) {
  start &= 255;
  length &= 255;
  if (start > 31 || length == 0) return b;
  const unsigned mask = (length > 31 ? 0xffffffffu : (1u << length) - 1) << start;
  return (b & ~mask) | (a << start & mask);
}

// Memory: an address is a pointer or a number.
template <class T>
T load(std::uint64_t address) {
  return *reinterpret_cast<const volatile T*>(address);
}
template <class T>
T load_acquire(std::uint64_t address, EMULATED_AT) {
  const T value = load<T>(address);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  observe(reinterpret_cast<const T*>(address), pack(value), at);
  return value;
}
template <class T>
void store(std::uint64_t address, T value) {
  *reinterpret_cast<volatile T*>(address) = value;
}

// %lanemask_lt and its companions.
[[maybe_unused]] static inline unsigned lanes_below() { return (1u << lane()) - 1; }
[[maybe_unused]] static inline unsigned lane_bit() { return 1u << lane(); }
[[maybe_unused]] static inline unsigned warp() { return thread_rank() / 32; }
[[maybe_unused]] static inline unsigned warps() {
  return (blockDim.x * blockDim.y * blockDim.z + 31) / 32;
}

}  // namespace emulated::ptx
