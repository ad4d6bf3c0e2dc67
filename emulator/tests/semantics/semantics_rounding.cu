// Operations that round to zero, up or down: the device against the host's processor in that
// rounding mode. 16-bit floats: against the nearest of all that there are. e^x and 2^x.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "semantics_main.h"

namespace {

constexpr int operations =
    7;  // sum, difference, product, quotient, reciprocal, square root, a * b + c

// results[(3 * operation + direction) * n + i]
__global__ void round_floats(const float* a, const float* b, const float* c, float* results,
                             int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float x = a[i], y = b[i], z = c[i];
  const float all[3 * operations] = {
      __fadd_rz(x, y),   __fadd_ru(x, y), __fadd_rd(x, y), __fsub_rz(x, y),    __fsub_ru(x, y),
      __fsub_rd(x, y),   __fmul_rz(x, y), __fmul_ru(x, y), __fmul_rd(x, y),    __fdiv_rz(x, y),
      __fdiv_ru(x, y),   __fdiv_rd(x, y), __frcp_rz(x),    __frcp_ru(x),       __frcp_rd(x),
      __fsqrt_rz(x),     __fsqrt_ru(x),   __fsqrt_rd(x),   __fmaf_rz(x, y, z), __fmaf_ru(x, y, z),
      __fmaf_rd(x, y, z)};
  for (int k = 0; k < 3 * operations; ++k) results[k * n + i] = all[k];
}
__global__ void round_doubles(const double* a, const double* b, const double* c, double* results,
                              int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double x = a[i], y = b[i], z = c[i];
  const double all[3 * operations] = {
      __dadd_rz(x, y),  __dadd_ru(x, y), __dadd_rd(x, y), __dsub_rz(x, y),   __dsub_ru(x, y),
      __dsub_rd(x, y),  __dmul_rz(x, y), __dmul_ru(x, y), __dmul_rd(x, y),   __ddiv_rz(x, y),
      __ddiv_ru(x, y),  __ddiv_rd(x, y), __drcp_rz(x),    __drcp_ru(x),      __drcp_rd(x),
      __dsqrt_rz(x),    __dsqrt_ru(x),   __dsqrt_rd(x),   __fma_rz(x, y, z), __fma_ru(x, y, z),
      __fma_rd(x, y, z)};
  for (int k = 0; k < 3 * operations; ++k) results[k * n + i] = all[k];
}

// The same on the host. volatile keeps the operations between the changes of the mode.
template <class T>
T on_host(int operation, int direction, T a, T b, T c) {
  constexpr int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  volatile T x = a, y = b, z = c, result = 0;
  std::fesetround(modes[direction]);
  switch (operation) {
    case 0:
      result = x + y;
      break;
    case 1:
      result = x - y;
      break;
    case 2:
      result = x * y;
      break;
    case 3:
      result = x / y;
      break;
    case 4:
      result = T(1) / x;
      break;
    case 5:
      result = std::sqrt(static_cast<T>(x));
      break;
    default:
      result = std::fma(static_cast<T>(x), static_cast<T>(y), static_cast<T>(z));
  }
  std::fesetround(FE_TONEAREST);
  return result;
}

// Any bits, numbers near 1, numbers that nearly cancel, and the ends of the range.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  constexpr T max = Limits::max(), min = Limits::min(), least = Limits::denorm_min(), half = 0.5;
  const T inf = Limits::infinity(), nan = Limits::quiet_NaN(), epsilon = Limits::epsilon();
  const T special[] = {0,   -T(0), 1,     -1,     half, 3,    max, -max,
                       min, -min,  least, -least, inf,  -inf, nan, epsilon};
  std::mt19937_64 random(seed);
  std::vector<T> values(n);
  for (T& value : values) {
    const std::uint64_t bits = random();
    switch (random() % 4) {
      case 0:
        std::memcpy(&value, &bits, sizeof value);
        break;
      case 1:
        value = special[bits % 16];
        break;
      case 2:
        value = T(1) + static_cast<T>(bits % 64) * Limits::epsilon();
        if (bits & 64) value = -value;
        break;
      default:
        value = std::ldexp(static_cast<T>(static_cast<std::int64_t>(bits)),
                           static_cast<int>(random() % 60) - 90);
    }
  }
  return values;
}

