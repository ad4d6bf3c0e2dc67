#include "passes.h"

#include <array>

namespace translate {

// What refuses a file comes first, so that a mistake is said as a mistake. Of what two passes insert at the same place the
// earlier one's stands first: a kernel's shared arrays are declared before anything of it is noted. Whatever is copied
// (the loops) holds the changes of all passes, before it or behind it. The rest may stand in any order.
std::span<const Pass> passes() {
  static constexpr std::array table = {
      Pass{"refusals", "nothing: what nvcc refuses and g++ would take", refuse_mistakes},
      Pass{"architectures", "nothing: warns of choices by __CUDA_ARCH__", warn_of_architectures},
      Pass{"shared memory", "extern __shared__ T name[]; static and alignas beside __shared__",
           translate_shared_memory},
      Pass{"declarations", "kernels, shared arrays and the device's variables: notes for the runtime",
           note_declarations},
      Pass{"launches", "kernel<<<grid, block>>>(arguments)", translate_launches},
      Pass{"inline PTX", "asm(\"...\") in device code", translate_inline_ptx},
      Pass{"casts", "(int)x, int(x), static_cast<int>(x) in device code", translate_casts},
      Pass{"shifts", "a << n, a >>= n in device code", translate_shifts},
      Pass{"lockstep", "s[i] += s[i + 16] on volatile memory", translate_lockstep},
      Pass{"waiting", "while (*volatile_pointer == 0)", translate_waiting_loops},
      Pass{"kernel addresses", "(void*)kernel", translate_kernel_addresses},
      Pass{"clock", "clock() in device code", translate_clock},
      Pass{"noinline", "__noinline__", translate_noinline},
      Pass{"strided loops", "for (i = thread; i < n; i += blockDim.x * gridDim.x)", prepare_strided_loops},
  };
  return table;
}

}  // namespace translate
