// Calls of the device to the pack `explain`. A program that is compiled with EMULATED_EXPLAIN links
// the pack; in any other they are empty. The device itself is compiled once for both
// (EMULATED_OWN_SOURCE), and the linker decides. Accesses to memory are reported by the compiler
// itself (../../packs/explain/src/hooks.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "../driver_types.h"

namespace emulated {
class Fiber;
struct Allocator;
struct Call;
struct Counted;
struct Launch;
struct Warp;
}  // namespace emulated

namespace emulated::explain {

/// The file name of a header of the device: its folder identifies the device's
/// headers from the program's sources.
inline constexpr const char* own_header = __FILE__;

/// Does the program link the pack?
#if defined(EMULATED_OWN_SOURCE)
extern const bool on;
#elif defined(EMULATED_EXPLAIN)
inline constexpr bool on = true;
#else
inline constexpr bool on = false;
#endif

/// The same, for a program's libraries, which are compiled once for both.
bool is_linked();

/// The arguments of the next launch begin; the next one of them.
void begin_arguments();
void argument(const void* bytes, std::size_t size);
/// True: this process is a copy that runs the launch once more, to see what comes
/// of it; on this OS thread alone.
bool begin_grid(const Launch& launch);
void end_grid();
void begin_block(std::uint64_t number, unsigned threads);
void end_block();
/// This thread of the present block begins; goes on on this OS thread; has ended.
void begin_thread(unsigned thread);
void run_thread(unsigned thread);
void end_thread(unsigned thread);
/// The present thread has come to a place where it may have to wait.
void comes_to(const Call& call, std::source_location at);
/// No thread is ready: the one that waits for its turn in lock step (step.h) and has it now;
/// nullptr: there is none. `some_converge`: lanes wait for those that go together.
Fiber* next_in_turn(bool some_converge);
/// All threads of the present block have come to a barrier, or all of the grid. The last block to
/// come `opens` that one.
void block_barrier();
void grid_barrier(bool opens);
/// Numbers of type T are integers ('i'), natural ('u'), real ('f') or something else.
template <class T>
constexpr char number_kind() {
  if (std::is_floating_point_v<T>) return 'f';
  if (std::is_signed_v<T>) return 'i';
  if (std::is_unsigned_v<T>) return 'u';
  return 'x';
}
/// The present thread comes to an operation of its warp: the kinds, as number_kind() says, of the
/// number that it brings and of the one that it gets.
void brings(char brought, char got, std::size_t bytes);
/// The present thread has called a texture's or a surface's function with these coordinates, and
/// got or written so many numbers of so many bytes, of a kind as number_kind() says.
void texture_access(const char* function, const double* at, std::size_t coordinates, char kind,
                    std::size_t bytes, std::size_t components, const void* value);
/// These lanes of this warp have met.
void warp_operation(unsigned number, const Warp& warp, unsigned lanes, const Call& call);
/// The present thread called __threadfence, or __threadfence_block.
void fence(bool whole_device);
/// The present thread is in a loop that waits for what it reads next, if that is volatile.
void waits();
/// So many atomic accesses that follow, up to the first write, are atomic for one block only.
void in_block_scope(unsigned accesses);
/// The present thread is to call ends_here() (src/platform/platform.h) at a basic block, where it
/// holds no lock.
void ask_for_state();
/// The signal ends the program.
void ends_by_signal(int signal);
/// This is said of the program on standard error.
void says(const char* place, const char* sentence);
/// The program has found an element of the host's memory to be wrong.
void wrong_element(const void* element, std::size_t bytes);
/// The program asks for what has been counted of the requests of this kind.
Counted counted(const char* kind);
/// The next memory that this host thread allocates has this name in the program.
void names_allocation(const char* name);
/// Memory that the device may use: it begins to exist; it exists no longer.
void memory_begins(const void* begin, std::size_t bytes, const Allocator& by);
void memory_ends(const void* begin);
/// A kernel gets this allocation as an array of elements of so many bytes.
void memory_used_as(const void* begin, std::size_t element);
/// The host has set memory, or copied it; one of the two may be the host's own.
void memory_set(const void* to, std::size_t bytes);
/// cudaFreeAsync gives the allocation back, in the stream to which the present work belongs.
void memory_given_back(const void* begin);
/// "in line 12 (called in line 20)": where memory that is not allocated was freed; empty where that
/// is not known.
std::string freed_text(const void* pointer);
/// A thread fetches from a texture at a coordinate that is normalized, and not repeated, and lies a
/// whole picture beyond its edge.
void fetches_far_away();
/// A thread fetches from a texture that was made by the call before this instruction, whose mode is
/// cudaAddressModeWrap and whose coordinates are not normalized; beyond its edge?
void fetches_unrepeated(const void* made_by, bool beyond);
/// A thread fetches an element beyond those of a texture in linear memory, which has so many.
void fetches_beyond(int elements, int element_bytes);
/// The present thread shuffles by a distance over which there is no lane among so many.
void shuffles_too_far(const char* name, unsigned distance, unsigned lanes, std::source_location at);
/// A fetch of a general way reads a texel.
void texel_read(const void* texel, std::size_t bytes);
/// A call of the runtime fails, and the program looks at its result.
void call_fails(const char* why);
/// A structure that a kernel gets as an argument holds a pointer to host memory.
void argument_points_to_host(const void* pointer);
void memory_copied(const void* to, const void* from, std::size_t bytes);
/// The host's allocation, by new or malloc(), in which the address lies: how large it is, and how
/// far in; 0 bytes where nothing is known.
struct HostRoom {
  std::size_t allocated = 0;
  std::size_t offset = 0;
};
HostRoom host_room(const void* address);
/// The first stream besides the default one is made.
void stream_made();
/// This host thread gives a piece of work to the stream: what is copied or launched up to
/// work_ended() belongs to it.
void work_begins(cudaStream_t stream);
void work_ended();
/// What comes now is ordered after what came before.
void host_waits_for(cudaStream_t stream);
void host_waits_for(cudaEvent_t event);
void host_waits_for_all();
void event_recorded(cudaEvent_t event, cudaStream_t stream);
void stream_waits_for(cudaStream_t stream, cudaEvent_t event);
/// The first byte from `begin` to before `end` that work writes for which the host has not waited;
/// nullptr: there is none. Takes no lock that a host thread may hold while it accesses memory.
const void* first_being_written(const void* begin, const void* end);
/// The program asks for the time between the two.
void time_asked(cudaEvent_t start, cudaEvent_t stop);

}  // namespace emulated::explain
