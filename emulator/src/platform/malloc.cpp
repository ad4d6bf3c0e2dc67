#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "platform.h"

namespace emulated {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)

namespace {

// In front of each allocation stand two numbers: the first is of the chunk before, the second is
// the size of its own chunk, in bytes, with three flags (glibc, malloc/malloc.c, malloc_chunk).
constexpr std::uintptr_t head_bytes = 2 * sizeof(std::size_t);
constexpr std::size_t is_mapped_alone = 2;
constexpr std::size_t is_of_another_thread = 4;
constexpr std::size_t flags = 7;

std::size_t number_at(std::uintptr_t address) {
  std::size_t number = 0;
  std::memcpy(&number, reinterpret_cast<const void*>(address), sizeof number);  // NOLINT
  return number;
}
std::size_t second_number(std::uintptr_t chunk) { return number_at(chunk + sizeof(std::size_t)); }

// Where the heap begins; 0: not known.
std::uintptr_t heap_begin() {
  char text[1024] = {};
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  const char* place = length > 0 ? std::strrchr(text, ')') : nullptr;  // the second field's end
  constexpr int start_brk = 47;
  for (int field = 2; field < start_brk && place != nullptr; ++field)
    place = std::strchr(place + 1, ' ');
  unsigned long begin = 0;
  return place != nullptr && std::sscanf(place, "%lu", &begin) == 1 ? begin : 0;
}

// Does a chunk of the heap begin there? All chunks lie one behind the other.
bool is_chunk_of_heap(std::uintptr_t chunk) {
  const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
  std::uintptr_t at = heap_begin();
  at += -at % head_bytes;
  if (at == 0 || chunk < at || chunk >= end) return false;
  while (at < chunk) {
    const std::size_t bytes = second_number(at) & ~flags;
    if (bytes < 2 * head_bytes || bytes > end - at) return false;
    at += bytes;
  }
  return at == chunk;
}

}  // namespace

bool exceeds_allocation(const void* begin, std::size_t bytes, std::size_t& allocated) {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  if (address % page_bytes() < head_bytes || address % head_bytes != 0) return false;
  const std::uintptr_t chunk = address - head_bytes;
  const std::size_t head = second_number(chunk);
  const std::size_t size = head & ~flags;
  if ((head & flags) == is_mapped_alone) {
    allocated = size - head_bytes;
    return chunk % page_bytes() == 0 && size % page_bytes() == 0 && size > 0 &&
           number_at(chunk) == 0 && bytes > allocated;
  }
  // The last number belongs to the chunk behind where that one is free.
  allocated = size - sizeof(std::size_t);
  return (head & (is_mapped_alone | is_of_another_thread)) == 0 && size >= 2 * head_bytes &&
         bytes > allocated && is_chunk_of_heap(chunk);
}

#else

bool exceeds_allocation(const void*, std::size_t, std::size_t&) { return false; }

#endif

}  // namespace emulated
