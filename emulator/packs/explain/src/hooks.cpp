// What the compiler calls: -fsanitize=thread at each access to memory (the
// interface of ThreadSanitizer's library, which is not linked),
// -fsanitize-coverage=trace-pc at each basic block.
#include <cstring>
#include <utility>

#include "detectors/again.h"
#include "detectors/bounds.h"
#include "detectors/stack.h"
#include "detectors/too_early.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"
#include "look.h"
#include "platform/platform.h"
#include "record/memory.h"
#include "step/step.h"
#include "warps/block.h"
#include "work.h"

namespace emulated::explain {

std::recursive_mutex Lock::mutex_;
std::atomic<int> Lock::without_mutex_ = 0;
thread_local constinit BlockState* block = nullptr;
void (*suspend)(void (*wait)()) = nullptr;

thread_local constinit bool busy = false;

namespace {

struct Busy {
  Busy() { busy = true; }
  ~Busy() { busy = false; }
};
bool is_noted() { return block != nullptr && inside_kernel && !busy; }

// A flag of the hooks: the access need not be aligned.
constexpr unsigned is_any_address = 1u << 16;

// Is more than the bounds looked at? In blocks that are not looked at: only what orders accesses.
bool is_recorded(unsigned flags) {
  return block->noted || block->in_steps || (flags & (is_atomic | is_volatile)) != 0;
}

// How many of the next atomic accesses of this OS thread are atomic for one block only.
thread_local constinit unsigned block_wide_accesses = 0;

// In lock step an access waits for its turn. What is a thread's own needs none.
void take_turn(const volatile void* address, const void* place) {
  if (block == nullptr || !block->in_steps || !is_noted()) return;
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  if (note_at(number) == 0) {
    const Unseen unseen;
    if (!is_beyond(number)) return;
  }
  const unsigned block_wide = std::exchange(block_wide_accesses, 0);
  wait_for_turn(place, true);
  block_wide_accesses = block_wide;
}
// What is written is known at the next hook of the thread.
struct PointerWrite {
  std::uintptr_t address = 0;  // 0: none
  const void* place = nullptr;
  Agent agent;
  unsigned launch = 0;
};
thread_local constinit PointerWrite pointer_write;

void look_at_pointer_write() {
  if (pointer_write.address == 0) return;
  const PointerWrite write = std::exchange(pointer_write, {});
  if (write.agent != present_agent() || write.launch != kernel->launches) return;
  std::uintptr_t value = 0;
  __builtin_memcpy(&value, reinterpret_cast<const void*>(write.address), sizeof value);  // NOLINT
  const Unseen unseen;
  note_stored(value, write.address, write.place);
}

// Holds the lock around an atomic access, once its turn has come.
struct Turn {
  Turn(const volatile void* address, const void* place) : Turn((take_turn(address, place), 0)) {}
  Lock lock;

