#pragma once
// The names that the listings of "CUDA by Example" (Sanders, Kandrot, 2010) expect from their book.h, so that
// they compile unchanged, in the gpu and in the emulated build.

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "texture_reference.h"

/// Ends the program when a CUDA call failed: prints file, line, the failing expression, the error's name and
/// text. Exit code 1; 77 with a sentence of its own when this machine cannot run the program at all (no GPU,
/// driver too old, kernels built for another architecture); 2 for a device number that does not exist.
/// Variadic because an expression may hold commas of template arguments.
#define HANDLE_ERROR(...) handle_error((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

/// Ends the program when a host allocation returned NULL.
#define HANDLE_NULL(pointer) handle_null((pointer) == NULL, #pointer, __FILE__, __LINE__)

/// What HANDLE_ERROR does after an error. Never returns.
[[noreturn]] void report_cuda_error(cudaError_t error, const char* expression, const char* file, int line);
/// What HANDLE_NULL does after a NULL. Never returns.
[[noreturn]] void report_null(const char* expression, const char* file, int line);

inline void handle_error(cudaError_t error, const char* expression, const char* file, int line) {
  if (error != cudaSuccess) report_cuda_error(error, expression, file, line);
}

inline void handle_null(bool is_null, const char* expression, const char* file, int line) {
  if (is_null) report_null(expression, file, line);
}

template <class T>
void swap(T& a, T& b) {
  T t = a;
  a = b;
  b = t;
}

/// `size` random bytes, the same ones in every run. The caller frees them with free().
void* big_random_block(int size);
/// `size` random ints (not bytes) of 0 and more, the same ones in every run. The caller frees them with
/// free().
int* big_random_block_int(int size);

/// One color channel (0 to 255) of a hue in degrees, between the darkest level n1 and the brightest n2.
/// The piecewise linear function of the HLS model: Foley, van Dam, Computer Graphics, section on HLS.
__host__ __device__ inline unsigned char value(float n1, float n2, int hue) {
  hue = (hue + 360) % 360;
  float level = n1;  // 240 to 360 degrees
  if (hue < 60) {
    level = n1 + (n2 - n1) * hue / 60;  // rising
  } else if (hue < 180) {
    level = n2;
  } else if (hue < 240) {
    level = n1 + (n2 - n1) * (240 - hue) / 60;  // falling
  }
  return static_cast<unsigned char>(255 * level);
}

/// The color of a temperature t in [0, 1]: hue (180 + int(360 t)) mod 360, full saturation, lightness t;
/// opaque. Values outside [0, 1] count as the nearer end, NaN as 0. No product is added without a rounding
/// between, so CPU and GPU agree to the bit however the compiler contracts.
__host__ __device__ inline uchar4 heat_color(float t) {
  if (!(t > 0)) t = 0;
  if (t > 1) t = 1;
  const int hue = (180 + static_cast<int>(360.0f * t)) % 360;
  const float brightest = t <= 0.5f ? 2 * t : 1.0f;
  const float darkest = 2 * t - brightest;
  uchar4 color;
  color.x = value(darkest, brightest, hue + 120);
  color.y = value(darkest, brightest, hue);
  color.z = value(darkest, brightest, hue + 240);
  color.w = 255;
  return color;
}

#if defined(__CUDACC__) || defined(EMULATED_DEVICE)
// The book's kernels: one thread per cell of a 2D grid that covers the array exactly, 4 bytes (RGBA) out
// per cell. `static`: each program has its own copy, as nvcc ignores `inline` on kernels.
[[maybe_unused]] static __global__ void float_to_color(uchar4* optr, const float* outSrc) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const int offset = x + y * blockDim.x * gridDim.x;
  optr[offset] = heat_color(outSrc[offset]);
}

[[maybe_unused]] static __global__ void float_to_color(unsigned char* optr, const float* outSrc) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  const int offset = x + y * blockDim.x * gridDim.x;
  const uchar4 color = heat_color(outSrc[offset]);
  optr[offset * 4 + 0] = color.x;
  optr[offset * 4 + 1] = color.y;
  optr[offset * 4 + 2] = color.z;
  optr[offset * 4 + 3] = color.w;
}
#endif

// The book's host threads (chapter 11): thin names for pthreads.
typedef pthread_t CUTThread;
typedef void* (*CUT_THREADROUTINE)(void*);
#define CUT_THREADPROC void*
#define CUT_THREADEND return 0

/// Starts `routine(data)` on a new host thread. Ends the program when there is no thread to be had.
CUTThread start_thread(CUT_THREADROUTINE routine, void* data);
/// Waits until the thread has ended.
void end_thread(CUTThread thread);
/// Asks the thread to stop, and waits until it has.
void destroy_thread(CUTThread thread);
/// Waits until all `count` threads have ended.
void wait_for_threads(const CUTThread* threads, int count);
