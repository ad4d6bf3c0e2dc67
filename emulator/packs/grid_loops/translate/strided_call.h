// The call that runs a loop for all threads of a block (../include/emulated/grid_loops.h), as text.
#pragma once

#include <vector>

#include "kernel_variables.h"
#include "loop_parts.h"
#include "source.h"

namespace translate {

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
