// Managed memory that a kernel writes which the program has not waited for, and pinned memory that
// an asynchronous copy writes: the host must not touch it. Its pages are closed, as those of device
// memory are (arena.h), and an access is reported; then the program goes on.
#pragma once

#include <cstddef>
#include <vector>

#include "emulated/scheduler.h"
#include "list.h"

namespace emulated {

/// The managed memory that a kernel gets by pointers through which it may write
/// (note_written_argument). To be made before it runs, while memory is open.
class ManagedWrites {
 public:
  ManagedWrites();
  /// The kernel has run: closes what it has changed, until the program waits.
  void close(const Launch& launch);

 private:
  struct Piece {
    char* begin;
    Allocation allocation;
    std::vector<char> before;  // what it held; empty: the pack explain knows the writers
  };
  std::vector<Piece> pieces_;
};

/// An asynchronous copy has written pinned memory: closes the pages that it has filled. `caller`:
/// where the program called it.
void close_copied(void* to, std::size_t bytes, const void* caller);

/// The program waits for the device.
void open_closed_memory();

/// The host touches this memory. If it is closed, opens it and returns true, and reports the
/// mistake where work that is not waited for has written one of these elements: the host may work
/// on others meanwhile. `instruction` does it, or calls a library for it. For a signal handler.
bool tell_early_access(const void* begin, std::size_t bytes, const void* instruction);
/// Is it closed?
bool is_closed(const void* begin, std::size_t bytes);

}  // namespace emulated
