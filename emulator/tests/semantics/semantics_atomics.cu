// Atomic functions and mathematical functions, against their definitions.
#include <cmath>
#include <cstdint>
#include <cuda/atomic>
#include <limits>

#include "semantics_main.h"

// ---- atomics, one thread: the definition ----
// Each one's answer, and what it leaves.
__global__ void definitions(int* i, unsigned* u, unsigned long long* w, float* f, double* d,
                            double* out) {
  int k = 0;
  *i = 10;
  out[k++] = atomicAdd(i, 5);
  out[k++] = atomicSub(i, 7);
  out[k++] = atomicExch(i, 100);
  out[k++] = atomicMin(i, -3);
  out[k++] = atomicMax(i, 4);
  out[k++] = atomicCAS(i, 4, 50);
  out[k++] = atomicCAS(i, 4, 60);
  out[k++] = *i;
  *u = 6;
  out[k++] = atomicInc(u, 7u);
  out[k++] = atomicInc(u, 7u);
  out[k++] = atomicDec(u, 9u);
  out[k++] = atomicDec(u, 9u);
  out[k++] = *u;
  *u = 0xf0f0u;
  out[k++] = atomicAnd(u, 0xff00u);
  out[k++] = atomicOr(u, 0x000fu);
  out[k++] = atomicXor(u, 0xffffu);
  out[k++] = *u;
  *w = 1ull << 40;
  out[k++] = atomicAdd(w, 1ull << 41);
  out[k++] = *w;
  *f = 1.5f;
  out[k++] = atomicAdd(f, 0.25f);
  out[k++] = *f;
  *d = 1.5;
  out[k++] = atomicAdd(d, 0.25);
  out[k++] = *d;
}

TEST(Atomics, Definitions) {
  const std::vector<double> expected = {
      10, 15,     8,      100,    -3,     4,      50,         50,  6,    7,   0,   9,
      8,  0xf0f0, 0xf000, 0xf00f, 0x0ff0, 0x1p40, 3 * 0x1p40, 1.5, 1.75, 1.5, 1.75};
  Device<int> i(1);
  Device<unsigned> u(1);
  Device<unsigned long long> w(1);
  Device<float> f(1);
  Device<double> d(1), out(expected.size());
  definitions<<<1, 1>>>(i.get(), u.get(), w.get(), f.get(), d.get(), out.get());
  EXPECT_EQ(out.read(), expected);
}

// ---- atomics, many threads ----
struct Counters {
  int sum, least, greatest;
  unsigned wrapped, bits;
  unsigned long long long_sum;
  float float_sum;
  double double_sum;
};

__global__ void contend(Counters* c, int* shared_sums) {
  __shared__ int block_sum;
  __shared__ float block_float;
  if (threadIdx.x == 0) block_sum = 0, block_float = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->sum, i);
  atomicMin(&c->least, -i);
  atomicMax(&c->greatest, i);
  atomicInc(&c->wrapped, 999u);
  atomicOr(&c->bits, 1u << i % 32);
  atomicAdd(&c->long_sum, 1ull << 33);
  atomicAdd(&c->float_sum, 0.5f);
  atomicAdd(&c->double_sum, 0.5);
  atomicAdd(&block_sum, 1);
  atomicAdd_block(&block_float, 2.0f);
  __syncthreads();
  if (threadIdx.x == 0) shared_sums[blockIdx.x] = block_sum + static_cast<int>(block_float);
}

TEST(Atomics, ManyThreads) {
  const int blocks = 90, threads = 128, n = blocks * threads;
  Device<Counters> counters(1);
  Device<int> sums(blocks);
  contend<<<blocks, threads>>>(counters.get(), sums.get());
  const Counters c = counters.read()[0];
  EXPECT_EQ(c.sum, n / 2 * (n - 1));
  EXPECT_EQ(c.least, -(n - 1));
  EXPECT_EQ(c.greatest, n - 1);
  EXPECT_EQ(c.wrapped, n % 1000u);
  EXPECT_EQ(c.bits, 0xffffffffu);
  EXPECT_EQ(c.long_sum, static_cast<unsigned long long>(n) << 33);
  EXPECT_EQ(c.float_sum, n * 0.5f);
  EXPECT_EQ(c.double_sum, n * 0.5);
  EXPECT_EQ(sums.read(), std::vector<int>(blocks, 3 * threads));
}

