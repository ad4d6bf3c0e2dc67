// Which handles (streams, events, graphs, ...) exist.
#pragma once

#include <mutex>
#include <set>

#include "emulated/errors.h"

namespace emulated {

// Never destroyed: static objects of programs may use streams before main() and after it.
template <class Handle>
std::set<Handle>& living() {
  static auto& set = *new std::set<Handle>;
  return set;
}
inline std::mutex handles_mutex;  // guards the sets

template <class Handle>
bool exists(Handle handle) {
  const std::lock_guard lock(handles_mutex);
  return living<Handle>().contains(handle);
}

template <class Handle>
void add(Handle handle) {
  const std::lock_guard lock(handles_mutex);
  living<Handle>().insert(handle);
}

// Returns whether it was there.
template <class Handle>
bool forget(Handle handle) {
  const std::lock_guard lock(handles_mutex);
  return living<Handle>().erase(handle) != 0;
}

// Forgets and deletes.
template <class Handle>
cudaError_t destroy(Handle handle) {
  if (!forget(handle)) return fail(cudaErrorInvalidResourceHandle);
  delete handle;
  return cudaSuccess;
}

}  // namespace emulated
