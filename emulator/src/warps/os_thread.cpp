#include "os_thread.h"

namespace emulated {

thread_local constinit OsThread* os_thread = nullptr;

void leave_block() {
  Fiber& from = *os_thread->current;
  os_thread->current = &os_thread->native;
  Fiber::switch_to(from, os_thread->native);
  __builtin_unreachable();
}

}  // namespace emulated
