// What compiled kernels call in the runtime (../../src/warps/block.h), and
// what the runtime calls in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <source_location>
#include <type_traits>

#include "../driver_types.h"

// Thread-local variables of the runtime, in a program at a place that the linker knows. (From a
// table of places, where g++ would look, vector instructions read them in ways that ld refuses.)
#if !defined(__PIC__) || defined(__PIE__)
#define EMULATED_TLS [[gnu::tls_model("local-exec")]]
#else
#define EMULATED_TLS
#endif

namespace emulated {

using Location =
    std::source_location;  // where in the .cu a thread waits; filled in as a default argument

// threadIdx in one word: x in the lowest 10 bits, y in the next 10, then z.
using PackedIndex = std::uint32_t;
constexpr PackedIndex pack_index(unsigned x, unsigned y, unsigned z) {
  return x | y << 10 | z << 20;
}
constexpr uint3 unpack_index(PackedIndex index) {
  return {index & 1023, index >> 10 & 1023, index >> 20};
}

// What threadIdx.x holds while the loop over threads keeps the index in registers (launch.h).
constexpr unsigned unknown_thread = ~0u;

// The shape of a launch, in the order of <<<...>>>.
struct LaunchShape {
  dim3 grid, block;
  std::size_t shared_bytes = 0;  // dynamic shared memory a block
  cudaStream_t stream = nullptr;
  bool cooperative = false;  // grid.sync() may be used: all blocks run at the same time
};
// One launch of a kernel, as the runtime sees it. The functions are made by the compiler for this
// very kernel (launch.h); `kernel` is what they need to call it, and is handed back to them.
struct Launch : LaunchShape {
  const char* name = "";           // as written before <<<
  Location at;                     // place of the launch
  const void* function = nullptr;  // address of the kernel, where known
  const void* unit =
      nullptr;  // which translation unit it comes from; null: a hidden one (indices.h)
  const void* kernel = nullptr;
  std::size_t kernel_bytes = 0;  // of what lies there, the arguments among them; 0: not known
  void (*run_blocks)(const Launch&) = nullptr;  // runs blocks until there are no more
  // Runs these threads of the present block, each to its end; false: one had to
  // wait in the loop over all threads.
  bool (*run_threads)(const Launch&, const PackedIndex* threads, unsigned count) = nullptr;
  void (*present)(uint3& block,
                  uint3& thread) = nullptr;  // which thread runs just now, for messages
  void (*suspend)(void (*wait)()) =
      nullptr;  // the present thread waits there; only for the pack `explain`
};

// Runs all blocks and returns when they have ended. Returns cudaSuccess or why the launch was
// refused; a fault in the kernel becomes the sticky error.
cudaError_t run_grid(const Launch& launch);

// The kernel of this host thread's launch has run, and the expression that launches it is not over:
// what is freed now an argument's destructor frees.
struct EndingLaunch {
  const char* kernel = nullptr;  // nullptr: there is none
  Location at;
};
extern thread_local constinit EndingLaunch launch_that_ends;
// Is this host thread inside a kernel?
bool in_kernel();

// ---- called from run_blocks ----
// The next block for this OS thread. False: there are no more.
bool claim_block(std::uint64_t& block);
// The present block begins. Returns its threads' indices in the order in which they are
// to run; nullptr: in the order of their numbers, in the loop that the compiler may
// turn into vector instructions.
const PackedIndex* begin_block(std::uint64_t block);
// Blocks of a launch in x up to which an index of 31 bits does not wrap around.
constexpr unsigned block_x_limit = (1u << 31) / 1024;
// Called when the thread loop has been left because a thread was
// suspended: runs the rest of the block.
void finish_suspended_block();
// The present block has ended.
void end_block();

// ---- called from threads ----
class Fiber;
struct Warp;
// A function of CUDA that waits, such as __syncthreads; `operation` of one that lanes of a warp
// call together computes the results of the lanes in `mask` from what they brought.
struct Call {
  const char* name;
  void (*operation)(Warp& warp, unsigned mask) = nullptr;
  bool orders_memory = false;  // as __syncwarp does, and moves no numbers
  bool names_lane = false;     // each lane brings, as its argument, the lane whose value it gets
};
// The thread is the first of its block that may have to wait. Called before what follows.
void begin_suspending(unsigned thread);
// Waits for all threads of the block.
void block_barrier(const Call& call, Location at);
// The same, and returns how many of them are `counted`.
int counting_barrier(bool counted, const Call& call, Location at);
// Did all threads of the block come to the barrier that opened last, at one and the same place?
bool all_passed_barrier();
// May this launch use it?
bool is_cooperative();
// Waits for all threads of all blocks of a cooperative launch.
void grid_barrier(Location at);

// A warp: what its lanes bring to an operation together, and what each takes away.
struct Warp {
  std::uint64_t value[32], argument[32], result[32];
  Fiber* fiber[32];  // of lanes whose thread has begun
  unsigned mask[32];
  unsigned exist;    // lanes: the last warp of a block may be short
  unsigned arrived;  // lanes that wait
  unsigned ended;    // lanes whose thread has ended
};
constexpr unsigned all_lanes = 0xffffffffu;
// Waits until all lanes of `mask` have come. Then the lane's result is in its warp.
void warp_operation(unsigned mask, std::uint64_t value, std::uint64_t argument, const Call& call,
                    Location at);
EMULATED_TLS extern thread_local constinit const Warp* warps;  // of the present block
// Says, once for each place, that a lane reads the value of a lane outside its mask.
void warn_foreign_lane(unsigned source, unsigned mask, const char* name, Location at);
// The lanes of this warp that are at the same place as this one (__activemask).
unsigned converged_lanes(Location at);
// How often anything has ordered the memory accesses of the threads of this OS thread's blocks:
// barriers, warp operations, fences, locks, waiting loops.
EMULATED_TLS extern thread_local constinit std::uint64_t orderings;
// A thread reads or writes an element of volatile shared memory. Warns once of lanes of a warp that
// exchange values there and call nothing that orders their accesses.
void note_exchange(const volatile void* element, bool writes, unsigned thread, Location at);

// The thread waits in a loop for memory to change: lets other threads run. `saw_same_value`: it has
// just seen the same value again; else it only looked often, and may be working, perhaps with a
// lock that others wait for.
void spin(Location at, bool saw_same_value);
// What printf is in device code: the host's, which notes that the kernel prints.
[[gnu::format(printf, 1, 2)]] int device_printf(const char* format, ...);
// What malloc and free are there.
void* device_malloc(std::size_t bytes, Location at = Location::current());
void device_free(void* memory);
// What `new T` is there, `new (::emulated::kernel_heap()) T`; and of `delete p` the operand.
void* device_new(std::size_t bytes, std::align_val_t alignment, bool array, Location at);
void forget_in_heap(const void* memory);
struct KernelHeap {
  Location at;
};
[[maybe_unused]] static inline KernelHeap kernel_heap(Location at = Location::current()) {
  return {at};
}
template <class T>
static inline T given_back(T memory) {
  if constexpr (std::is_pointer_v<T>)
    forget_in_heap(const_cast<const void*>(static_cast<const volatile void*>(memory)));
  return memory;
}
// The kernel sends the host something while it runs: by a fence or an atomic
// function of the system's scope.
void note_host_is_told();
// Ends the kernel with a device fault; prints the sentence.
[[noreturn]] void device_fault(cudaError_t error, const char* sentence);

// ---- shared memory ----
constexpr std::size_t shared_bytes_per_block = 48 << 10;         // without asking
constexpr std::size_t shared_bytes_per_block_optin = 227 << 10;  // with cudaFuncSetAttribute
// The alignment says to the compiler that elements are whole accesses (and `volatile` ones, with
// -fsanitize=thread). It is larger than what a launch may ask for: accesses there are beyond it.
constexpr std::size_t dynamic_shared_room = 256 << 10;
EMULATED_TLS extern thread_local constinit char dynamic_shared_bytes[dynamic_shared_room]
    __attribute__((aligned(1024)));
// Size of the program's thread-local memory: on x86-64 it ends at the thread pointer, on arm64 it
// begins there.
extern std::size_t thread_local_bytes;
// Does the address lie in the program's thread-local memory of the calling OS thread, which is the
// blocks' shared memory?
[[maybe_unused]] static inline bool in_shared_memory(const volatile void* address) {
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  const auto pointer = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
#if defined(__x86_64__)
  return pointer - number <= thread_local_bytes;
#else
  return number - pointer < thread_local_bytes;
#endif
}

}  // namespace emulated

inline void* operator new(std::size_t bytes, emulated::KernelHeap heap) noexcept {
  return emulated::device_new(bytes, {}, false, heap.at);
}
inline void* operator new[](std::size_t bytes, emulated::KernelHeap heap) noexcept {
  return emulated::device_new(bytes, {}, true, heap.at);
}
inline void* operator new(std::size_t bytes, std::align_val_t alignment,
                          emulated::KernelHeap heap) noexcept {
  return emulated::device_new(bytes, alignment, false, heap.at);
}
inline void* operator new[](std::size_t bytes, std::align_val_t alignment,
                            emulated::KernelHeap heap) noexcept {
  return emulated::device_new(bytes, alignment, true, heap.at);
}
