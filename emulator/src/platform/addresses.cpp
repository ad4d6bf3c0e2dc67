#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "platform.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emulated {

namespace {

constexpr int no_memory = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// The addresses at which AddressSanitizer keeps its notes are mapped, all of them, but no program
// has pointers to them.
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

}  // namespace

void* reserve_addresses(std::size_t bytes) {
  void* range = mmap(nullptr, bytes, PROT_NONE, no_memory, -1, 0);
  return range == MAP_FAILED ? nullptr : range;
}

bool set_access(void* begin, std::size_t bytes, bool accessible) {
  return mprotect(begin, bytes, accessible ? PROT_READ | PROT_WRITE : PROT_NONE) == 0;
}

// A fresh mapping over the old one.
bool drop_memory(void* begin, std::size_t bytes) {
  return mmap(begin, bytes, PROT_NONE, no_memory | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void prefer_large_pages(void* begin, std::size_t bytes) { madvise(begin, bytes, MADV_HUGEPAGE); }

bool is_mapped(const void* address) {
  if (is_sanitizers(address)) return false;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGE_SIZE));
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(address) / page * page;
  unsigned char resident = 0;
  void* const pointer = reinterpret_cast<void*>(begin);  // NOLINT(performance-no-int-to-ptr)
  return mincore(pointer, 1, &resident) == 0;
}

Image image_at(const void* address) {
  struct Search {
    std::uintptr_t at;
    Image found;
  } search{reinterpret_cast<std::uintptr_t>(address), Image::none};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        Search& s = *static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum && s.found == Image::none; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && s.at >= begin && s.at - begin < segment.p_memsz)
            s.found = (segment.p_flags & PF_X) != 0 ? Image::code : Image::data;
        }
        return s.found == Image::none ? 0 : 1;
      },
      &search);
  return search.found;
}

}  // namespace emulated
