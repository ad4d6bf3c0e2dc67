// The call that runs a loop for all threads of a block (../include/emulated/grid_loops.h), as text.
#pragma once

#include <vector>

#include "kernel_variables.h"
#include "source.h"

namespace translate {

/// The parts of a loop that counts upwards, as tokens [first, last): for (int i = start; i < bound; i += step) body, or the
/// same with while.
struct Loop {
  std::size_t first, last;
  std::string index, index_type;                // index_type: empty where the loop does not declare the index
  std::size_t start = none, start_last = none;  // none: the index has its value from before
  std::size_t bound, bound_last;                // the condition
  std::size_t step, step_last;                  // what is added
  std::size_t body, body_last;
  bool can_continue;
};

/// What the call needs to know besides the loop.
struct StridedCall {
  std::vector<const Local*> again;  // locals that the rounds compute again
  NameSet kept;                     // numbers that are kept for each thread
  unsigned number;                  // of the loop in its kernel, from 0
  bool behind_loop;                 // only declarations stand between it and the loop before
  bool behind_barrier;              // or a barrier
};

/// Writes the call before the loop, which becomes what is done when the call refuses.
void write_strided_call(Source& source, const KernelVariables& variables, const Loop& loop,
                        const StridedCall& call);

}  // namespace translate
