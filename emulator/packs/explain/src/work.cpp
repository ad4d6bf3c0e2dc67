#include "work.h"

#include <utility>

#include "detectors/too_early.h"
#include "detectors/unread.h"
#include "detectors/unread_input.h"
#include "device/device.h"
#include "explain.h"
#include "launch/declarations.h"
#include "record/ledger.h"
#include "record/memory.h"
#include "record/objects.h"

namespace emulated::explain {

namespace {

// This host thread's pieces of work within each other, and the stream to which it gives them.
thread_local constinit unsigned depth = 0;
thread_local constinit unsigned present_stream = 0;
// The present copy or fill, once it has used memory. Never destroyed.
std::shared_ptr<Work>& present_copy() {
  static thread_local auto& work = *new std::shared_ptr<Work>;
  return work;
}

bool is_for_the_host(std::uintptr_t address) {
  const auto* const pointer =
      reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  return !is_on_device(pointer) && object_at(address).by != nullptr;
}

// A variable has one address on all devices.
bool is_of_several_devices(std::uintptr_t address) {
  return is_device(1) && variable_at(reinterpret_cast<const void*>(  // NOLINT
                             address)) != nullptr;
}

void use(const std::shared_ptr<Work>& work, const Range& range) {
  if (is_of_several_devices(range.begin)) return;
  const bool on_host = is_for_the_host(range.begin);
  host_may_come_too_early |= on_host;
  note_reads(*work, range);
  ledger().uses.add(work, range, on_host,
                    [&](const UseBefore& before, std::uintptr_t begin, std::uintptr_t end) {
                      if (on_host || several_streams())
                        note_conflict(before, work, range.use, begin, end);
                    });
}

// A kernel happens after those with which it may have spoken.
void join_those_that_spoke(Work& work, const Range& range) {
  if ((range.use & all_marked) == 0) return;
  ledger().uses.for_each(range.begin, range.end, [&](std::uintptr_t, const Stretch& stretch) {
    for (const UseBefore& before : stretch.uses)
      if (may_speak(before.use, range.use)) work.clock.join(before.work->clock);
  });
}

void use_range(const void* begin, std::size_t bytes, unsigned how, const char* what) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0 || depth == 0 || note_at(first) == 0) return;
  std::shared_ptr<Work>& work = present_copy();
  if (work == nullptr) {
    work = ledger().order.next_work(present_stream);
    work->callers = callers();
    work->what = what;
  }
  use(work, {first, first + bytes, how});
}

}  // namespace

unsigned present_stream_or(cudaStream_t stream) {
  return depth > 0 ? present_stream : ledger().order.number_of(stream);
}

void begin_work(cudaStream_t stream) {
  const std::lock_guard lock(ledger().mutex);
  if (depth++ > 0) {
    ledger().has_graphs = true;
    return;
  }
  present_stream = ledger().order.number_of(stream);
}

void end_work() {
  if (--depth == 0) present_copy() = nullptr;
}

void forget_uses(std::uintptr_t begin, std::size_t bytes) {
  const std::lock_guard lock(ledger().mutex);
  ledger().uses.forget(begin, begin + bytes);
}

void copy_uses(const void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(ledger().mutex);
  if (depth == 0) return;
  // A copy between devices, in their default streams, comes after all and before all.
  WorkOrder& order = ledger().order;
  const bool between = from != nullptr && is_device(1) && is_on_device(to) && is_on_device(from) &&
                       order.is_default(present_stream);
  if (between) order.joins_all(present_stream);
  const char* const what = from == nullptr ? "the fill" : "the copy";
  if (from != nullptr) use_range(from, bytes, reads, what);
  use_range(to, bytes, writes, what);
  if (from != nullptr && is_on_device(from))
    note_input_copied(reinterpret_cast<std::uintptr_t>(from), bytes);
  if (is_on_device(to) && from != nullptr && !is_on_device(from))
    note_input(reinterpret_cast<std::uintptr_t>(to), bytes);
  else
    note_input_copied(reinterpret_cast<std::uintptr_t>(to), bytes);
  if (between) order.joined_by_all(present_stream);
}

void free_uses(const void* begin) {
  const Object object = object_at(reinterpret_cast<std::uintptr_t>(begin));
  const std::lock_guard lock(ledger().mutex);
  if (object.begin == reinterpret_cast<std::uintptr_t>(begin))
    use_range(begin, object.bytes, writes, given_back);
}

void begin_kernel_uses(const Launch& launch) {
  begin_work(launch.stream);
  Ledger& own = ledger();
  const std::lock_guard lock(own.mutex);
  present_copy() = nullptr;  // a graph's next copy comes after it
  own.kernel = own.order.next_work(present_stream);
  own.kernel->kernel = launch.name;
  own.kernel->at = launch.at;
}

void note_kernel_use(const Access& access) {
  Ledger& own = ledger();
  if (own.kernel == nullptr) return;
  const bool marked = (access.flags & (is_atomic | is_volatile)) != 0;
  unsigned use = marked ? marked_reads : reads;
  if ((access.flags & is_write) != 0) use = marked ? marked_writes : writes;
  if ((access.flags & is_update) != 0) use |= updates;
  own.kernel_uses.add(access.address, access.bytes, use);
}

void end_kernel_uses(bool host_is_told, bool printed) {
  Ledger& own = ledger();
  {
    const std::lock_guard lock(own.mutex);
    if (own.kernel == nullptr) return;
    const std::shared_ptr<Work> work = std::exchange(own.kernel, nullptr);
    const std::vector<Range> ranges = own.kernel_uses.take();
    for (const Range& range : ranges) join_those_that_spoke(*work, range);
    for (const Range& range : ranges) use(work, range);
    note_outputs(*work, ranges, printed);
    note_inputs_used(ranges, running->blocks);
    own.order.join(work->stream, work->clock);
    if (host_is_told) own.order.host_waits_for(work->clock);
  }
  end_work();
}

}  // namespace emulated::explain
