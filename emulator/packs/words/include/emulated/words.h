// Integer functions on parts of a word (CUDA Math API, "SIMD Intrinsics" and "Integer Intrinsics"):
// four bytes or two halves at once, and dot products of them.
#pragma once

#include <cstdint>

namespace emulated {

// Parts of Bits bits, read as signed or unsigned numbers; `operation` gives the
// number whose lowest bits are kept.
template <int Bits, bool Signed, class Operation>
constexpr unsigned parts(unsigned a, unsigned b, Operation operation) {
  constexpr unsigned mask = (1u << Bits) - 1;
  const auto part = [](unsigned word, int shift) {
    const int value = static_cast<int>(word >> shift & mask);
    return Signed && value >> (Bits - 1) != 0 ? value - (1 << Bits) : value;
  };
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += Bits)
    result |= (static_cast<unsigned>(operation(part(a, shift), part(b, shift))) & mask) << shift;
  return result;
}
}  // namespace emulated

// `x` and `y` are the parts; the comparisons give all bits or none.
#define EMULATED_PACKED(name, Signed, expression)                        \
  constexpr unsigned name##4(unsigned a, unsigned b) {                   \
    constexpr int bits = 8;                                              \
    return emulated::parts<bits, Signed>(                                \
        a, b, [](int x, [[maybe_unused]] int y) { return expression; }); \
  }                                                                      \
  constexpr unsigned name##2(unsigned a, unsigned b) {                   \
    constexpr int bits = 16;                                             \
    return emulated::parts<bits, Signed>(                                \
        a, b, [](int x, [[maybe_unused]] int y) { return expression; }); \
  }
EMULATED_PACKED(__vadd, false, x + y)
EMULATED_PACKED(__vsub, false, x - y)
EMULATED_PACKED(__vaddus, false, ::min(x + y, (1 << bits) - 1))
EMULATED_PACKED(__vsubus, false, ::max(x - y, 0))
EMULATED_PACKED(__vaddss, true, ::min(::max(x + y, -(1 << (bits - 1))), (1 << (bits - 1)) - 1))
EMULATED_PACKED(__vsubss, true, ::min(::max(x - y, -(1 << (bits - 1))), (1 << (bits - 1)) - 1))
EMULATED_PACKED(__vminu, false, ::min(x, y))
EMULATED_PACKED(__vmaxu, false, ::max(x, y))
EMULATED_PACKED(__vmins, true, ::min(x, y))
EMULATED_PACKED(__vmaxs, true, ::max(x, y))
EMULATED_PACKED(__vabsdiffu, false, x < y ? y - x : x - y)
EMULATED_PACKED(__vavgu, false, (x + y + 1) >> 1)
EMULATED_PACKED(__vcmpeq, false, x == y ? -1 : 0)
EMULATED_PACKED(__vcmpne, false, x != y ? -1 : 0)
EMULATED_PACKED(__vcmpgtu, false, x > y ? -1 : 0)
EMULATED_PACKED(__vcmpgeu, false, x >= y ? -1 : 0)
EMULATED_PACKED(__vcmpltu, false, x < y ? -1 : 0)
EMULATED_PACKED(__vcmpleu, false, x <= y ? -1 : 0)
EMULATED_PACKED(__vcmpgts, true, x > y ? -1 : 0)
EMULATED_PACKED(__vcmpges, true, x >= y ? -1 : 0)
EMULATED_PACKED(__vcmplts, true, x < y ? -1 : 0)
EMULATED_PACKED(__vcmples, true, x <= y ? -1 : 0)
#undef EMULATED_PACKED
constexpr unsigned __vabs4(unsigned a) {
  return emulated::parts<8, true>(a, 0, [](int x, int) { return x < 0 ? -x : x; });
}
// The sum of the four distances.
constexpr unsigned __vsadu4(unsigned a, unsigned b) {
  const unsigned distances = __vabsdiffu4(a, b);
  return (distances & 255) + (distances >> 8 & 255) + (distances >> 16 & 255) + (distances >> 24);
}

// ---- dot products, added to c ----
constexpr unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int shift = 0; shift < 32; shift += 8) c += (a >> shift & 255) * (b >> shift & 255);
  return c;
}
constexpr int __dp4a(int a, int b, int c) {
  unsigned sum = static_cast<unsigned>(c);
  for (int shift = 0; shift < 32; shift += 8)
    sum += static_cast<unsigned>(static_cast<std::int8_t>(a >> shift) *
                                 static_cast<std::int8_t>(b >> shift));
  return static_cast<int>(sum);
}

// ---- the smaller and the larger of two, by the names of C ----
constexpr unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
constexpr unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
constexpr long long llmin(long long a, long long b) { return b < a ? b : a; }
constexpr long long llmax(long long a, long long b) { return a < b ? b : a; }
constexpr unsigned long long ullmin(unsigned long long a, unsigned long long b) {
  return b < a ? b : a;
}
constexpr unsigned long long ullmax(unsigned long long a, unsigned long long b) {
  return a < b ? b : a;
}
