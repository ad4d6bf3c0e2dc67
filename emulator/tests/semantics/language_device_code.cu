// What device code means on a GPU where C++ leaves it open, and the ways in which launches and
// shared memory may be written. Runs in both builds.
#include <cfloat>
#include <climits>
#include <cmath>
#include <limits>

#include "semantics_main.h"

// ---- floating point to integer: saturated, as an H200 answers ----
template <class To>
__global__ void convert(To* out, const float* in, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = static_cast<To>(in[i]);
}

// Six inputs, many times over, so that an optimized build converts them in vector registers.
template <class To>
std::vector<To> converted() {
  const std::vector<float> some = {-5.0f, 300.0f, 1e10f, -1e10f, NAN, INFINITY};
  std::vector<float> inputs;
  for (int i = 0; i < 600; ++i) inputs.push_back(some[i % 6]);
  Device<float> in(inputs);
  Device<To> out(600);
  convert<<<3, 256>>>(out.get(), in.get(), 600);
  const std::vector<To> all = out.read();
  for (int i = 6; i < 600; ++i) EXPECT_EQ(all[i], all[i % 6]) << i;
  return {all.begin(), all.begin() + 6};
}

TEST(Conversions, Saturate) {
  EXPECT_EQ(converted<unsigned char>(), (std::vector<unsigned char>{0, 44, 255, 0, 0, 255}));
  EXPECT_EQ(converted<signed char>(), (std::vector<signed char>{-5, 44, -1, 0, 0, -1}));
  EXPECT_EQ(converted<short>(), (std::vector<short>{-5, 300, -1, 0, 0, -1}));
  EXPECT_EQ(converted<int>(), (std::vector<int>{-5, 300, INT_MAX, INT_MIN, 0, INT_MAX}));
  EXPECT_EQ(converted<unsigned>(), (std::vector<unsigned>{0, 300, UINT_MAX, 0, 0, UINT_MAX}));
  EXPECT_EQ(converted<long long>(),
            (std::vector<long long>{-5, 300, 10000000000, -10000000000, LLONG_MIN, LLONG_MAX}));
  EXPECT_EQ(converted<unsigned long long>(),
            (std::vector<unsigned long long>{0, 300, 10000000000, 0, 1ull << 63, ULLONG_MAX}));
}

// What the compiler finds out about a number changes nothing. (nvcc's
// compiler gives no such guarantee.)
#ifndef EMULATED_DEVICE
#define NOT_INLINED __noinline__
#else
#define NOT_INLINED
#endif
template <class To, class From>
__device__ NOT_INLINED To as(From x) {
  return static_cast<To>(x);
}
__device__ float known(int which) {
  switch (which & 3) {
    case 0:
      return NAN;
    case 1:
      return 3e9f;
    case 2:
      return -3e9f;
    default:
      return 1e30f;
  }
}
template <class To>
__global__ void convert_known(To* singles, To* doubles) {
  const float x = known(threadIdx.x);
  singles[threadIdx.x] = as<To>(x);
  doubles[threadIdx.x] = as<To>(static_cast<double>(x));
}
template <class To>
void expect_known(const std::vector<To>& of_single, const std::vector<To>& of_double) {
  Device<To> singles(4), doubles(4);
  convert_known<<<1, 4>>>(singles.get(), doubles.get());
  EXPECT_EQ(singles.read(), of_single);
  EXPECT_EQ(doubles.read(), of_double);
}

TEST(Conversions, OfKnownNumbersToo) {
  expect_known<unsigned char>({0, 0, 0, 255}, {0, 0, 0, 255});
  expect_known<int>({0, INT_MAX, INT_MIN, INT_MAX}, {INT_MIN, INT_MAX, INT_MIN, INT_MAX});
  expect_known<unsigned>({0, 3000000000u, 0, UINT_MAX}, {1u << 31, 3000000000u, 0, UINT_MAX});
  expect_known<long long>({LLONG_MIN, 3000000000, -3000000000, LLONG_MAX},
                          {LLONG_MIN, 3000000000, -3000000000, LLONG_MAX});
  expect_known<unsigned long long>({1ull << 63, 3000000000, 0, ULLONG_MAX},
                                   {1ull << 63, 3000000000, 0, ULLONG_MAX});
}