 private:
  explicit Turn(int) {}
};

// One lane's access. Memory that is neither of the device nor shared is a thread's own.
// Is it part of a race?
bool note_access(const void* address, std::uint32_t bytes, unsigned flags, const void* place) {
  const Busy own;
  if ((flags & (is_volatile | is_write)) == is_volatile && block->thread < max_threads &&
      std::exchange(block->waits[block->thread], false))
    flags |= is_waited;
  Access access{place,        reinterpret_cast<std::uintptr_t>(address),
                bytes,        static_cast<std::uint16_t>(flags),
                Space::other, (flags & is_any_address) != 0};
  const bool in_steps = block->in_steps;
  if (in_steps) before_access(access);
  if (!look_at(access) || !is_recorded(flags)) return false;
  const Lock lock;
  if (in_steps) step_access(access);
  if (access.space != Space::shared) note_kernel_use(access);
  // What an access out of bounds meets is not meant.
  const bool astray =
      block->thread < max_threads && std::exchange(block->goes_astray[block->thread], false);
  const bool races = access.space != Space::constant && !astray && note_for_races(access);
  if (block->noted) note_request(access);
  return races;
}

// The hook is called before the store, and after the load of what is to be stored: where others
// race, they come between.
void note(const void* address, std::uint32_t bytes, unsigned flags, const void* place) {
  if (block == nullptr) {
    if (host_may_come_too_early && !busy) {
      const Busy own;
      note_host_use(address, bytes, flags & 0xff, place);
    }
    return;
  }
  if (!is_noted()) return;
  look_at_pointer_write();
  if (recurses && block->thread < max_threads)
    note_between_calls(reinterpret_cast<std::uintptr_t>(address), bytes, (flags & is_write) != 0);
  if (looks_for_writes && (flags & is_write) != 0 &&
      note_at(reinterpret_cast<std::uintptr_t>(address)) != 0) {
    const Unseen unseen;
    const Lock lock;
    note_writer(reinterpret_cast<std::uintptr_t>(address), bytes);
  }
  if ((flags & is_atomic) == 0) take_turn(address, place);
  const bool recorded = is_recorded(flags);
  if (!recorded && is_in_order(reinterpret_cast<std::uintptr_t>(address), bytes)) return;
  if (recorded) finish_write();
  if (note_access(address, bytes, flags, place) && (flags & ~is_any_address) == is_write &&
      !block->in_steps) {
    const Interruption interruption;
    suspend([] { spin(Location::current(), false); });
  }
  if (recorded) begin_write();
  if (recorded && bytes == sizeof(void*) && (flags & (is_write | is_atomic)) == is_write &&
      space_of(note_at(reinterpret_cast<std::uintptr_t>(address))) == Space::global)
    pointer_write = {.address = reinterpret_cast<std::uintptr_t>(address),
                     .place = place,
                     .agent = present_agent(),
                     .launch = kernel->launches};
}

// What functions of the C library do with memory. Structures that are copied by a call come through
// the compiler's hooks, too.
void note_library(const void* address, std::size_t bytes, unsigned flags, const void* place) {
  if (bytes == 0 || busy) return;
  const Busy own;
  if (block == nullptr) {
    if (host_may_come_too_early) note_host_use(address, bytes, flags, place);
    return;
  }
  if (!inside_kernel) return;
  Access access{place,
                reinterpret_cast<std::uintptr_t>(address),
                static_cast<std::uint32_t>(bytes),
                static_cast<std::uint16_t>(flags),
                Space::other,
                true};
  if (!look_at(access) || !block->noted) return;
  const Lock lock;
  if (access.space != Space::shared) note_kernel_use(access);
}

void note_copy(const void* to, const void* from, std::size_t bytes, const void* place) {
  note_library(from, bytes, 0, place);
  note_library(to, bytes, is_write, place);
}

// An operation that may both read and write counts once, as what it is.
template <class T>
T* noted_atomic(volatile T* address, unsigned flags, int order, const void* place) {
  const bool writes = (flags & is_write) != 0;
  const bool releases = writes && order >= __ATOMIC_RELEASE;
  const bool acquires = (!writes || (flags & is_update) != 0) && order != __ATOMIC_RELAXED &&
                        order != __ATOMIC_RELEASE;
  const bool block_wide = block_wide_accesses > 0;
  if (block_wide) block_wide_accesses = writes ? 0 : block_wide_accesses - 1;
  note(const_cast<T*>(address), sizeof(T),
       flags | is_atomic | (releases ? is_release : 0) | (acquires ? is_acquire : 0) |
           (block_wide ? is_block_wide : 0),
       place);
  return const_cast<T*>(address);
}

template <class T>
void note_exchanged(const volatile T* address, T value, const void* place) {
  if constexpr (sizeof(T) == sizeof(void*)) {
    const auto where = reinterpret_cast<std::uintptr_t>(address);
    if (block == nullptr || !is_noted() || !block->noted ||
        space_of(note_at(where)) != Space::global)
      return;
    const Unseen unseen;
    note_stored(value, where, place);
  }
}

// Does what was asked of this thread. The hook that calls it keeps nothing on the stack: what is
// there is the kernel's.
[[gnu::noinline]] void answer(const void* place) {
  __builtin_unwind_init();
  if (busy) return;  // the same function, called by the pack
  if (asked_to_end != 0) end_now();
  asked = false;
  if (asked_to_end != 0) asked = true;  // meanwhile
  const char* const stack = static_cast<char*>(__builtin_frame_address(0)) - saved_below_frame;
  const void* const call = static_cast<const char*>(place) - 1;
  // In lock step there is a limit of its own.
  if (ends_here(call, stack, 0) && (block == nullptr || !block->in_steps))
    recover({.kind = Fault::endless, .instruction = call});
}

// A thread comes to a basic block.
[[gnu::noinline]] void note_block(const void* place) {
  if (block == nullptr) return;
  if (block->page_full && is_noted()) [[unlikely]]
    end_block_that_never_ends();
  if ((!block->noted && !block->in_steps) || !is_noted()) return;
  {
    const Busy own;
    const Lock lock;
    if (block->in_steps && !comes_to_line(place)) return;
    note_step(place);
  }
  if (block->in_steps) wait_for_turn(place, false);
}

// Calls of functions, for the thread's way and its stack. `from` is a null pointer: one returns.
void note_call(const void* from, const void* function, const void* stack) {
  if (block == nullptr || !is_noted() || block->thread >= max_threads) return;
  look_at_pointer_write();
  if (from != nullptr)
    enter_function(function, from, stack);
  else
    leave_function();
  if (!block->noted && !block->in_steps) return;
  Path& path = block->paths[block->thread];
  if (from != nullptr)
    path.enter(reinterpret_cast<std::uintptr_t>(from));
  else
    path.leave();
}

}  // namespace

void in_block_scope(unsigned accesses) { block_wide_accesses = accesses; }

}  // namespace emulated::explain

