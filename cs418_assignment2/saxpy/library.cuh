#pragma once
// The library's way, the yardstick: cuBLAS. It comes with the CUDA toolkit, so the emulated build has not got
// it.

#include <cuda_runtime.h>

#ifdef EMULATED_DEVICE
class CublasSaxpy;
#else
#include <cublas_v2.h>

#include <algorithm>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/fail.h"

class CublasSaxpy {
 public:
  explicit CublasSaxpy(std::size_t /*most*/) { handle(cublasCreate(&cublas_), "cublasCreate"); }
  ~CublasSaxpy() { cublasDestroy(cublas_); }
  CublasSaxpy(const CublasSaxpy&) = delete;
  CublasSaxpy& operator=(const CublasSaxpy&) = delete;

  /// cuBLAS computes y = a x + y: y is copied to z first, unless it lies there already (y == z).
  void run(std::size_t n, float a, const float* x, const float* y, float* z, cudaStream_t stream) {
    if (y != z) HANDLE_ERROR(cudaMemcpyAsync(z, y, n * sizeof *z, cudaMemcpyDeviceToDevice, stream));
    handle(cublasSetStream(cublas_, stream), "cublasSetStream");
    constexpr std::size_t most = 1 << 30;  // counts have 32 bits: larger arrays in pieces
    for (std::size_t first = 0; first < n; first += most) {
      const int count = static_cast<int>(std::min(n - first, most));
      handle(cublasSaxpy(cublas_, count, &a, x + first, 1, z + first, 1), "cublasSaxpy");
    }
  }

 private:
  static void handle(cublasStatus_t status, const char* what) {
    if (status != CUBLAS_STATUS_SUCCESS) fail(exit_code::failed, std::string(what) + " failed");
  }

  cublasHandle_t cublas_ = nullptr;
};
#endif
