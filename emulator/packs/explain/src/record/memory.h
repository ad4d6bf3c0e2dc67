// What memory is: of each byte the space that it belongs to, and whether it was written.
//
// The notes are a byte for each byte, in chunks that a table finds by the address. Memory
// without a note belongs to no space (or to the host, to a thread's own stack), so one look
// is enough for an access that is in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "record/access.h"

namespace emulated::explain {

/// derived: a value that would be another one if memory that nobody wrote
/// held other bytes (again.cpp).
enum class State : std::uint8_t { none, unwritten, derived, written };
/// Bits 0 and 1: State; 2 and 3: Space; 4 to 7: where a derived value comes from; of a written byte
/// bit 4: a kernel has read or written it since a copy or a fill did.
using Note = std::uint8_t;
constexpr unsigned by_kernel = 1;
constexpr Note note_of(State state, Space space, unsigned source = 0) {
  return static_cast<Note>(source << 4 | static_cast<unsigned>(space) << 2 |
                           static_cast<unsigned>(state));
}
constexpr State state_of(Note note) { return static_cast<State>(note & 3); }
constexpr Space space_of(Note note) { return static_cast<Space>(note >> 2 & 3); }
constexpr unsigned source_of(Note note) { return note >> 4; }
constexpr Note in_use = note_of(State::written, Space::other, by_kernel);

#if defined(__x86_64__)
constexpr unsigned address_bits = 47;
#else
constexpr unsigned address_bits = 48;
#endif
constexpr unsigned chunk_bits = 24;
constexpr std::uintptr_t chunk_bytes = std::uintptr_t{1} << chunk_bits;
extern Note* chunks[std::size_t{1} << (address_bits - chunk_bits)];

/// The note of a byte, which those of the bytes behind it in its chunk
/// follow; nullptr: there is none.
inline Note* notes_at(std::uintptr_t address) {
  if (address >> address_bits != 0) return nullptr;
  Note* const chunk = chunks[address >> chunk_bits];
  return chunk == nullptr ? nullptr : chunk + address % chunk_bytes;
}
inline Note note_at(std::uintptr_t address) {
  const Note* const note = notes_at(address);
  return note == nullptr ? Note{0} : *note;
}
/// Is this an access of which nothing is to be said: of one, two, four or eight
/// bytes, aligned, all of them written, and in use by kernels?
inline bool is_in_order(std::uintptr_t address, std::uint32_t bytes) {
  const Note* const notes = notes_at(address);
  if (notes == nullptr || (address & (bytes - 1)) != 0) return false;
  constexpr std::uint64_t all_in_use = 0x0101010101010101 * in_use;
  std::uint64_t states = all_in_use;
  switch (bytes) {
    case 1:
      __builtin_memcpy(&states, notes, 1);
      break;
    case 2:
      __builtin_memcpy(&states, notes, 2);
      break;
    case 4:
      __builtin_memcpy(&states, notes, 4);
      break;
    case 8:
      __builtin_memcpy(&states, notes, 8);
      break;
    default:
      return false;
  }
  return (states & all_in_use) == all_in_use;
}
/// Calls it with each part of the range that lies in one chunk: its notes, its address and its
/// size. Chunks that are not there are left out.
template <class Function>
void for_each_part(std::uintptr_t begin, std::size_t bytes, Function function) {
  for (const std::uintptr_t end = begin + bytes; begin < end;) {
    const std::uintptr_t next = (begin / chunk_bytes + 1) * chunk_bytes < end
                                    ? (begin / chunk_bytes + 1) * chunk_bytes
                                    : end;
    if (Note* const notes = notes_at(begin))
      function(notes, begin, static_cast<std::size_t>(next - begin));
    begin = next;
  }
}
void set_notes(std::uintptr_t begin, std::size_t bytes, Note note);

/// The variables of the device begin to exist, with the first launch or the first copy
/// to one of them, which has filled so many bytes from `filled` on. All are written
/// but constant memory, which is 0.
void note_variables(std::uintptr_t filled = 0, std::size_t bytes = 0);
/// The present block's shared memory begins to exist, or exists no longer.
void begin_shared();
void end_shared();

/// Is it where dynamic shared memory lies, however much of it the launch asked for?
bool is_dynamic_shared(std::uintptr_t address);
/// For memory without a note: may a kernel have meant the device's? (Mostly it is the thread's own
/// stack.)
bool is_beyond(std::uintptr_t address);

}  // namespace emulated::explain
