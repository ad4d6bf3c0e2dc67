// Host memory that kernels must not get: what the runtime can see of it without help from the hardware.
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
#include "platform/platform.h"

namespace emulated {

namespace {

// Is the address surely the host's? What is known, was device memory, may be a __device__ variable, or is not there at
// all is not.
bool is_the_hosts(const void* pointer, const Allocation& found) {
  return found.type == cudaMemoryTypeUnregistered && !allocations().ends_at(pointer) &&
         !device_arena().contains(pointer) &&
         !(image_at(pointer) != Image::none && is_in_variable(pointer)) && is_mapped(pointer);
}

}  // namespace

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
  std::string variable;
  if (variable_of_host_copy(pointer, &variable) != nullptr)
    std::fprintf(
        stderr,
        "%s:%u: error: kernel %s: argument %u is the host's own copy of %s; cudaGetSymbolAddress tells where "
        "the variable of the device is\n",
        file, line, kernel, position, variable.c_str());
  else
    std::fprintf(
        stderr,
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
    if (!is_the_hosts(pointer, found) || image_at(pointer) == Image::code)
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
