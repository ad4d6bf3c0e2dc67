// What memory is: of each byte the space that it belongs to, and whether it was written.
// Allocations and variables by name.
//
// The notes are a byte for each byte, in chunks that a table finds by the address. Memory
// without a note belongs to no space (or to the host, to a thread's own stack), so one look
// tells an access that is in order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "explain.h"

namespace emulated::explain {

// ---- notes ----
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

// ---- objects ----
/// Return addresses, of which the first in the program's own source counts.
using Callers = std::array<const void*, 12>;
Callers callers();
/// The line of the program that called; nullptr: none is known.
const Place* caller_line(const Callers& callers);

/// A variable or an allocation.
struct Object {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  std::string name;         // of a variable
  std::size_t element = 0;  // bytes of an element of the variable's array; 0: not known
  std::array<std::size_t, 3> extents{};  // of the array
  const char* what = nullptr;            // of an allocation: the function that made it
  const char* given_name = nullptr;      // of an allocation: the name in that call
  Callers callers{};                     // of that function
  bool freed = false;
};
/// The object in which the address lies, or to which it is nearest; bytes 0: there is none.
Object object_at(std::uintptr_t address);
/// The bytes of an element for which kernels take an allocation; 0: not known, or several.
std::size_t element_of(const Object& allocation);
/// Of the allocations that the launch which begins now gets as arguments: what is said of it.
void note_user_of_arguments(const std::string& text);
/// What was said of the latest launch that got the allocation; empty: none did.
std::string user_of(const Object& allocation);
/// A variable in shared memory.
Object object_of(const SharedNote& note);
/// The name that the program gives an allocation in the call that makes it, or empty.
std::string name_of_allocation(const Object& object);
/// The bytes of an element of which so many are accessed; they are all where nothing is known.
std::size_t element_size(const Object& object, std::size_t bytes);
/// "tile[1][0]", "a[100]", "bytes 4 to 7 of a[2]": what is accessed at this offset.
std::string element_text(const Object& object, std::ptrdiff_t offset, std::size_t bytes);
/// "the 400 bytes of a (cudaMalloc in line 12)"; the name of a variable. `place`:
/// of whose file no name is needed.
std::string object_text(const Object& object, const Place& place);
bool is_pitched(const Object& object);  ///< Is it from cudaMallocPitch?
/// "kernel sum: thread 3 of block 0"
std::string who(const KernelTotals* kernel, unsigned thread, std::uint64_t block);
/// " in line 12", and of which file where it is another one than `from` is in.
std::string line_text(const Callers& callers, const Place& from);
/// "x.cu:12: "
std::string place_text(const Place& place);
/// Is this unwritten byte padding, as of a structure that a kernel copies word by word? (It takes
/// for words what another kernel takes for structures, of which other bytes were written.)
bool is_padding(std::uintptr_t address);
constexpr const char* dynamic_shared_name = "dynamic shared memory";
/// Each allocation that is alive, and each variable that kernels may write.
struct Piece {
  std::uintptr_t begin;
  std::size_t bytes;
  bool on_host;  // the host reads it without a copy
};
std::vector<Piece> all_pieces();
/// Has there been memory that the host sees without a copy: managed, pinned, mapped for graphics?
bool host_sees_memory();

/// Is it the device's memory, which the host cannot read?
bool is_on_device(const void* pointer);
/// The variables of the device begin to exist, with the first launch or the first copy
/// to one of them, which has filled so many bytes from `filled` on. All are written
/// but constant memory, which is 0.
void note_variables(std::uintptr_t filled = 0, std::size_t bytes = 0);
/// The present block's shared memory begins to exist, or exists no longer.
void begin_shared();
void end_shared();

/// Of memory without a note: may a kernel have meant the device's? (Mostly it is the thread's own
/// stack.)
bool is_beyond(std::uintptr_t address);

/// What the compiler's hooks call first. Sets the access's space; tells of what lies
/// beyond, and of reads of unwritten memory. False: it is not the device's memory,
/// or nothing that may be accessed.
bool look_at(Access& access);

// ---- bounds.cpp ----
void note_beyond(const Access& access);
void note_misaligned(const Access& access);
/// The present thread has stored this word where others find it: an address in its own stack?
void note_stored(std::uintptr_t value, std::uintptr_t where, const void* place);
/// Reads a word that the host has written: does it lead to the virtual functions of an object?
void note_table(const Access& access);

// ---- followed.cpp ----
/// A launch of this host thread begins.
void begin_following();
/// Reads a word that the host has written: is it a pointer to host memory?
void note_pointer(const Access& access);
/// Has there been one? Then an access to memory without a note may follow it.
extern bool may_follow;
void note_following(const Access& access);

// ---- too_early.cpp ----
/// The launch's kernel begins, in its stream; a thread in one of its blocks accesses memory; it has
/// ended, and may have told the host something while it ran.
void begin_kernel_uses(const Launch& launch);
void note_kernel_use(const Access& access);
void end_kernel_uses(bool host_is_told);
/// A copy, or where `from` is nullptr a fill.
void copy_uses(const void* to, const void* from, std::size_t bytes);
/// The host accesses memory, and there is pinned memory that work not waited for has used.
extern bool host_may_come_too_early;
void note_host_use(const void* address, std::size_t bytes, unsigned flags, const void* place);
/// Other memory lies there from now on, or none.
void forget_uses(std::uintptr_t begin, std::size_t bytes);

// ---- written.cpp ----
/// A thread reads bytes that nobody wrote, or such as derive from them.
void note_read(const Access& access);
/// A thread writes bytes that nobody has written: who read them before raced with it.
void note_first_write(const Access& access);
/// The present block has come to a barrier, or ended; the launch has ended.
void finish_readings_of_block();
void finish_readings_of_launch();

}  // namespace emulated::explain
