// A program and a library of add_cuda_library() launch kernels of the same header, in turns: each
// has its own copy of the functions that read threadIdx.
#include <cstdio>

#include "hidden_unit.h"

using namespace hidden_unit;

int main() {
  const bool right =
      indices_are_right<3>() && right_in_library() && indices_are_right<7>() && right_in_library();
  std::printf("%s hidden_unit\n", right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