template <class T>
void compare(unsigned seed, void (*kernel)(const T*, const T*, const T*, T*, int)) {
  constexpr int n = 1 << 13;
  const std::vector<T> a = numbers<T>(n, 3 * seed), b = numbers<T>(n, 3 * seed + 1),
                       c = numbers<T>(n, 3 * seed + 2);
  Device<T> in_a(a), in_b(b), in_c(c), out(3 * operations * n);
  kernel<<<n / 256, 256>>>(in_a.get(), in_b.get(), in_c.get(), out.get(), n);
  const std::vector<T> got = out.read();
  int wrong = 0;
  for (int k = 0; k < 3 * operations; ++k)
    for (int i = 0; i < n && wrong < 10; ++i) {
      const T expected = on_host(k / 3, k % 3, a[i], b[i], c[i]), result = got[k * n + i];
      if (std::isnan(expected) && std::isnan(result)) continue;
      if (std::memcmp(&expected, &result, sizeof expected) == 0) continue;
      ++wrong;
      ADD_FAILURE() << "operation " << k / 3 << " direction " << k % 3 << std::hexfloat << " of "
                    << a[i] << ", " << b[i] << ", " << c[i] << " is " << result << ", not "
                    << expected;
    }
}

TEST(Rounding, OfFloatsIsTheProcessors) {
  for (unsigned seed = 1; seed <= 20; ++seed) compare<float>(seed, round_floats);
}

TEST(Rounding, OfDoublesIsTheProcessors) {
  for (unsigned seed = 1; seed <= 20; ++seed) compare<double>(seed, round_doubles);
}

// ---- 16-bit floats ----
using Bits = unsigned short;

// A format with one sign bit, FractionBits of fraction and the rest for the exponent. `Bits` are
// those of numbers that are not negative: they grow with the value, and infinity comes after the
// largest as if it was the next power of two.
template <int FractionBits>
struct Format {
  static constexpr int bias = (1 << (14 - FractionBits)) - 1, infinity = (2 * bias + 1)
                                                                         << FractionBits;
  static double value(int bits) {
    const int exponent = bits >> FractionBits, fraction = bits & ((1 << FractionBits) - 1);
    return exponent == 0
               ? std::ldexp(fraction, 1 - bias - FractionBits)
               : std::ldexp(fraction + (1 << FractionBits), exponent - bias - FractionBits);
  }
  // direction: 'n' to the nearest even, 'z' to zero.
  static Bits round(double x, char direction) {
    if (std::isnan(x)) return 0x7fff;
    const double size = std::fabs(x);
    int below = 0, beyond = infinity;  // value(below) <= size < value(beyond)
    while (beyond - below > 1)
      (value((below + beyond) / 2) <= size ? below : beyond) = (below + beyond) / 2;
    const double lost = size - value(below), lacks = value(below + 1) - size;
    const bool away = direction == 'n' && (lost > lacks || (lost == lacks && below % 2 != 0));
    const int result = std::isinf(x) ? infinity : away ? below + 1 : below;
    return static_cast<Bits>(result | (std::signbit(x) ? 0x8000 : 0));
  }
  static double signed_value(Bits bits) {
    const int size = bits & 0x7fff;
    const double result = size > infinity ? NAN : size == infinity ? INFINITY : value(size);
    return (bits & 0x8000) != 0 ? -result : result;
  }
  static bool is_nan(Bits bits) { return (bits & 0x7fff) > infinity; }
};

__global__ void to_half(const float* x, const double* y, Bits* out, int* integers, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const __half all[] = {__float2half_rn(x[i]), __float2half_rz(x[i]), __double2half(y[i])};
  for (int k = 0; k < 3; ++k) out[k * n + i] = __half_as_ushort(all[k]);
  const __half h = __ushort_as_half(static_cast<Bits>(i));
  integers[4 * i] = __half2int_rn(h);
  integers[4 * i + 1] = __half2int_rz(h);
  integers[4 * i + 2] = __half2int_ru(h);
  integers[4 * i + 3] = __half2int_rd(h);
}
__global__ void to_bfloat16(const float* x, const double* y, Bits* out, int* integers, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const __nv_bfloat16 all[] = {__float2bfloat16_rn(x[i]), __float2bfloat16_rz(x[i]),
                               __double2bfloat16(y[i])};
  for (int k = 0; k < 3; ++k) out[k * n + i] = __bfloat16_as_ushort(all[k]);
  const __nv_bfloat16 h = __ushort_as_bfloat16(static_cast<Bits>(i));
  integers[4 * i] = __bfloat162int_rn(h);
  integers[4 * i + 1] = __bfloat162int_rz(h);
  integers[4 * i + 2] = __bfloat162int_ru(h);
  integers[4 * i + 3] = __bfloat162int_rd(h);
}

int clamped(double x) {
  return std::isnan(x) ? 0 : static_cast<int>(std::fmin(std::fmax(x, -2147483648.0), 2147483647.0));
}

