// Host memory that kernels must not get: what the runtime can see of it without help from the hardware.
#include "memory_host.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "../include/emulated/arguments.h"
#include "declarations.h"
#include "device_number.h"
#include "memory_arena.h"
#include "memory_list.h"

namespace emulated {

bool is_static(const void* address) {
  auto search = reinterpret_cast<std::uintptr_t>(address);
  return dl_iterate_phdr(
             [](dl_phdr_info* info, std::size_t, void* data) {
               const std::uintptr_t at = *static_cast<std::uintptr_t*>(data);
               for (int i = 0; i < info->dlpi_phnum; ++i) {
                 const auto& segment = info->dlpi_phdr[i];
                 const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
                 if (segment.p_type == PT_LOAD && at >= begin && at - begin < segment.p_memsz) return 1;
               }
               return 0;
             },
             &search) != 0;
}

bool is_mapped(const void* address) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGE_SIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address) / page * page;
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(begin), 1, &resident) == 0;  // NOLINT(performance-no-int-to-ptr)
}

bool device_can_use(const void* pointer, unsigned position, const char* kernel, const char* file,
                    unsigned line) {
  if (pointer == nullptr) return true;
  Allocation found;
  allocations().place(pointer, 1, found);
  if (found.type == cudaMemoryTypeDevice && !has_access(current_device(), found.device)) {
    std::fprintf(
        stderr,
        "%s:%u: error: kernel %s: argument %u points to memory of device %d, to which device %d has no "
        "access; call cudaDeviceEnablePeerAccess\n",
        file, line, kernel, position, found.device, current_device());
    return false;
  }
  // What is known, was device memory, may be a __device__ variable, or faults by itself.
  if (found.type != cudaMemoryTypeUnregistered || allocations().ends_at(pointer) ||
      device_arena().contains(pointer) || (is_static(pointer) && is_in_variable(pointer)) ||
      !is_mapped(pointer))
    return true;
  std::fprintf(stderr,
               "%s:%u: error: kernel %s: argument %u points to host memory (%p), which a GPU cannot access; "
               "copy it with cudaMemcpy\n",
               file, line, kernel, position, pointer);
  return false;
}

}  // namespace emulated