__global__ void spellings(int* out, float x, double y, float z, uchar4* color,
                          unsigned char* bytes) {
  out[0] = (int)x;
  out[1] = int(x);
  out[2] = static_cast<int>(x);
  out[3] = -(int)y;  // -INT_MAX
  out[4] = (int)x / 2 + (unsigned char)-x;
  out[5] = (long)x == 10000000000;
  color[0] = make_uchar4((unsigned char)x, (unsigned char)-x, (unsigned char)z, 3.9f);
  color[1].x = (unsigned char)-z;
  for (int n = (int)x; n > 0; n = -1) bytes[0] = 7.9;
}

TEST(Conversions, InEverySpelling) {
  Device<int> out(6);
  Device<uchar4> color(2);
  Device<unsigned char> bytes(1);
  spellings<<<1, 1>>>(out.get(), 1e10f, 1e10, 300.0f, color.get(), bytes.get());
  const std::vector<int> results = out.read();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(results[i], INT_MAX) << i;
  EXPECT_EQ(results[3], -INT_MAX);
  EXPECT_EQ(results[4], INT_MAX / 2);
  EXPECT_EQ(results[5], 1);
  const std::vector<uchar4> colors = color.read();
  EXPECT_EQ(colors[0].x, 255);
  EXPECT_EQ(colors[0].y, 0);
  EXPECT_EQ(colors[0].z, 44);
  EXPECT_EQ(colors[0].w, 3);
  EXPECT_EQ(colors[1].x, 0);
  EXPECT_EQ(bytes.read(), (std::vector<unsigned char>{7}));
}

// ---- sums and products that do not fit into an int wrap around ----
__global__ void random_numbers(int* out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  int s = i + 1;
  for (int k = 0; k < 4; ++k) s = s * 1103515245 + 12345;
  out[i] = static_cast<unsigned>(s / 65536) % 32768;
}

template <class T>
__global__ void divide(T* out, T a, const T* divisor) {
  __shared__ T shared;
  shared = divisor[0];
  out[0] = a / divisor[0];
  out[1] = a % divisor[0];
  out[2] = a / shared;
  out[3] = divisor[1] / divisor[threadIdx.x] + divisor[1] % shared;
}
template <class T>
void expect_smallest(T smallest) {
  Device<T> out(4), divisor(std::vector<T>{-1, smallest});
  divide<<<1, 1>>>(out.get(), smallest, divisor.get());
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(out.read(), (std::vector<T>{smallest, 0, smallest, smallest}));
}
TEST(Overflow, OfAQuotient) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitized build ends the program";
#endif
  expect_smallest<int>(std::numeric_limits<int>::min());
  expect_smallest<long long>(std::numeric_limits<long long>::min());
}

TEST(Overflow, WrapsAround) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitized build ends the program";
#endif
  Device<int> out(4);
  random_numbers<<<1, 4>>>(out.get(), 4);
  EXPECT_EQ(out.read(), (std::vector<int>{17516, 12915, 8313, 3712}));
}

// ---- an index of type int: the element that it says, on whichever side of the pointer ----
__global__ void gather(int* out, const int* in, int width, int count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width) return;
  int i = y * width + x;
  out[i] = in[i] + 3 * in[-i] + 5 * in[count - 1 - i] + 7 * in[i % 5 - width] +
           11 * in[(x * 7 + y) % count];
}
TEST(Subscript, OfAnInt) {
  constexpr int width = 45, height = 6, count = width * height;
  std::vector<int> numbers(2 * count);
  for (int i = 0; i < 2 * count; ++i) numbers[i] = (i - count) * (i - count) % 1009 + i;
  Device<int> in(numbers), out(count);
  gather<<<dim3(2, 2), dim3(32, 3)>>>(out.get(), in.get() + count, width, count);
  const std::vector<int> result = out.read();
  const auto number = [&](int i) { return numbers[count + i]; };
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(result[i], number(i) + 3 * number(-i) + 5 * number(count - 1 - i) +
                             7 * number(i % 5 - width) +
                             11 * number((i % width * 7 + i / width) % count))
        << i;
}