using emulated::explain::is_any_address;
using emulated::explain::is_atomic;
using emulated::explain::is_exchange;
using emulated::explain::is_update;
using emulated::explain::is_volatile;
using emulated::explain::is_write;

#define HERE __builtin_return_address(0)
#define HOOK(bytes)                                                                            \
  void __tsan_read##bytes(void* address) { emulated::explain::note(address, bytes, 0, HERE); } \
  void __tsan_write##bytes(void* address) {                                                    \
    emulated::explain::note(address, bytes, is_write, HERE);                                   \
  }                                                                                            \
  void __tsan_unaligned_read##bytes(void* address) {                                           \
    emulated::explain::note(address, bytes, is_any_address, HERE);                             \
  }                                                                                            \
  void __tsan_unaligned_write##bytes(void* address) {                                          \
    emulated::explain::note(address, bytes, is_write | is_any_address, HERE);                  \
  }                                                                                            \
  void __tsan_volatile_read##bytes(void* address) {                                            \
    emulated::explain::note(address, bytes, is_volatile, HERE);                                \
  }                                                                                            \
  void __tsan_volatile_write##bytes(void* address) {                                           \
    emulated::explain::note(address, bytes, is_write | is_volatile, HERE);                     \
  }                                                                                            \
  void __tsan_unaligned_volatile_read##bytes(void* address) {                                  \
    emulated::explain::note(address, bytes, is_volatile | is_any_address, HERE);               \
  }                                                                                            \
  void __tsan_unaligned_volatile_write##bytes(void* address) {                                 \
    emulated::explain::note(address, bytes, is_write | is_volatile | is_any_address, HERE);    \
  }
#define NOTED(flags, order) emulated::explain::noted_atomic(address, flags, order, HERE)
#define ATOMIC_UPDATE(bits, T, name)                                                     \
  T __tsan_atomic##bits##_##name(volatile T* address, T value, int order) {              \
    const emulated::explain::Turn turn(address, HERE);                                   \
    return __atomic_##name(NOTED(is_write | is_update, order), value, __ATOMIC_SEQ_CST); \
  }
#define COMPARE_EXCHANGE(bits, T, name)                                                            \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* address, T* expected, T value,     \
                                                    int order, int) {                              \
    const emulated::explain::Turn turn(address, HERE);                                             \
    return __atomic_compare_exchange_n(NOTED(is_write | is_update | is_exchange, order), expected, \
                                       value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);          \
  }
