// What the environment says about the emulated device.
#pragma once

#include <cstdint>

namespace emulated {

constexpr int max_devices = 64;

enum class Order { in_order, reversed, shuffled };

struct Settings {
  unsigned workers = 1;           // EMULATED_THREADS: OS threads that run blocks
  Order order = Order::in_order;  // EMULATED_ORDER
  std::uint64_t seed = 1;         //   shuffled:SEED
  double watchdog =
      10;           // EMULATED_WATCHDOG: seconds without progress after which a kernel is ended
  int devices = 1;  // EMULATED_DEVICES: how many devices there seem to be
  bool check_leaks = false;  // EMULATED_CHECK_LEAKS
  bool on_terminal = false;  // is standard error one?
};

// Read once, at the program's start. A value that makes no sense ends the
// program: one sentence, exit code 2.
const Settings& settings();

// A permutation of 0 ... count - 1 that needs no table: `position` goes to the result.
// in_order: the same; reversed: from the other end; shuffled: by the seed.
std::uint64_t permute(Order order, std::uint64_t position, std::uint64_t count, std::uint64_t seed);

}  // namespace emulated
