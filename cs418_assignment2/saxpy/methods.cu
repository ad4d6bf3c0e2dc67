// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include "1_simple.cuh"
#include "2_vector.cuh"
#include "library.cuh"

const MethodTable<SaxpyMethod>& saxpy_methods() {
  static const MethodTable<SaxpyMethod> table{
      {{"simple", "one element per thread", rung<SimpleSaxpy>}},
      {{"vector", "four elements per thread, 16 bytes per access", rung<VectorSaxpy>}},
      {gpu_method<Method<Saxpy, std::size_t>, CublasSaxpy>("cublas", "cublasSaxpy, in place"), true}};
  return table;
}
