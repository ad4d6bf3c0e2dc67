#include "passes.h"

#include <packs_passes.h>

namespace translate {

// What refuses a file comes first, so that a mistake is said as a mistake. Of what two passes insert at the same place the
// earlier one's stands first: a kernel's shared arrays are declared before anything of it is noted. Whatever a pass
// copies (loops over the grid) holds the changes of all passes, before it or behind it. The rest may be in any order.
std::vector<Pass> passes() {
  std::vector<Pass> table = {
      {"refusals", "nothing: what nvcc refuses and g++ would take", refuse_mistakes},
      {"architectures", "nothing: warns of choices by __CUDA_ARCH__", warn_of_architectures},
      {"shared memory", "extern __shared__ T name[]; static and alignas beside __shared__",
       translate_shared_memory},
      {"declarations", "kernels, shared arrays and the device's variables: notes for the runtime",
       note_declarations},
      {"shadows", "variables of the device in host code", translate_shadows},
      {"launches", "kernel<<<grid, block>>>(arguments)", translate_launches},
      {"casts", "(int)x, int(x), static_cast<int>(x) in device code", translate_casts},
      {"shifts", "a << n, a >>= n in device code", translate_shifts},
      {"lockstep", "s[i] += s[i + 16] on volatile memory", translate_lockstep},
      {"waiting", "while (*volatile_pointer == 0)", translate_waiting_loops},
      {"kernel addresses", "(void*)kernel", translate_kernel_addresses},
      {"clock", "clock() in device code", translate_clock},
      {"noinline", "__noinline__", translate_noinline},
  };
  for (const Pass* pass : pack_passes) table.push_back(*pass);
  return table;
}

}  // namespace translate
