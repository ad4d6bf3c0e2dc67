// Pointers to host memory that a kernel follows.
#pragma once

#include "record/access.h"

namespace emulated::explain {

/// A launch of this host thread begins.
void begin_following();
/// An argument of it, a structure, holds this pointer to host memory.
void note_argument_to_host(const void* pointer);
/// A thread reads a word that the host has written: is it a pointer to host memory?
void note_pointer(const Access& access);
/// Has there been one? Then an access to memory without a note may follow it.
extern bool may_follow;
void note_following(const Access& access);

}  // namespace emulated::explain