template <int FractionBits>
void compare_conversions(void (*kernel)(const float*, const double*, Bits*, int*, int)) {
  using F = Format<FractionBits>;
  constexpr int n = 1 << 16;
  std::vector<float> x(n);
  std::vector<double> y(n);
  std::mt19937_64 random(7);
  for (int i = 0; i < n;
       ++i) {  // near numbers of the format, near the middle between two, and anywhere
    const double at = F::signed_value(static_cast<Bits>(i)),
                 next = F::signed_value(static_cast<Bits>(i + 1 - 2 * (i & 1)));
    const int choice = static_cast<int>(random() % 8);
    y[i] = choice < 4   ? (at + next) / 2
           : choice < 6 ? at
                        : at * (0.5 + 1e-9 * static_cast<double>(random() >> 34));
    if (choice == 0) y[i] = std::nextafter(y[i], at);
    if (choice == 1) y[i] = std::nextafter(y[i], next);
    x[i] = static_cast<float>(y[i]);
    if (choice == 2) x[i] = std::nextafter(x[i], 0.0f);
    if (choice == 3) x[i] = std::nextafter(x[i], INFINITY);
  }
  Device<float> in(x);
  Device<double> wide(y);
  Device<Bits> out(3 * n);
  Device<int> integers(4 * n);
  kernel<<<n / 256, 256>>>(in.get(), wide.get(), out.get(), integers.get(), n);
  const std::vector<Bits> got = out.read();
  const std::vector<int> whole = integers.read();
  int wrong = 0;
  for (int i = 0; i < n && wrong < 10; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double from = k == 2 ? y[i] : static_cast<double>(x[i]);
      const Bits expected = F::round(from, "nzn"[k]);
      // Which NaN a double's becomes is left open: 0x7fff here, 0x7e00 and 0x7fc0 on an H200.
      if (got[k * n + i] == expected ||
          (k == 2 && F::is_nan(expected) && F::is_nan(got[k * n + i])))
        continue;
      ++wrong;
      ADD_FAILURE() << "conversion " << k << " of " << std::hexfloat << from << " is " << std::hex
                    << got[k * n + i] << ", not " << expected;
    }
    const double value = F::signed_value(static_cast<Bits>(i));
    const double rounded[] = {std::nearbyint(value), std::trunc(value), std::ceil(value),
                              std::floor(value)};
    for (int k = 0; k < 4; ++k) {
      if (whole[4 * i + k] == clamped(rounded[k])) continue;
      ++wrong;
      ADD_FAILURE() << "integer " << k << " of " << value << " is " << whole[4 * i + k];
    }
  }
}

TEST(ShortFloats, ConversionsOfHalves) { compare_conversions<10>(to_half); }
TEST(ShortFloats, ConversionsOfBfloat16) { compare_conversions<7>(to_bfloat16); }

constexpr int short_results = 18;

template <class T, class Pair>
__global__ void calculate(const T* a, const T* b, const T* c, T* out, int* held, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const T x = a[i], y = b[i], z = c[i];
  Pair p, q, r;
  p.x = y;
  p.y = x;
  q.x = x;
  q.y = y;
  r.x = y;
  r.y = z;
  const T all[short_results] = {
      __hadd(x, y),    __hsub(x, y),    __hmul(x, y),    __hdiv(x, y),    __hfma(x, y, z),
      __hmin(x, y),    __hmax(x, y),    __hneg(x),       __habs(x),       hsqrt(x),
      __hadd2(p, q).y, __hsub2(p, q).y, __hmul2(p, q).y, __h2div(p, q).y, __hfma2(p, q, r).y,
      __hmin2(p, q).y, __hmax2(p, q).y, __hneg2(p).y};
  for (int k = 0; k < short_results; ++k) out[k * n + i] = all[k];
  T sum = x, product = x;
  sum += y;
  product *= y;
  const bool same[] = {
      __heq(sum, x + y) || __hisnan(sum), __heq(product, x * y) || __hisnan(product),
      __heq(-x, __hneg(x)) || __hisnan(x), __heq((p - q).y, x - y) || __hisnan(x - y)};
  held[i] = __heq(x, y) << 0 | __hne(x, y) << 1 | __hlt(x, y) << 2 | __hle(x, y) << 3 |
            __hgt(x, y) << 4 | __hge(x, y) << 5 | (x == y) << 6 | (x != y) << 7 | (x < y) << 8 |
            (x <= y) << 9 | (x > y) << 10 | (x >= y) << 11 | __hisnan(x) << 12 | same[0] << 13 |
            same[1] << 14 | same[2] << 15 | same[3] << 16;
}

