#include "give_up.h"

#include <unistd.h>

#include <cstdlib>

#include <atomic>
#include <cstdio>

namespace emulated {

void give_up(const char* what) {
  // Several OS threads may come here at once; one sentence is enough.
  static std::atomic_flag ending;
  if (ending.test_and_set())
    for (;;) ::pause();
  std::fflush(stdout);
  std::fprintf(stderr, "The emulated device ends this program: %s.\n", what);
  std::quick_exit(1);  // other threads may run kernels, so that nothing can be taken down in order
}

}  // namespace emulated
