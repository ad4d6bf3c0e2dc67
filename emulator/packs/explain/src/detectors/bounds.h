// Accesses beyond what was allocated or declared, and misaligned ones.
#pragma once

#include <cstdint>

#include "record/access.h"

namespace emulated::explain {

void note_beyond(const Access& access);
void note_misaligned(const Access& access);
/// The present thread has stored this word where others find it: an address in its own stack?
void note_stored(std::uintptr_t value, std::uintptr_t where, const void* place);
/// Reads a word that the host has written: does it lead to the virtual functions of an object?
void note_table(const Access& access);

}  // namespace emulated::explain