// ---- shifts by the width of the type or more: PTX clamps the amount ----
#define SHIFTED(a, b) ((a) << (b))
enum Small { seven = 7 };

struct Pair {
  template <class First, class Second>
  struct Of {
    First first;
    Second second;
  };
};

// Something else that has the operator.
struct Adder {
  int sum = 0;
  __device__ Adder& operator<<(int x) {
    sum += x;
    return *this;
  }
};

__global__ void shifts(int* out, int n, long long wide, unsigned char byte) {
  int i = 0;
  out[i++] = 1 << n;
  out[i++] = ~0u >> n;
  out[i++] = -8 >> n;
  out[i++] = 1ull << n == 1ull << 33;
  out[i++] = 1 << n * 2 / 2 | 4;  // the amount is n * 2 / 2
  out[i++] = SHIFTED(1, n);
  out[i++] = 1u << wide;
  out[i++] = 1ll << n >> 3 << 2 == 1ll << 32;
  out[i++] = 1 << -n;
  out[i++] = n >> 1 > 3 && 5 < n >> 1;
  unsigned u = 5;
  u <<= n;
  out[i++] = u;
  int s = -5;
  s >>= n;
  out[i++] = s;
  byte <<= n - 24;
  out[i++] = byte;
  const Pair::Of<int, Pair::Of<int, int>> pair{1, {2, 3}};
  out[i++] = pair.second.first << seven;
  Adder adder;
  adder << n << 5;
  out[i++] = adder.sum;
  int elements[1 << 3];
  elements[n & 7] = 9;
  out[i++] = elements[1] << (n & 3);
}

TEST(Shifts, ByTheWidthOrMoreAreClamped) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "UndefinedBehaviorSanitizer ends the program";
#endif
  Device<int> out(16);
  shifts<<<1, 1>>>(out.get(), 33, 33, 3);
  EXPECT_EQ(out.read(), (std::vector<int>{0, 0, -1, 1, 4, 0, 0, 1, 0, 1, 0, -1, 0, 256, 38, 18}));
}

__global__ void shift_many(unsigned* left, unsigned* right, int* right_signed,
                           const unsigned* amounts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  left[i] = 0xdeadbeefu << amounts[i];
  right[i] = 0xdeadbeefu >> amounts[i];
  right_signed[i] = static_cast<int>(0xdeadbeefu) >> amounts[i];
}

TEST(Shifts, AreClampedInVectorRegisters) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "UndefinedBehaviorSanitizer ends the program";
#endif
  const int n = 700;
  std::vector<unsigned> amounts(n);
  for (int i = 0; i < n; ++i) amounts[i] = i < 600 ? i % 80 : 0x80000000u + i;
  Device<unsigned> in(amounts), left(n), right(n);
  Device<int> right_signed(n);
  shift_many<<<3, 256>>>(left.get(), right.get(), right_signed.get(), in.get(), n);
  const std::vector<unsigned> l = left.read(), r = right.read();
  const std::vector<int> s = right_signed.read();
  for (int i = 0; i < n; ++i) {
    const bool fits = amounts[i] < 32;
    EXPECT_EQ(l[i], fits ? 0xdeadbeefu << amounts[i] : 0) << amounts[i];
    EXPECT_EQ(r[i], fits ? 0xdeadbeefu >> amounts[i] : 0) << amounts[i];
    EXPECT_EQ(s[i], static_cast<int>(0xdeadbeefu) >> (fits ? amounts[i] : 31)) << amounts[i];
  }
}

