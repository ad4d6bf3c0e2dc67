// Reads of memory that nobody wrote.
#pragma once

#include <cstddef>

#include "record/access.h"

namespace emulated::explain {

/// A thread reads bytes that nobody wrote, or such as derive from them.
void note_read(const Access& access);
/// A thread writes bytes that nobody has written: who read them before raced with it.
void note_first_write(const Access& access);
/// The present block has come to a barrier, or ended; the launch has ended.
void finish_readings_of_block();
void finish_readings_of_launch();

/// The host has filled memory; it has copied it, between the device and itself or on the device.
void note_filled(const void* to, std::size_t bytes);
void note_copied(const void* to, const void* from, std::size_t bytes);

}  // namespace emulated::explain
