// What each piece of work - a kernel, a copy, a fill - goes through: its stream, the memory that it
// uses, and the detectors that hear of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulated/scheduler.h"
#include "record/access.h"

namespace emulated::explain {

/// The stream of the piece of work that this host thread gives now, or of `stream`.
unsigned present_stream_or(cudaStream_t stream);

/// This host thread gives a piece of work to the stream; it has been done. A graph's nodes are
/// pieces within another one.
void begin_work(cudaStream_t stream);
void end_work();
/// The launch's kernel begins, in its stream; a thread in one of its blocks accesses memory; it has
/// ended, and may have told the host something while it ran, or printed.
void begin_kernel_uses(const Launch& launch);
void note_kernel_use(const Access& access);
void end_kernel_uses(bool host_is_told, bool printed);
/// A copy, or where `from` is nullptr a fill.
void copy_uses(const void* to, const void* from, std::size_t bytes);
/// cudaFreeAsync gives the allocation back.
void free_uses(const void* begin);
/// Other memory lies there from now on, or none.
void forget_uses(std::uintptr_t begin, std::size_t bytes);

}  // namespace emulated::explain