__global__ void cuda_atomics(int* value, unsigned* result) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*value);
  ref.fetch_add(2, cuda::memory_order_relaxed);
  ref.fetch_max(-3);
  int expected = ref.load();
  while (!ref.compare_exchange_weak(expected, expected + 1)) {
  }
  __shared__ cuda::atomic<unsigned, cuda::thread_scope_block> counter;
  if (threadIdx.x == 0) counter.store(0);
  __syncthreads();
  counter.fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0) result[blockIdx.x] = counter.load();
}

TEST(Atomics, CudaAtomicRef) {
  Device<int> value(1);
  Device<unsigned> result(20);
  cuda_atomics<<<20, 64>>>(value.get(), result.get());
  EXPECT_EQ(value.read()[0], 3 * 20 * 64);
  EXPECT_EQ(result.read(), std::vector<unsigned>(20, 64u));
}

// ---- mathematical functions ----
__global__ void integers(unsigned* out) {
  unsigned i = 0;
  out[i++] = __popc(0xf0f00001u);
  out[i++] = __popcll(0xffull << 40);
  out[i++] = __clz(0x00010000);
  out[i++] = __clz(0);
  out[i++] = __clzll(1);
  out[i++] = __ffs(0x50);
  out[i++] = __ffs(0);
  out[i++] = __ffsll(1ll << 40);
  out[i++] = __brev(0x00000001u) >> 28;
  out[i++] = __byte_perm(0x33221100u, 0x77665544u, 0x0743u);
  out[i++] = __byte_perm(0x00000080u, 0u, 0x4448u);
  out[i++] = __funnelshift_l(0x80000000u, 1u, 4);
  out[i++] = __funnelshift_r(0x80000000u, 1u, 4);
  out[i++] = __funnelshift_lc(5u, 1u, 40);
  out[i++] = __funnelshift_rc(5u, 1u, 40);
  out[i++] = __umulhi(0xffffffffu, 0xffffffffu);
  out[i++] = static_cast<unsigned>(__mulhi(-2, 3));
  out[i++] = static_cast<unsigned>(__mul24(0x01ffffff, 2));
  out[i++] = __umul24(0x01ffffffu, 2u);
  out[i++] = static_cast<unsigned>(max(-1, 3));
  out[i++] = static_cast<unsigned>(min(-1, 3));
  out[i++] = max(-1, 3u);  // compared as unsigned
  out[i++] = __sad(-5, 10, 3u);
  out[i++] = static_cast<unsigned>(__hadd(-3, 4));
  out[i++] = __float_as_uint(1.0f);
  out[i++] = static_cast<unsigned>(__double2hiint(1.0));
}

TEST(Math, Integers) {
  const std::vector<unsigned> expected = {
      9,           8,           15,          32,          63,          5,           0,
      41,          8,           0x00774433u, 0x00000080u, 24,          0x18000000u, 5,
      1,           0xfffffffeu, 0xffffffffu, 0xfffffffeu, 0x01fffffeu, 3,           0xffffffffu,
      0xffffffffu, 18,          0,           0x3f800000u, 0x3ff00000u};
  Device<unsigned> out(expected.size());
  integers<<<1, 1>>>(out.get());
  EXPECT_EQ(out.read(), expected);
}

