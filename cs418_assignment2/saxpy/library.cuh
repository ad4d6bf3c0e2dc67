#pragma once
// cuBLAS, for comparison. It comes with the CUDA toolkit, so the emulated build does not have it.

#include <cuda_runtime.h>

#ifndef EMULATED_DEVICE
#include <cublas_v2.h>

#include <cstddef>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/fail.h"
#endif

namespace saxpy {

#ifdef EMULATED_DEVICE
class CublasSaxpy;
#else
class CublasSaxpy {
 public:
  CublasSaxpy() { handle(cublasCreate(&cublas_)); }
  ~CublasSaxpy() { cublasDestroy(cublas_); }
  CublasSaxpy(const CublasSaxpy&) = delete;

  /// cuBLAS computes y = a x + y: y is copied to z first, unless it is there already (y == z).
  void run(size_t n, float a, const float* x, const float* y, float* z, cudaStream_t stream) {
    if (y != z)
      HANDLE_ERROR(cudaMemcpyAsync(z, y, n * sizeof *z, cudaMemcpyDeviceToDevice, stream));
    handle(cublasSetStream(cublas_, stream));
    handle(cublasSaxpy_64(cublas_, static_cast<std::int64_t>(n), &a, x, 1, z, 1));
  }

 private:
  static void handle(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) fail(exit_code::failed, "cuBLAS failed");
  }

  cublasHandle_t cublas_ = nullptr;
};
#endif

}  // namespace saxpy
