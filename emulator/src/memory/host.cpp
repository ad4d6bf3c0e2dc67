// Host memory that kernels must not get: what the runtime can see of it without help from the hardware.
#include "host.h"

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "arena.h"
#include "device/device.h"
#include "diagnosis/diagnosis.h"
#include "emulated/arguments.h"
#include "launch/declarations.h"
#include "list.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emulated {

namespace {

// May the segment of the program or of a library that holds the address be read, written, executed (PF_R, PF_W, PF_X)?
// 0: none holds it.
unsigned segment_flags(const void* address) {
  struct Search {
    std::uintptr_t at;
    unsigned flags;
  } search{reinterpret_cast<std::uintptr_t>(address), 0};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        Search& found = *static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum && found.flags == 0; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && found.at >= begin && found.at - begin < segment.p_memsz)
            found.flags = segment.p_flags;
        }
        return found.flags == 0 ? 0 : 1;
      },
      &search);
  return search.flags;
}

// The addresses at which AddressSanitizer keeps its notes are mapped, all of them, but nobody has pointers to them.
bool is_sanitizers([[maybe_unused]] const void* address) {
#if defined(__SANITIZE_ADDRESS__)
#if defined(__x86_64__)
  constexpr std::uintptr_t last_address = (std::uintptr_t{1} << 47) - 1;
#else
  constexpr std::uintptr_t last_address = (std::uintptr_t{1} << 48) - 1;
#endif
  std::size_t scale = 0, offset = 0;
  __asan_get_shadow_mapping(&scale, &offset);
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  return number >= offset && number <= offset + (last_address >> scale);
#else
  return false;
#endif
}

// Is the address surely the host's? What is known, was device memory, may be a __device__ variable, or is not there at
// all is not.
bool is_the_hosts(const void* pointer, const Allocation& found) {
  return found.type == cudaMemoryTypeUnregistered && !allocations().ends_at(pointer) &&
         !device_arena().contains(pointer) && !(is_static(pointer) && is_in_variable(pointer)) &&
         is_mapped(pointer);
}

}  // namespace

bool is_static(const void* address) { return segment_flags(address) != 0; }

bool is_mapped(const void* address) {
  if (is_sanitizers(address)) return false;
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
  if (found.type == cudaMemoryTypeDevice && found.device != current_device()) {
    if (has_access(current_device(), found.device)) return true;
    std::fprintf(
        stderr,
        "%s:%u: error: kernel %s: argument %u points to memory of device %d, to which device %d has no "
        "access; call cudaDeviceEnablePeerAccess\n",
        file, line, kernel, position, found.device, current_device());
    return false;
  }
  if (!is_the_hosts(pointer, found)) return true;
  std::fprintf(stderr,
               "%s:%u: error: kernel %s: argument %u points to host memory (%p), which a GPU cannot access; "
               "copy it with cudaMemcpy\n",
               file, line, kernel, position, pointer);
  return false;
}

void note_host_pointers(const void* object, std::size_t bytes, unsigned position, const char* kernel,
                        const char* file, unsigned line) {
  const auto* begin = static_cast<const char*>(object);
  for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const void* pointer = nullptr;
    std::memcpy(&pointer, begin + at, sizeof pointer);
    constexpr std::uintptr_t least = 1 << 16, beyond = std::uintptr_t{1} << 56;  // numbers and bits of floats
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    if (address < least || address >= beyond) continue;
    Allocation found;
    allocations().place(pointer, 1, found);
    if (!is_the_hosts(pointer, found) || (segment_flags(pointer) & PF_X) != 0)
      continue;  // functions are for both
    char sentence[300];
    std::snprintf(sentence, sizeof sentence,
                  "kernel %.100s: argument %u holds a pointer to host memory (%p, at byte %zu), which a GPU "
                  "cannot follow",
                  kernel, position, pointer, at);
    warn_once(std::string(file) + ":" + std::to_string(line), sentence);
    return;
  }
}

}  // namespace emulated
