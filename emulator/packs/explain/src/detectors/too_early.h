// Work that uses what other work writes, and nothing orders the two; the host among them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulated/scheduler.h"
#include "record/access.h"

namespace emulated::explain {

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

}  // namespace emulated::explain
