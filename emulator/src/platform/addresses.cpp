#include <cxxabi.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

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

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  return bytes;
}

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
  const std::uintptr_t begin =
      reinterpret_cast<std::uintptr_t>(address) / page_bytes() * page_bytes();
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

// The linker's symbols: where the program's own image lies.
extern "C" const char __executable_start[], _end[];

// The table's address points to its first function; in front of that stands the type_info of the
// class (Itanium C++ ABI, 2.5.2), which begins with the table of one of three classes of the
// library.
std::string class_of_table(const void* table) {
  const auto at = reinterpret_cast<std::uintptr_t>(table);
  if (at < reinterpret_cast<std::uintptr_t>(__executable_start) + 2 * sizeof table ||
      at >= reinterpret_cast<std::uintptr_t>(_end) || at % alignof(void*) != 0)
    return "";
  const auto word = [](const void* place, int index) {
    const void* value = nullptr;
    std::memcpy(&value, static_cast<const char*>(place) + index * static_cast<int>(sizeof value),
                sizeof value);
    return value;
  };
  if (image_at(table) != Image::data || image_at(word(table, 0)) != Image::code) return "";
  const void* const type = word(table, -1);
  if (image_at(type) != Image::data) return "";
  struct One {};
  struct Other {};
  struct Derived : One {};
  struct Both : One, Other {};
  const void* const kind = word(type, 0);
  if (kind != word(&typeid(One), 0) && kind != word(&typeid(Derived), 0) &&
      kind != word(&typeid(Both), 0))
    return "";
  const char* const name = static_cast<const std::type_info*>(type)->name();
  int status = 0;
  char* const readable = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string found = status == 0 ? readable : name;
  std::free(readable);
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t begin = found.find(unnamed); begin != found.npos; begin = found.find(unnamed))
    found.erase(begin, unnamed.size());
  return found;
}

std::string ProgramVariable::name() const {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string found = status == 0 ? text : symbol;
  std::free(text);
  return found.substr(found.rfind(':') + 1);
}

// The variables in the table of symbols of the program's file, by address; none without a table.
static std::vector<ProgramVariable> read_variables() {
  std::vector<ProgramVariable> all;
  const int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) return all;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory == MAP_FAILED) return all;
  const char* const begin = static_cast<const char*>(memory);
  const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(begin);
  const auto* const sections = reinterpret_cast<const ElfW(Shdr)*>(begin + header.e_shoff);
  const std::uintptr_t base =
      header.e_type == ET_DYN ? reinterpret_cast<std::uintptr_t>(__executable_start) : 0;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const auto* const symbols = reinterpret_cast<const ElfW(Sym)*>(begin + sections[i].sh_offset);
    const char* const names = begin + sections[sections[i].sh_link].sh_offset;
    for (std::size_t j = 0; j < sections[i].sh_size / sizeof *symbols; ++j)
      if ((symbols[j].st_info & 15) == STT_OBJECT && symbols[j].st_size > 0 &&
          symbols[j].st_shndx != SHN_UNDEF)
        all.push_back({base + symbols[j].st_value, symbols[j].st_size, names + symbols[j].st_name});
  }
  munmap(memory, bytes);
  std::sort(all.begin(), all.end(), [](const ProgramVariable& a, const ProgramVariable& b) {
    return std::pair(a.begin, a.bytes) < std::pair(b.begin, b.bytes);
  });
  return all;
}

const ProgramVariable* program_variable(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (at < reinterpret_cast<std::uintptr_t>(__executable_start) ||
      at >= reinterpret_cast<std::uintptr_t>(_end))
    return nullptr;
  static const auto& all = *new std::vector<ProgramVariable>(read_variables());
  const auto after = std::upper_bound(
      all.begin(), all.end(), at,
      [](std::uintptr_t place, const ProgramVariable& one) { return place < one.begin; });
  if (after == all.begin()) return nullptr;
  const ProgramVariable& found = *std::prev(after);
  return at - found.begin < found.bytes ? &found : nullptr;
}

}  // namespace emulated
