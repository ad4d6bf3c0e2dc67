// Lanes of a warp that exchange values through volatile shared memory, as programs from before
// Volta did: they relied on lanes that run in step. One warning for the program, which names
// __syncwarp(); the pack explain reports each such race.
//
// An exchange: a lane writes an element that another lane of its warp has read, or reads one that
// it has written, and the reader has changed another element since anything last ordered the
// block's threads. So a flag that lanes read and set is no exchange.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "block.h"
#include "diagnosis/diagnosis.h"

namespace emulated {

namespace {

struct Access {
  const volatile void* element = nullptr;
  std::uint64_t when = 0;  // in `orderings`
  unsigned thread = 0;
};

// The latest accesses of the OS thread's block: what lies at the same place of a table replaces
// what was there.
struct LatestAccesses {
  std::array<Access, 1024> writes, reads;                // by element
  std::array<Access, threads_per_block> writes_of_lane;  // by thread
};

[[gnu::cold, gnu::noinline]] void warn_of_exchange(unsigned thread, bool writes, unsigned other,
                                                   Location at) {
  static std::atomic<bool> warned = false;
  if (warned.exchange(true)) return;
  warn_once(text(at),
            std::string("kernel ") + running->launch.name +
                ": lanes of a warp exchange values through volatile shared memory: lane " +
                std::to_string(thread % 32) + (writes ? " writes" : " reads") + " what lane " +
                std::to_string(other % 32) + (writes ? " has read" : " has written") +
                ", and nothing orders the two. Lanes do not run in step, here or on GPUs since "
                "Volta: call __syncwarp() between reads and writes");
}

}  // namespace

void note_exchange(const volatile void* element, bool writes, unsigned thread, Location at) {
  if (!inside_kernel) return;
  static thread_local const auto latest = std::make_unique<LatestAccesses>();
  const std::uint64_t now = orderings;
  const std::size_t place = reinterpret_cast<std::uintptr_t>(element) / 4 % 1024;
  const auto by_other_lane = [&](const Access& access) {
    return access.element == element && access.when == now && access.thread != thread &&
           access.thread / 32 == thread / 32;
  };
  const auto changed_another = [&](unsigned reader) {
    const Access& write = latest->writes_of_lane[reader];
    return write.when == now && write.element != element;
  };
  const Access& other = (writes ? latest->reads : latest->writes)[place];
  if (by_other_lane(other) && changed_another(writes ? other.thread : thread))
    warn_of_exchange(thread, writes, other.thread, at);

  const Access own{element, now, thread};
  if (writes)
    latest->writes[place] = latest->writes_of_lane[thread] = own;
  else if (!by_other_lane(latest->reads[place]))  // the first reader stays
    latest->reads[place] = own;
}

}  // namespace emulated
