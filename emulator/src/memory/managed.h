// Managed memory that a kernel writes which the program has not waited for, and pinned memory that
// an asynchronous copy writes: the host must not touch it. Its pages are closed, as those of device
// memory are (arena.h), and an access is reported; then the program goes on.
#pragma once

#include <cstddef>
#include <vector>

#include "emulated/scheduler.h"
#include "list.h"

namespace emulated {

/// What a kernel gets by pointers through which it may write (note_written_argument). To be made
/// before it runs, while memory is open.
class ManagedWrites {
 public:
  ManagedWrites();
  /// The kernel has run: closes the pages from the first byte that has changed to the last
  /// one. Of large pieces only samples are compared. The rest is the host's, which may
  /// work on its own part meanwhile, and so are elements between that have not changed.
  void close(const Launch& launch);

 private:
  struct Piece {
    char* begin;
    Allocation allocation;
    std::size_t sample_bytes, step;  // of each sample, and from one to the next
    std::vector<char> before;        // what they held
  };
  std::vector<Piece> pieces_;
};

/// An asynchronous copy has written pinned memory: closes the pages that it has filled. `caller`:
/// where the program called it.
void close_copied(void* to, std::size_t bytes, const void* caller);

/// The program waits for the device.
void open_closed_memory();

/// The host touches this memory: if it is closed, says so, opens it and returns true. `at` is " at
/// FILE:LINE" or empty. Called by a signal handler.
bool tell_early_access(const void* begin, std::size_t bytes, const char* at);
/// Is it closed?
bool is_closed(const void* begin, std::size_t bytes);

}  // namespace emulated
