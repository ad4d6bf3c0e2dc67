// What the device calls of the pack `explain`, for programs that do not link the pack. This file is
// compiled alone: the linker takes all of it or none.
#include "emulated/errors.h"
#include "emulated/explain_hooks.h"

namespace emulated::explain {

const bool on = false;

bool is_linked() { return false; }

void begin_arguments() {}
void argument(const void*, std::size_t) {}
bool begin_grid(const Launch&) { return false; }
void end_grid() {}
void begin_block(std::uint64_t, unsigned) {}
void end_block() {}
void begin_thread(unsigned) {}
void run_thread(unsigned) {}
void end_thread(unsigned) {}
void comes_to(const Call&, std::source_location) {}
Fiber* next_in_turn(bool) { return nullptr; }
void block_barrier() {}
void grid_barrier(bool) {}
void brings(char, char, std::size_t) {}
void texture_access(const char*, const double*, std::size_t, char, std::size_t, std::size_t,
                    const void*) {}
void warp_operation(unsigned, const Warp&, unsigned, const Call&) {}
void fence(bool) {}
void waits() {}
void in_block_scope(unsigned) {}
void ask_for_state() {}
void ends_by_signal(int) {}
void says(const char*, const char*) {}
void wrong_element(const void*, std::size_t) {}
Counted counted(const char*) { return {}; }
void names_allocation(const char*) {}
void memory_begins(const void*, std::size_t, const Allocator&) {}
void memory_ends(const void*) {}
void memory_used_as(const void*, std::size_t) {}
void memory_set(const void*, std::size_t) {}
void memory_given_back(const void*) {}
std::string freed_text(const void*) { return ""; }
void fetches_far_away() {}
void fetches_unrepeated(const void*, bool) {}
void fetches_beyond(int, int) {}
void shuffles_too_far(const char*, unsigned, unsigned, std::source_location) {}
void call_fails(const char*) {}
void argument_points_to_host(const void*) {}
void memory_copied(const void*, const void*, std::size_t) {}
HostRoom host_room(const void*) { return {}; }
void stream_made() {}
void work_begins(cudaStream_t) {}
void work_ended() {}
void host_waits_for(cudaStream_t) {}
void host_waits_for(cudaEvent_t) {}
void host_waits_for_all() {}
void event_recorded(cudaEvent_t, cudaStream_t) {}
void stream_waits_for(cudaStream_t, cudaEvent_t) {}
const void* first_being_written(const void*, const void*) { return nullptr; }
void time_asked(cudaEvent_t, cudaEvent_t) {}
void texel_read(const void*, std::size_t) {}

}  // namespace emulated::explain
