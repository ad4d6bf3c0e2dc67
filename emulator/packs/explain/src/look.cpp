#include "look.h"

#include <algorithm>
#include <cstring>

#include "detectors/bounds.h"
#include "detectors/followed.h"
#include "detectors/written.h"
#include "emulated/explain_hooks.h"
#include "explain.h"
#include "record/memory.h"
#include "record/objects.h"
#include "work.h"

namespace emulated::explain {

namespace {

// Do all of these notes have these bits?
bool all_have(Note bits, const Note* notes, std::size_t bytes) {
  const std::uint32_t four = 0x01010101u * bits;
  std::uint32_t states = 0;
  for (; bytes >= sizeof states; bytes -= sizeof states, notes += sizeof states) {
    std::memcpy(&states, notes, sizeof states);
    if ((states & four) != four) return false;
  }
  for (; bytes > 0; --bytes, ++notes)
    if ((*notes & bits) != bits) return false;
  return true;
}

// What is accessed at once is aligned as its size asks for; structures of 16 bytes may hold what
// needs but 8. (A vector of 16 bytes that is not aligned ends the kernel, also here.)
void check_alignment(const Access& access) {
  if (!access.any_address && (access.address & (std::min(access.bytes, 8u) - 1)) != 0)
    note_misaligned(access);
}

// An access that is not to written memory alone.
bool look_closely(Access& access) {
  std::size_t found[4] = {};
  Note first = 0;
  for (std::uint32_t i = 0; i < access.bytes; ++i) {
    const Note note = note_at(access.address + i);
    if (first == 0) first = note;
    ++found[static_cast<unsigned>(state_of(note))];
  }
  const auto count = [&](State state) { return found[static_cast<unsigned>(state)]; };
  if (count(State::none) > 0) {
    if (first != 0 || is_beyond(access.address)) note_beyond(access);
    return false;
  }
  access.space = space_of(first);
  check_alignment(access);
  const bool writes = (access.flags & is_write) != 0,
             reads = !writes || (access.flags & is_update) != 0;
  // A structure is read as a whole: between its members is padding, which is never written.
  // What is changed atomically is one number.
  const bool is_unwritten = (access.flags & is_atomic) != 0
                                ? count(State::unwritten) > 0
                                : count(State::unwritten) == access.bytes;
  if (reads && (is_unwritten || count(State::derived) > 0)) note_read(access);
  if (writes) {
    if (count(State::unwritten) > 0) note_first_write(access);
    set_notes(access.address, access.bytes, note_of(State::written, access.space, by_kernel));
  } else {
    for_each_part(access.address, access.bytes, [](Note* notes, std::uintptr_t, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        if (state_of(notes[i]) == State::written) notes[i] |= in_use;
    });
  }
  return true;
}

}  // namespace

bool look_at(Access& access) {
  Note* const notes = notes_at(access.address);
  if (notes == nullptr || *notes == 0) {
    if (may_follow) note_following(access);
    if (is_beyond(access.address)) note_beyond(access);
    return false;
  }
  if (access.address % chunk_bytes + access.bytes > chunk_bytes) return look_closely(access);
  if (!all_have(in_use, notes, access.bytes)) {
    constexpr Note written = note_of(State::written, Space::other);
    if (!all_have(written, notes, access.bytes)) return look_closely(access);
    const bool reads = (access.flags & (is_write | is_update)) != is_write;
    if (access.bytes == sizeof(void*) && reads) {
      note_table(access);
      note_pointer(access);
    }
    for (std::uint32_t i = 0; i < access.bytes; ++i) notes[i] |= in_use;
  }
  access.space = space_of(*notes);
  check_alignment(access);
  return true;
}

// Most have been read before.
void texel_read(const void* texel, std::size_t bytes) {
  if (block == nullptr || !inside_kernel || busy) return;
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(texel);
  if (block->noted) {
    const Unseen unseen;
    const Lock lock;
    note_kernel_use({.address = begin, .bytes = static_cast<std::uint32_t>(bytes)});
  }
  bool known = true;
  for (std::size_t i = 0; i < bytes; ++i)
    known &=
        (note_at(begin + i) & in_use) == in_use && state_of(note_at(begin + i)) == State::written;
  if (known) return;
  const Unseen unseen;
  const Lock lock;
  for (const void* caller : callers()) {
    if (caller == nullptr || !place_of(caller).known) continue;
    Access access{caller, begin, static_cast<std::uint32_t>(bytes), 0, Space::global, true};
    look_closely(access);
    return;
  }
}

}  // namespace emulated::explain