template <class T, class Pair, int FractionBits>
void compare_arithmetic() {
  using F = Format<FractionBits>;
  constexpr int n = 1 << 15;
  std::vector<T> a(n), b(n), c(n);
  std::mt19937_64 random(11);
  const auto bits_of = [](T value) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  const auto any = [&] {
    const auto bits = static_cast<Bits>(random());
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  };
  for (int i = 0; i < n; ++i) {
    a[i] = any();
    b[i] = i % 8 == 0 ? a[i] : any();
    c[i] = any();
  }
  Device<T> in_a(a), in_b(b), in_c(c), out(short_results * n);
  Device<int> compared(n);
  calculate<T, Pair>
      <<<n / 256, 256>>>(in_a.get(), in_b.get(), in_c.get(), out.get(), compared.get(), n);
  const std::vector<T> got = out.read();
  const std::vector<int> held = compared.read();
  int wrong = 0;
  for (int i = 0; i < n && wrong < 10; ++i) {
    const double x = F::signed_value(bits_of(a[i])), y = F::signed_value(bits_of(b[i])),
                 z = F::signed_value(bits_of(c[i]));
    // x * y + z rounded once: exact in double but for the last bits of z, which
    // decide where x * y is in the middle.
    const double fma = std::fma(x, y, z), lost = z - (fma - x * y);
    const bool middle = F::round(std::nextafter(fma, INFINITY), 'n') !=
                        F::round(std::nextafter(fma, -INFINITY), 'n');
    const double once = middle && fma == x * y && lost != 0
                            ? std::nextafter(fma, lost > 0 ? INFINITY : -INFINITY)
                            : fma;
    // The pairs are (y, x) and (x, y): their .y is x and y.
    const double all[short_results] = {
        x + y, x - y,           x * y,           x / y, once,  std::fmin(x, y), std::fmax(x, y),
        -x,    std::fabs(x),    std::sqrt(x),    x + y, x - y, x * y,           x / y,
        once,  std::fmin(x, y), std::fmax(x, y), -x};
    for (int k = 0; k < short_results; ++k) {
      const Bits expected = F::round(all[k], 'n'), result = bits_of(got[k * n + i]);
      if (result == expected || (F::is_nan(result) && F::is_nan(expected))) continue;
      if ((k % 10 == 5 || k % 10 == 6) && x == 0 && y == 0) continue;  // the smaller of 0 and -0
      ++wrong;
      ADD_FAILURE() << "operation " << k << " of " << x << ", " << y << ", " << z << " is "
                    << std::hex << result << ", not " << expected;
    }
    const bool nan = std::isnan(x) || std::isnan(y);
    const int expected = (x == y) << 0 | (!nan && x != y) << 1 | (x < y) << 2 | (x <= y) << 3 |
                         (x > y) << 4 | (x >= y) << 5 | (x == y) << 6 | (x != y) << 7 |
                         (x < y) << 8 | (x <= y) << 9 | (x > y) << 10 | (x >= y) << 11 |
                         std::isnan(x) << 12 | 15 << 13;
    if (held[i] == expected) continue;
    ++wrong;
    ADD_FAILURE() << "comparisons of " << x << " and " << y << ": " << std::hex << held[i]
                  << ", not " << expected;
  }
}

TEST(ShortFloats, ArithmeticOfHalves) { compare_arithmetic<__half, __half2, 10>(); }
TEST(ShortFloats, ArithmeticOfBfloat16) { compare_arithmetic<__nv_bfloat16, __nv_bfloat162, 7>(); }

// ---- e^x and 2^x ----
__global__ void exponentials(const float* x, float* of_e, float* of_two, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  of_e[i] = expf(x[i]);
  of_two[i] = exp2f(x[i]);
}

// A GPU's may differ by 2 units in the last place (CUDA C++ Programming Guide, "Mathematical
// Functions"). The emulated device computes them in place (emulated/exponential.h), to the same
// bits as the C library's functions, which this calls.
TEST(Exponentials, AreThoseOfTheHost) {
#ifdef EMULATED_DEVICE
  constexpr int off_by = 0;
#else
  constexpr int off_by = 2;
#endif
  float (*volatile const host_exp)(float) = expf;
  float (*volatile const host_exp2)(float) = exp2f;
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits <= 0xffffffffu; bits += 4099) {
    const auto word = static_cast<std::uint32_t>(bits);
    float number;
    std::memcpy(&number, &word, sizeof number);
    x.push_back(number);
  }
  const int n = static_cast<int>(x.size());
  Device<float> in(x), of_e(x.size()), of_two(x.size());
  exponentials<<<(n + 255) / 256, 256>>>(in.get(), of_e.get(), of_two.get(), n);
  const std::vector<float> got[] = {of_e.read(), of_two.read()};
  const auto place = [](float number) {  // among all floats of its sign
    std::int32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return std::int64_t{bits};
  };
  for (std::size_t i = 0, wrong = 0; i < x.size() && wrong < 10; ++i) {
    const float expected[] = {host_exp(x[i]), host_exp2(x[i])};
    for (int k = 0; k < 2; ++k) {
      const float result = got[k][i];
      if (std::isnan(x[i]) ? std::isnan(result)
                           : std::abs(place(result) - place(expected[k])) <= off_by)
        continue;
      ++wrong;
      ADD_FAILURE() << (k == 0 ? "expf(" : "exp2f(") << x[i] << ") is " << result << ", not "
                    << expected[k];
    }
  }
}

}  // namespace
