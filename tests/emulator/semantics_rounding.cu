// Operations that round to zero, up or down: the device against the host's processor in that rounding mode.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "semantics_main.h"

namespace {

constexpr int operations = 7;  // sum, difference, product, quotient, reciprocal, square root, a * b + c

// results[(3 * operation + direction) * n + i]
__global__ void round_floats(const float* a, const float* b, const float* c, float* results, int n) {
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
__global__ void round_doubles(const double* a, const double* b, const double* c, double* results, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const double x = a[i], y = b[i], z = c[i];
  const double all[3 * operations] = {__dadd_rz(x, y),  __dadd_ru(x, y), __dadd_rd(x, y),   __dsub_rz(x, y),
                                      __dsub_ru(x, y),  __dsub_rd(x, y), __dmul_rz(x, y),   __dmul_ru(x, y),
                                      __dmul_rd(x, y),  __ddiv_rz(x, y), __ddiv_ru(x, y),   __ddiv_rd(x, y),
                                      __drcp_rz(x),     __drcp_ru(x),    __drcp_rd(x),      __dsqrt_rz(x),
                                      __dsqrt_ru(x),    __dsqrt_rd(x),   __fma_rz(x, y, z), __fma_ru(x, y, z),
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
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       T(0.5),
                       3,
                       Limits::max(),
                       -Limits::max(),
                       Limits::min(),
                       -Limits::min(),
                       Limits::denorm_min(),
                       -Limits::denorm_min(),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN(),
                       Limits::epsilon()};
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
        value =
            std::ldexp(static_cast<T>(static_cast<std::int64_t>(bits)), static_cast<int>(random() % 60) - 90);
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
      ADD_FAILURE() << "operation " << k / 3 << " direction " << k % 3 << std::hexfloat << " of " << a[i]
                    << ", " << b[i] << ", " << c[i] << " is " << result << ", not " << expected;
    }
}

TEST(Rounding, OfFloatsIsTheProcessors) {
  for (unsigned seed = 1; seed <= 20; ++seed) compare<float>(seed, round_floats);
}

TEST(Rounding, OfDoublesIsTheProcessors) {
  for (unsigned seed = 1; seed <= 20; ++seed) compare<double>(seed, round_doubles);
}

}  // namespace