__global__ void conversions(int* out, float nan, float huge) {
  int i = 0;
  for (const float x : {2.5f, -2.5f, 3.5f, 1e-3f}) {
    out[i++] = __float2int_rn(x);
    out[i++] = __float2int_rz(x);
    out[i++] = __float2int_ru(x);
    out[i++] = __float2int_rd(x);
  }
  out[i++] = __float2int_rn(nan);
  out[i++] = __float2int_rn(huge);
  out[i++] = __float2int_rn(-huge);
  out[i++] = static_cast<int>(__float2uint_rn(-huge));
  out[i++] = __float_as_int(__int2float_rz(16777217));
  out[i++] = __float_as_int(__int2float_ru(16777217));
  out[i++] = __float_as_int(__double2float_rd(0.1));
  out[i++] = __float_as_int(__double2float_ru(0.1));
}

TEST(Math, Conversions) {
  const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
  const std::vector<int> expected = {
      2, 2, 3, 2, -2, -2,   -2,    -3, 4,          3,          4,          3,
      0, 0, 1, 0, 0,  most, least, 0,  0x4b800000, 0x4b800001, 0x3dcccccc, 0x3dcccccd};
  Device<int> out(expected.size());
  conversions<<<1, 1>>>(out.get(), std::nanf(""), 1e20f);
  EXPECT_EQ(out.read(), expected);
}

__global__ void floats(float* out, float a, float b) {
  int i = 0;
  out[i++] = __fmul_rn(a, b);
  out[i++] = __fmaf_rn(a, b, -__fmul_rn(a, b));  // what the rounding lost
  out[i++] = __fsqrt_rn(a);
  out[i++] = __saturatef(a);
  out[i++] = __saturatef(-a);
  out[i++] = __saturatef(std::numeric_limits<float>::quiet_NaN());
  out[i++] = fminf(a, std::numeric_limits<float>::quiet_NaN());
  out[i++] = max(a, b);
  out[i++] = __uint_as_float(0x40490fdbu);
  out[i++] = __fdiv_rn(a, b);
}

TEST(Math, Floats) {
  const float a = 1.1f, b = 3.3f, product = a * b;
  const float lost = static_cast<float>(static_cast<double>(a) * b - product);
  const std::vector<float> expected = {product, lost, std::sqrt(a), 1,    0, 0,
                                       a,       b,    3.14159274f,  a / b};
  Device<float> out(expected.size());
  floats<<<1, 1>>>(out.get(), a, b);
  EXPECT_EQ(out.read(), expected);
}

__global__ void approximations(float* out, float x) {
  int i = 0;
  out[i++] = __expf(x);
  out[i++] = __logf(x);
  out[i++] = __sinf(x);
  out[i++] = __cosf(x);
  out[i++] = __powf(x, 2.5f);
  out[i++] = __fdividef(x, 3.0f);
  out[i++] = rsqrtf(x);
  out[i++] = sinpif(x);
}

TEST(Math, ApproximationsAreNear) {
  const double x = 0.7;
  const double expected[] = {
      std::exp(x),      std::log(x), std::sin(x),      std::cos(x),
      std::pow(x, 2.5), x / 3,       1 / std::sqrt(x), std::sin(x * 3.14159265358979)};
  Device<float> out(8);
  approximations<<<1, 1>>>(out.get(), 0.7f);
  const auto got = out.read();
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(got[i], expected[i], 3e-6) << i;
}

// ---- loads and stores with cache hints ----
__global__ void hints(const float4* in, float4* out) {
  const float4 a = __ldg(&in[threadIdx.x]), b = __ldcs(&in[threadIdx.x]),
               c = __ldcg(&in[threadIdx.x]);
  __stcs(&out[threadIdx.x], make_float4(a.x, b.y, c.z, a.w));
}

TEST(Memory, CacheHintsChangeNothing) {
  const std::vector<float4> values = {make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)};
  Device<float4> in(values), out(2);
  hints<<<1, 2>>>(in.get(), out.get());
  const auto got = out.read();
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(got[i].x, values[i].x);
    EXPECT_EQ(got[i].y, values[i].y);
    EXPECT_EQ(got[i].z, values[i].z);
    EXPECT_EQ(got[i].w, values[i].w);
  }
}
