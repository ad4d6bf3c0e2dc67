// Pointers to host memory that a kernel follows: a structure was copied, what it points to was not.
//
// That a word looks like such a pointer is no mistake, as it may be the padding of a structure or
// what was left over in memory that the host has not filled. So a kernel has to read it as a whole,
// and then to access what it points to. A structure that is itself the argument may hold one, too.
#include "detectors/followed.h"

#include <algorithm>
#include <cstring>

#include "emulated/scheduler.h"
#include "memory/host.h"
#include "platform/platform.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

bool may_follow = false;

namespace {

constexpr std::size_t max_pointers = 64;  // each access to a local variable looks at all

struct Followed {
  std::uintptr_t pointer = 0;
  std::uintptr_t at = 0;  // where it was read; 0: an argument holds it
  Object object;          // in which that lies
  // Who follows it; nullptr: no thread so far.
  const void* place = nullptr;
  Agent agent{};
};
auto& followed() {
  static auto& all = *new std::vector<Followed>;
  return all;
}

bool is_known(std::uintptr_t pointer) {
  return std::any_of(followed().begin(), followed().end(),
                     [&](const Followed& one) { return one.pointer == pointer; });
}

// In the host thread that launches: above it its own frames lie, and below it those of the kernel's
// threads.
thread_local constinit std::uintptr_t launch_frame = 0;
constexpr std::uintptr_t host_stack = 8u << 20;

// Is it a local variable of a kernel's thread?
bool is_on_own_stack(std::uintptr_t address) {
  constexpr std::uintptr_t near = 1u << 20;
  if (launch_frame != 0 && address - launch_frame < host_stack) return false;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return address - frame + near < 2 * near;
}

}  // namespace

void begin_following() {
  launch_frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

void note_pointer(const Access& access) {
  constexpr std::uintptr_t least = std::uintptr_t{1} << 44;  // more than pairs of small numbers
  std::uintptr_t number = 0;
  std::memcpy(&number, reinterpret_cast<const void*>(access.address),  // NOLINT
              sizeof number);
  if (number < least || number >> address_bits != 0) return;
  const auto* const pointer =
      reinterpret_cast<const void*>(number);  // NOLINT(performance-no-int-to-ptr)
  const Lock lock;
  auto& all = followed();
  if (all.size() >= max_pointers || !is_host_memory(pointer) || is_on_own_stack(number) ||
      !class_of_table(pointer).empty() || is_known(number))
    return;
  all.push_back({number, access.address, object_at(access.address)});
  may_follow = true;
}

void note_argument_to_host(const void* pointer) {
  const auto number = reinterpret_cast<std::uintptr_t>(pointer);
  const Lock lock;
  if (followed().size() >= max_pointers || is_known(number)) return;
  followed().emplace_back().pointer = number;
  may_follow = true;
}

void note_following(const Access& access) {
  constexpr std::uintptr_t near = 4096;  // from the pointer on
  if (is_on_own_stack(access.address)) return;
  // On the host's stack the launch's arguments may lie, too.
  const Launch& launch = running->launch;
  if (access.address - reinterpret_cast<std::uintptr_t>(launch.kernel) < launch.kernel_bytes)
    return;
  const Lock lock;
  for (Followed& one : followed()) {
    if (access.address - one.pointer >= near || one.place != nullptr) continue;
    one.place = access.place;
    one.agent = present_agent();
  }
}

void find_followed(std::vector<Finding>& all) {
  std::set<std::string> said;  // a list has many pointers
  for (const Followed& one : followed()) {
    const Place& place = place_of(one.place);
    if (one.place == nullptr || !place.known || !said.insert(place_text(place)).second) continue;
    const auto offset = static_cast<std::ptrdiff_t>(one.at - one.object.begin);
    all.push_back({.kind = Finding::Kind::host_memory,
                   .place = place,
                   .agent = one.agent,
                   .does = "follows a pointer to host memory, which",
                   .element = one.at == 0 ? "its argument"
                                          : "byte " + std::to_string(offset) + " of " +
                                                object_text(one.object, place),
                   .details = " holds and a GPU cannot follow",
                   .advice = "copy what it points to, too, and store the device's address of the "
                             "copy there"});
  }
}

}  // namespace emulated::explain