#define ATOMICS(bits, T)                                                                     \
  T __tsan_atomic##bits##_load(const volatile T* constant, int order) {                      \
    volatile T* const address = const_cast<volatile T*>(constant);                           \
    const emulated::explain::Turn turn(address, HERE);                                       \
    return __atomic_load_n(NOTED(0, order), __ATOMIC_SEQ_CST);                               \
  }                                                                                          \
  void __tsan_atomic##bits##_store(volatile T* address, T value, int order) {                \
    const emulated::explain::Turn turn(address, HERE);                                       \
    __atomic_store_n(NOTED(is_write, order), value, __ATOMIC_SEQ_CST);                       \
  }                                                                                          \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* address, T expected, T value,     \
                                               int order, int) {                             \
    const emulated::explain::Turn turn(address, HERE);                                       \
    __atomic_compare_exchange_n(NOTED(is_write | is_update | is_exchange, order), &expected, \
                                value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    return expected;                                                                         \
  }                                                                                          \
  COMPARE_EXCHANGE(bits, T, strong)                                                          \
  COMPARE_EXCHANGE(bits, T, weak)                                                            \
  T __tsan_atomic##bits##_exchange(volatile T* address, T value, int order) {                \
    emulated::explain::note_exchanged(address, value, HERE);                                 \
    const emulated::explain::Turn turn(address, HERE);                                       \
    return __atomic_exchange_n(NOTED(is_write | is_update | is_exchange, order), value,      \
                               __ATOMIC_SEQ_CST);                                            \
  }                                                                                          \
  ATOMIC_UPDATE(bits, T, fetch_add)                                                          \
  ATOMIC_UPDATE(bits, T, fetch_sub)                                                          \
  ATOMIC_UPDATE(bits, T, fetch_and)                                                          \
  ATOMIC_UPDATE(bits, T, fetch_or)                                                           \
  ATOMIC_UPDATE(bits, T, fetch_xor)                                                          \
  ATOMIC_UPDATE(bits, T, fetch_nand)

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"
extern "C" {
HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)
void __tsan_read_range(void* address, unsigned long bytes) {
  emulated::explain::note(address, static_cast<std::uint32_t>(bytes), is_any_address, HERE);
}
void __tsan_write_range(void* address, unsigned long bytes) {
  emulated::explain::note(address, static_cast<std::uint32_t>(bytes), is_write | is_any_address,
                          HERE);
}
ATOMICS(8, unsigned char)
ATOMICS(16, unsigned short)
ATOMICS(32, unsigned)
ATOMICS(64, unsigned long)
// The linker puts these in the place of the C library's (--wrap), of which some come with the size
// of what is written to.
#define LIBRARY_COPY(name)                                                                  \
  void* __real_##name(void* to, const void* from, std::size_t bytes);                       \
  void* __wrap_##name(void* to, const void* from, std::size_t bytes) {                      \
    emulated::explain::note_copy(to, from, bytes, HERE);                                    \
    return __real_##name(to, from, bytes);                                                  \
  }                                                                                         \
  void* __wrap___##name##_chk(void* to, const void* from, std::size_t bytes, std::size_t) { \
    emulated::explain::note_copy(to, from, bytes, HERE);                                    \
    return __real_##name(to, from, bytes);                                                  \
  }
LIBRARY_COPY(memcpy)
LIBRARY_COPY(memmove)
void* __real_memset(void* to, int value, std::size_t bytes);
void* __wrap_memset(void* to, int value, std::size_t bytes) {
  emulated::explain::note_library(to, bytes, is_write, HERE);
  return __real_memset(to, value, bytes);
}
void* __wrap___memset_chk(void* to, int value, std::size_t bytes, std::size_t) {
  emulated::explain::note_library(to, bytes, is_write, HERE);
  return __real_memset(to, value, bytes);
}
void __tsan_atomic_thread_fence(int) {}
void __tsan_atomic_signal_fence(int) {}
void __tsan_func_entry(void* from) {
  emulated::explain::note_call(from, HERE, __builtin_dwarf_cfa());
}
void __tsan_func_exit(void*) { emulated::explain::note_call(nullptr, nullptr, nullptr); }
void __tsan_init() {}
void __tsan_vptr_update(void** address, void*) {  // an object with virtual functions is made
  emulated::explain::note(address, sizeof *address, is_write, HERE);
}
void __tsan_vptr_read(void**) {}
void __sanitizer_cov_trace_pc() {
  const void* const place = HERE;
  if (emulated::explain::asked.load(std::memory_order_relaxed)) [[unlikely]]
    emulated::explain::answer(place);
  if (emulated::explain::steps_left_again != 0) [[unlikely]]
    emulated::explain::count_step_again();
  emulated::explain::note_block(place);
}
}
#pragma GCC diagnostic pop
