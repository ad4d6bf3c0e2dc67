#include "passes.h"

#include <iterator>

#include <packs_passes.h>

namespace translate {

// In this order. Where two passes insert at the same place, the text of the earlier one comes
// first: so a kernel's shared arrays are declared before anything is noted about it.
// Declarations are noted before the passes that refuse, because these need them. The passes
// that refuse come before those that translate: so a mistake is reported by the sentence that
// is made for it. What a pass copies (loops over the grid) contains the changes of all other
// passes, earlier and later ones.
std::vector<Pass*> passes() {
  std::vector<Pass*> all = {
      translate_shared_memory,  // extern __shared__ T name[]; static and alignas beside __shared__
      note_declarations,        // kernels, shared arrays and the device's variables
      refuse_mistakes,          // what nvcc refuses and g++ would take
      refuse_host_variables,    // which device code cannot name
      refuse_host_constexpr,    // which device code calls, unless nvcc's option allows it
      refuse_declarations,      // of kernels and variables; return; in main
      refuse_statements,        // of device code, and names of older versions of CUDA
      warn_of_architectures,    // choices by __CUDA_ARCH__
      warn_of_copies_not_waited_for,  // __pipeline_memcpy_async alone
      warn_of_sizes_of_pointers,      // cudaMemcpy(p, q, sizeof(q), ...)
      warn_of_lost_results,           // result.sum = s, where result is a kernel's parameter
      translate_shadows,              // variables of the device in host code
      translate_launches,             // kernel<<<grid, block>>>(arguments)
      translate_casts,                // (int)x, int(x), static_cast<int>(x) in device code
      translate_shifts,               // a << n, a >>= n in device code
      translate_waiting_loops,        // while (*volatile_pointer == 0)
      note_volatile_elements,         // v[i] = v[i] + v[i + 16] on volatile memory
      translate_kernel_addresses,     // (void*)kernel
      translate_clock,                // clock() in device code
      translate_library,              // printf(), malloc(), new in device code
      translate_noinline,             // __noinline__
      translate_dropped_results,      // cudaFree(p); as a statement of host code
      translate_allocation_names,     // cudaMalloc(&a, bytes)
  };
  all.insert(all.end(), std::begin(pack_passes), std::end(pack_passes));
  return all;
}

}  // namespace translate
