#include "record/memory.h"

#include <sys/mman.h>

#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "explain.h"
#include "launch/declarations.h"
#include "memory/arena.h"
#include "platform/platform.h"
#include "warps/block.h"

namespace emulated::explain {

Note* chunks[std::size_t{1} << (address_bits - chunk_bits)];

namespace {

std::uintptr_t address_of(const volatile void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// The variable of another kernel, or of another instance of a template, in
// this OS thread's shared memory.
bool in_other_shared(std::uintptr_t address) {
  for (const SharedNote& note : kernel_facts(nullptr).shared)
    if (address - address_of(note.address()) < note.bytes) return true;
  return false;
}

}  // namespace

void set_notes(std::uintptr_t begin, std::size_t bytes, Note note) {
  const std::uintptr_t end = begin + bytes;
  if (end >> address_bits != 0) return;
  for (std::uintptr_t at = begin >> chunk_bits; at <= (end - 1) >> chunk_bits; ++at) {
    if (chunks[at] != nullptr || note == 0) continue;
    void* const fresh = mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED)
      give_up_without_report("the notes of the pack explain do not fit into memory");
    // If two OS threads come at the same time, the first one's counts.
    Note* none = nullptr;
    if (!__atomic_compare_exchange_n(&chunks[at], &none, static_cast<Note*>(fresh), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      munmap(fresh, chunk_bytes);
  }
  for_each_part(begin, bytes, [note](Note* notes, std::uintptr_t, std::size_t size) {
    // Pages of nothing but 0 are given back.
    const std::size_t page = page_bytes();
    const std::size_t head = -address_of(notes) % page;
    if (note != 0 || size < head + page) {
      std::memset(notes, note, size);
      return;
    }
    const std::size_t pages = (size - head) / page * page;
    std::memset(notes, 0, head);
    madvise(notes + head, pages, MADV_DONTNEED);
    std::memset(notes + head + pages, 0, size - head - pages);
  });
}

bool is_dynamic_shared(std::uintptr_t address) {
  return address - address_of(dynamic_shared_bytes) < sizeof dynamic_shared_bytes;
}

bool is_beyond(std::uintptr_t address) {
  if (is_dynamic_shared(address)) return true;
  const auto* const pointer =
      reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  // A thread may run on its OS thread's own stack, which lies next to the shared memory.
  const bool in_shared = in_shared_memory(pointer);
  const auto frame = address_of(__builtin_frame_address(0));
  if (!in_shared && address - frame + (1u << 20) < (2u << 20)) return false;
  // The runtime's own variables and the launch's arguments come again and again.
  static thread_local std::uintptr_t recent[256];
  std::uintptr_t& known = recent[address / 4 % 256];
  if (known == address) return false;
  if (device_arena().contains(pointer) || host_arena().contains(pointer) ||
      (in_shared && in_other_shared(address)) || is_in_gap(pointer))
    return true;
  known = address;
  return false;
}

void note_variables(std::uintptr_t filled, std::size_t bytes) {
  static bool noted = false;
  if (std::exchange(noted, true)) return;
  for_each_variable([&](const DeviceVariable& variable) {
    // Constant memory without values of its own, but for what a copy has just filled,
    // waits for the program's copies.
    bool has_values = !variable.constant || variable.common;
    for (std::size_t i = 0; i < variable.bytes && !has_values; ++i)
      has_values = variable.begin[i] != 0 && address_of(variable.begin) + i - filled >= bytes;
    // What a first value points to, a text, is the device's own.
    set_notes(address_of(variable.begin), variable.bytes,
              note_of(has_values ? State::written : State::unwritten,
                      variable.constant ? Space::constant : Space::global,
                      has_values && !variable.managed ? by_kernel : 0));
  });
}

// A kernel that ended with a fault has left its notes.
static thread_local std::vector<std::span<char>> noted_shared;

void begin_shared() {
  end_shared();
  noted_shared = worker->shared;
  for (const std::span<char> bytes : noted_shared)
    set_notes(address_of(bytes.data()), bytes.size(), note_of(State::unwritten, Space::shared));
}

void end_shared() {
  for (const std::span<char> bytes : noted_shared)
    set_notes(address_of(bytes.data()), bytes.size(), 0);
  noted_shared.clear();
}

}  // namespace emulated::explain
