// The ladder of kernels: one line per rung, from plain to fast. --help, --benchmark and the benchmark program go
// through this table. It is compiled once for all of them, as a library (add_cuda_library() in cmake/CudaProgram.cmake,
// which also says what [[gnu::used]] is for).

#include "methods.h"

#include "1_simple.cuh"
#include "2_vector.cuh"
#include "library.cuh"

[[gnu::used]] const MethodTable<SaxpyMethod>& saxpy_methods() {
  static const MethodTable<SaxpyMethod> table{
      {method<Saxpy, SimpleSaxpy>("simple", "one element per thread")},
      {method<Saxpy, VectorSaxpy>("vector", "four elements per thread, 16 bytes per access")},
      {gpu_method<Saxpy, CublasSaxpy>("cublas", "cublasSaxpy, in place"), true}};
  return table;
}
