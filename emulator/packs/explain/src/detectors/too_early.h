// Work that uses what other work writes, and nothing orders the two; the host among them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "order/work_order.h"
#include "record/uses.h"

namespace emulated::explain {

/// The work uses bytes in conflict with an earlier use, which nothing orders before it.
void note_conflict(const UseBefore& before, const WorkPointer& work, unsigned use,
                   std::uintptr_t begin, std::uintptr_t end);
/// The host accesses memory, and there is pinned memory that work not waited for has used.
extern bool host_may_come_too_early;
void note_host_use(const void* address, std::size_t bytes, unsigned flags, const void* place);
/// An event is recorded in the stream; a stream waits for an event that is not recorded; the
/// program asks for the time between two events.
void note_record(cudaEvent_t event, unsigned stream);
void note_wait_in_vain(unsigned stream, cudaEvent_t event);
void note_time_asked(cudaEvent_t start, cudaEvent_t stop);

}  // namespace emulated::explain