// ---- waiting for memory ----
__global__ void volatile_flag(volatile int* flag, int* out) {
  if (threadIdx.x == 32) {
    while (*flag == 0)
      ;
    *out = *flag;
  }
  if (threadIdx.x == 0) *flag = 42;
}
__global__ void cast_flag(int* flag, int* out) {
  if (threadIdx.x == 32) {
    while (true) {
      if (*(volatile int*)flag != 0) break;
    }
    *out = *flag;
  }
  if (threadIdx.x == 0) *(volatile int*)flag = 42;
}
#ifdef EMULATED_DEVICE
// nvcc 13 does not repeat these loads in a loop without other effects: on an H200 the loops are
// gone, and the answer is 0. Here they wait, as their author meant.
template <bool cached>
__global__ void loaded_flag(int* flag, int* out) {
  if (threadIdx.x == 32) {
    while ((cached ? __ldcg(flag) : __ldcv(flag)) == 0)
      ;
    *out = *flag;
  }
  if (threadIdx.x == 0) {
    *(volatile int*)flag = 42;
    __threadfence();
  }
}

TEST(Waiting, RepeatsCachedLoads) {
  Device<int> flags(2), out(2);
  loaded_flag<true><<<1, 64>>>(flags.get(), out.get());
  loaded_flag<false><<<1, 64>>>(flags.get() + 1, out.get() + 1);
  EXPECT_EQ(out.read(), (std::vector<int>{42, 42}));
}
#endif

TEST(Waiting, SeesWhatAnotherThreadWrites) {
  Device<int> flags(2), out(2);
  volatile_flag<<<1, 64>>>(flags.get(), out.get());
  cast_flag<<<1, 64>>>(flags.get() + 1, out.get() + 1);
  EXPECT_EQ(out.read(), (std::vector<int>{42, 42}));
}

// ---- __CUDA_ARCH__ ----
__global__ void chooses(int* out) {
#if __CUDA_ARCH__ >= 700
  *out = 1;
#endif
}
// Seen on an H200.
__global__ void print(int* returned, const char* none) {
  returned[0] = printf("no number\n");
  returned[1] = printf("%d of 100%% %s\n", 2, "numbers");
  returned[2] = printf(none);
}

TEST(Printf, ReturnsTheNumberOfArguments) {
  Device<int> returned(3);
  print<<<1, 1>>>(returned.get(), nullptr);
  EXPECT_EQ(returned.read(), (std::vector<int>{0, 2, -1}));
}

TEST(Macros, ArchitectureIsDefined) {
#ifndef __CUDACC__
  FAIL() << "__CUDACC__ is not defined";
#endif
#ifndef __NVCC__
  FAIL() << "__NVCC__ is not defined";
#endif
  Device<int> out(1);
  chooses<<<1, 1>>>(out.get());
  EXPECT_EQ(out.read()[0], 1);
}

// ---- the device's clock ----
__global__ void clocks(long long* out) {
  const clock_t a = clock();
  const long long b = clock64();
  __nanosleep(1000);
  out[0] = clock() - a;
  out[1] = clock64() - b;
}
TEST(Clock, CountsTheSameTicksInBothSizes) {
  Device<long long> out(2);
  clocks<<<1, 1>>>(out.get());
  const auto ticks = out.read();
  EXPECT_GT(ticks[0], 0);
  EXPECT_GT(ticks[1], 0);
  EXPECT_LT(std::abs(ticks[0] - ticks[1]), 100000000);
}

// ---- launches and shared memory in other spellings ----
#define SHAPE <<<2, 32>>>
#define SHAPE_OF(n) <<<((n) + 31) / 32, 32, 32 * sizeof(int)>>>
#define LAUNCH(kernel, n, ...) kernel<<<((n) + 31) / 32, 32, 32 * sizeof(int)>>>(__VA_ARGS__)
#define ONE_BLOCK 1, 32, 32 * sizeof(int)

__global__ void add_one(int* out) { out[threadIdx.x + blockIdx.x * blockDim.x] += 1; }

extern __shared__ int at_namespace_scope[];
__global__ void reversed_in_block(int* out) {
  at_namespace_scope[threadIdx.x] = out[threadIdx.x + blockIdx.x * blockDim.x];
  __syncthreads();
  out[threadIdx.x + blockIdx.x * blockDim.x] = at_namespace_scope[31 - threadIdx.x];
}

