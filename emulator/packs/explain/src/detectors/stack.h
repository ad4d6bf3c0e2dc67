// Recursion that needs more stack than a GPU gives each thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulated/scheduler.h"

namespace emulated::explain {

/// A launch of this host thread begins.
void begin_stacks();
/// The present thread enters a function, which the call before `call` calls; `function`: a place
/// that only this function has; `stack`: where the frames of what it calls begin. It returns.
void enter_function(const void* function, const void* call, const void* stack);
void leave_function();
/// Does a thread of the present block call a function that it is in?
extern thread_local constinit bool recurses;
/// Then: it accesses memory.
void note_between_calls(std::uintptr_t address, std::size_t bytes, bool writes);

}  // namespace emulated::explain
