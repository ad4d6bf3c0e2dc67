// Counts moments: the hooks that the compiler calls, and locks. The linker puts what is here in
// front of them (--wrap, tests/CMakeLists.txt). At one of them SIGTERM comes.
//
// The moments of the program's own thread and of its first kernel, of one block, come in the same
// order in each run. Those of a cooperative grid, and of what comes after it, are a kind of their
// own: how often its first block takes a lock depends on how far the other one is.
#include "moments.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace {

enum Kind { hook, lock, launch, grid };
constexpr const char* names[] = {"hook", "lock", "launch", "grid"};

std::atomic<unsigned> counts[std::size(names)];
int wanted_kind = -1;
unsigned wanted_number = 0;
pid_t program = 0;  // copies of the process get no signal
thread_local Counted counted = Counted::none;

void moment(Kind kind) {
  if (counted == Counted::none) return;
  if (counted == Counted::of_grid) kind = grid;
  if (++counts[kind] == wanted_number && kind == wanted_kind && ::getpid() == program)
    std::raise(SIGTERM);
}

// At the program's end, after its report.
[[gnu::destructor]] void print_counts() {
  if (::getpid() != program) return;
  if (wanted_number > 0) std::printf("no such moment\n");
  for (unsigned kind = 0; kind < std::size(names); ++kind)
    std::printf("%s %u\n", names[kind], counts[kind].load());
}

}  // namespace

void begin_moments(const char* kind, const char* number) {
  for (unsigned i = 0; i < std::size(names); ++i)
    if (std::strcmp(kind, names[i]) == 0) wanted_kind = static_cast<int>(i);
  wanted_number = static_cast<unsigned>(std::atoi(number));
  program = ::getpid();
  counted = Counted::own;
}

void count_moments_here(Counted now) { counted = now; }

void launch_moment() {
  counted = Counted::own;
  moment(launch);
}

// The hook itself is the last thing that is called: it finds the program's return address.
#define HOOK(name, parameters, arguments) \
  void __real_##name parameters;          \
  void __wrap_##name parameters {         \
    moment(hook);                         \
    return __real_##name arguments;       \
  }

extern "C" {
HOOK(__tsan_read4, (void* address), (address))
HOOK(__tsan_write4, (void* address), (address))
HOOK(__tsan_read8, (void* address), (address))
HOOK(__tsan_write8, (void* address), (address))
HOOK(__tsan_func_entry, (void* from), (from))
HOOK(__tsan_func_exit, (void* from), (from))
HOOK(__sanitizer_cov_trace_pc, (), ())
int __real___tsan_atomic32_fetch_add(volatile int* address, int value, int order);
int __wrap___tsan_atomic32_fetch_add(volatile int* address, int value, int order) {
  moment(hook);
  return __real___tsan_atomic32_fetch_add(address, value, order);
}
// The lock is held then.
int __real_pthread_mutex_lock(pthread_mutex_t* mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t* mutex) {
  const int result = __real_pthread_mutex_lock(mutex);
  moment(lock);
  return result;
}
}