__global__ void other_orders(int* out) {
  extern int __shared__ s[];
  static __shared__ int a[32];
  volatile __shared__ int b[32];
  __shared__ static volatile int c[32];
  int __shared__ d[32];
  s[threadIdx.x] = a[threadIdx.x] = d[threadIdx.x] = 1;
  b[threadIdx.x] = 1;
  c[threadIdx.x] = 1;
  __syncthreads();
  const int other = 31 - threadIdx.x;
  out[threadIdx.x] = s[other] + a[other] + b[other] + c[other] + d[other];
}

__global__ void rows(int* out) {
  extern __shared__ volatile int table[][4];
  table[threadIdx.x / 4][threadIdx.x % 4] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = table[7 - threadIdx.x / 4][threadIdx.x % 4];
}

TEST(Spellings, MacrosThatHideLaunches) {
  Device<int> out(64);
  add_one SHAPE(out.get());
  add_one SHAPE_OF(64)(out.get());
  LAUNCH(add_one, 64, out.get());
  add_one<<<ONE_BLOCK>>>(out.get());
  // clang-format off
  add_one<<<[] { return 4; }() >> 1, 128 >> 2, 0 << 1>>>(out.get());
  // clang-format on
  const auto values = out.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(values[i], i < 32 ? 5 : 4) << i;
}

TEST(Spellings, SharedMemory) {
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  Device<int> out(numbers);
  LAUNCH(reversed_in_block, 64, out.get());
  auto values = out.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(values[i], i / 32 * 32 + 31 - i % 32) << i;
  other_orders<<<ONE_BLOCK>>>(out.get());
  EXPECT_EQ(out.read()[17], 5);
  rows<<<ONE_BLOCK>>>(out.get());
  EXPECT_EQ(out.read()[5], 25);
}

// ---- names that the host has, too: whatever a kernel declares is its own ----
int n = 1000;
int change(int x) { return x + n; }

struct TwoInts {
  int first, second;
};
template <int n>
__device__ int of_template() {
  return n;
}
__device__ int of_array(const int (&n)[2]) { return n[0] + n[1]; }
__device__ int of_function(int (*change)(int)) { return change(1); }
template <class... Numbers>
__device__ int of_pack(Numbers... n) {
  return (n + ...);
}

__global__ void own_names(int* out) {
  const int t = threadIdx.x;
  const auto captured = [n = t] { return n + 1; };
  const auto second = [t, &n = t](int by) { return n * by + t; };
  const auto parameter = [](int a, auto n) { return a + n; };
  const auto called = [change = captured] { return change(); };
  const auto nested = [m = t] { return [n = m] { return n; }(); };
  out[0] = captured();
  out[1] = second(3);
  out[2] = parameter(1, t);
  out[3] = called();
  out[4] = nested();
  {
    const auto [m, n] = TwoInts{4, 5};
    out[5] = m * 10 + n;
  }
  if (const auto& [m, n] = TwoInts{6, 7}; n > m) out[6] = n;
  for (int i = 0, n = 3; i < n; ++i) out[7] = i;
  for (const int& n : {1, 2}) out[8] = n;
  const int numbers[2] = {3, 4};
  out[9] = of_array(numbers);
  out[10] = of_template<8>();
  out[11] = of_function([](int x) { return x + 1; });
  out[12] = of_pack(1, 2, 3);
  struct Local {
    int m, n;
    __device__ int sum() const { return m + n; }
  };
  out[13] = Local{1, 1}.sum();
  const int(&n)[2] = numbers;
  out[14] = n[1];
}

TEST(Names, OfTheHost) {
  Device<int> out(15);
  own_names<<<1, 1>>>(out.get());
  EXPECT_EQ(out.read(), (std::vector<int>{1, 0, 1, 1, 0, 45, 7, 2, 2, 7, 8, 2, 6, 2, 4}));
  EXPECT_EQ(change(n), 2000);
}

#if 0
this text, with k<<<1>>> and half a launch, l<<<1, is not there
#endif
