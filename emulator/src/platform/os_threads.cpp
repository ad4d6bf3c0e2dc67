#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <cstdint>

#include "emulated/scheduler.h"
#include "platform.h"

namespace emulated {

std::size_t thread_local_bytes = 0;

// Before kernels run, also those of static constructors. The first entry of
// the list is the program itself.
[[gnu::constructor(101)]] static void measure_thread_local_memory() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_TLS) continue;
          thread_local_bytes =
              (segment.p_memsz + segment.p_align - 1) / segment.p_align * segment.p_align;
#if !defined(__x86_64__)  // it begins after two pointers, aligned
          thread_local_bytes += std::max<std::size_t>(2 * sizeof(void*), segment.p_align);
#endif
        }
        return 1;
      },
      nullptr);
}

void at_thread_end(void (*end)(void*), void* object) {
  static const pthread_key_t key = [end] {
    pthread_key_t fresh{};
    pthread_key_create(&fresh, end);
    return fresh;
  }();
  pthread_setspecific(key, object);
}

void start_without_signals(void (*function)()) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const auto run = [](void* own) -> void* {
    (*reinterpret_cast<void (*)()>(own))();
    return nullptr;
  };
  if (pthread_create(&thread, nullptr, run, reinterpret_cast<void*>(function)) == 0)
    pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::chrono::nanoseconds thread_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace emulated
