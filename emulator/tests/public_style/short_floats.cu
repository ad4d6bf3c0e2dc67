// bfloat16 and half: conversions, arithmetic, pairs, comparisons and atomics; complex numbers as
// float2; marks for a profiler.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cmath>
#include <cstdio>

__global__ void add_all(__nv_bfloat16* b, __nv_bfloat162* b2, __half* h, __half2* h2) {
  atomicAdd(b, __float2bfloat16(0.5f));
  atomicAdd(b2, __floats2bfloat162_rn(1.0f, 0.25f));
  atomicAdd(h, __float2half(0.5f));
  atomicAdd(h2, __floats2half2_rn(1.0f, 0.25f));
}

__global__ void compare_pairs(int* out) {
  const __half2 a = __floats2half2_rn(1.0f, 2.0f), b = __floats2half2_rn(1.0f, 3.0f);
  out[0] = __hbeq2(a, a) && !__hbeq2(a, b) && __hble2(a, b) && !__hblt2(a, b) &&
           !(a != b);  // __hbne2 is true where both halves differ
  out[1] = __low2float(__heq2(a, b)) == 1.0f && __high2float(__heq2(a, b)) == 0.0f &&
           __high2float(__hgt2(b, a)) == 1.0f;
}

// Names of the program's own, which mean nothing else for such numbers, either.
template <class T>
float pack(T x) {
  return static_cast<float>(x) + 1;
}
template <class T>
float wide(T x) {
  return static_cast<float>(x) + 2;
}
template <class T>
float add(T x, T y) {
  return static_cast<float>(x) + static_cast<float>(y);
}

// The functions of both types, and of their pairs.
template <class T, class Pair>
__device__ void functions(float* out) {
  T a = 1.5f;
  const T before = a, nan = NAN;
  a += 1;
  Pair p{T(4.0f), T(-2.0f)};
  p += Pair{a, a};  // 6.5, 0.5
  p = p * p - p / p;
  const Pair rounded = h2floor(Pair{T(2.75f), T(-2.75f)});
  int i = 0;
  out[i++] = float(before) + float(a);
  out[i++] = float(p.x);
  out[i++] = float(p.y);
  out[i++] = float(rounded.x) + 10 * float(rounded.y);
  out[i++] = __hlt(nan, a) + 2 * __hisnan(__hmax(nan, a)) + 4 * (p != p);
  out[i++] =
      float(h2exp2(Pair{T(3.0f), T(0.0f)}).x) + float(hexp10(T(1.0f))) + float(hrint(T(2.5f)));
}
__global__ void all_functions(float* out) {
  functions<__half, __half2>(out);
  functions<__nv_bfloat16, __nv_bfloat162>(out + 6);
  out[12] = __half2short_rz(-3.7f) + 1.0f * __half2uint_rn(2.5f) + __half2ll_ru(0.1f) +
            __half2ushort_rd(-5.0f);
  out[13] = __half2short_rn(INFINITY);
  out[14] = __bfloat162short_rd(-3.5f) + 1.0f * __bfloat162uint_ru(2.5f);
  out[15] = __bfloat162ll_rz(-3e9f);
  out[16] = __half2ll_rz(NAN) == static_cast<long long>(1ull << 63);
}

int wrong_functions() {
  float* out;
  cudaMallocManaged(&out, 17 * sizeof *out);
  all_functions<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  const float of_both[] = {4, 41.25f, -0.75f, -28, 0, 20};
  const float others[] = {0, 32767, -1, -3003121664.0f, 1};
  int wrong = 0;
  for (int i = 0; i < 17; ++i) {
    const float expected = i < 12 ? of_both[i % 6] : others[i - 12];
    if (out[i] != expected) std::printf("functions[%d] is %g, not %g\n", i, out[i], expected);
    wrong += out[i] != expected;
  }
  return wrong;
}

int main() {
  nvtxRangePushA("all");
  cudaProfilerStart();
  int wrong = wrong_functions();

  char* sums;
  cudaMalloc(&sums, 64);
  cudaMemset(sums, 0, 64);
  add_all<<<4, 32>>>(reinterpret_cast<__nv_bfloat16*>(sums),
                     reinterpret_cast<__nv_bfloat162*>(sums + 16),
                     reinterpret_cast<__half*>(sums + 32), reinterpret_cast<__half2*>(sums + 48));
  alignas(16) char host[64];
  cudaMemcpy(host, sums, 64, cudaMemcpyDeviceToHost);
  const auto& b2 = *reinterpret_cast<__nv_bfloat162*>(host + 16);
  const auto& h2 = *reinterpret_cast<__half2*>(host + 48);
  const bool added = __bfloat162float(*reinterpret_cast<__nv_bfloat16*>(host)) == 64 &&
                     __low2float(b2) == 128 && __high2float(b2) == 32 &&
                     __half2float(*reinterpret_cast<__half*>(host + 32)) == 64 &&
                     __low2float(h2) == 128 && __high2float(h2) == 32;

  int* pairs;
  int compared[2];
  cudaMalloc(&pairs, sizeof compared);
  compare_pairs<<<1, 1>>>(pairs);
  cudaMemcpy(compared, pairs, sizeof compared, cudaMemcpyDeviceToHost);
  wrong += !compared[0] + !compared[1];
  const __half two = __float2half(2);
  const __nv_bfloat16 three = __float2bfloat16(3);
  wrong += pack(two) != 3 || wide(two) != 4 || add(two, two) != 4 || pack(three) != 4 ||
           wide(three) != 5;

  const cuComplex z =
      cuCdivf(cuCmulf(make_cuComplex(1, 2), make_cuComplex(3, -1)), make_cuComplex(0, 1));
  const cuDoubleComplex w = cuCadd(make_cuDoubleComplex(3, 4), cuConj(make_cuDoubleComplex(0, 1)));
  const bool complex = std::fabs(cuCrealf(z) - 5) < 1e-5f && std::fabs(cuCimagf(z) + 5) < 1e-5f &&
                       std::fabs(cuCabs(w) - std::hypot(3.0, 3.0)) < 1e-14;
  cudaProfilerStop();
  nvtxRangePop();
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%d wrong, atomics %d, complex %d: %s\n%s\n", wrong, added, complex,
              cudaGetErrorString(error),
              wrong == 0 && added && complex && error == cudaSuccess ? "OK" : "WRONG");
}
