// What launches leave behind, where that was probably not meant.
//
// Two buffers that a kernel reads and writes in turn: the host copies the one, and the other, which
// the last launch has written, is never read. A counter, of which the threads take their numbers:
// where a launch begins with what the one before has left in it, and writes nothing at all, it was
// probably not put back. A sum to which two launches have added the same, of which only the second
// is timed: the first was to warm up.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emulated/explain_hooks.h"
#include "explain.h"
#include "launch/running.h"
#include "memory.h"
#include "pattern.h"

namespace emulated::explain {

namespace {

struct Buffer {
  std::uintptr_t begin = 0;
  std::uintptr_t bytes = 0;
  bool has(std::uintptr_t address) const { return address - begin < bytes; }
  bool operator==(const Buffer&) const = default;
};

// A number in global memory that a launch changes atomically.
struct Counter {
  std::uintptr_t address;
  std::uint32_t bytes;
  const void* place;
  std::uint64_t first;     // its value at the first change
  std::uint64_t left = 0;  // and when the launch has ended
};

struct Outcome {
  std::vector<Buffer> written;  // objects
  std::vector<Counter> counters;
  std::uint64_t looked_at = 0;  // blocks of the kernel before the launch
  Buffer result_before{};       // what the kernel's launch before wrote
  bool reads_it = false;
  std::vector<char> arguments{};
  unsigned filled = 0;  // as often there had been copies and fills
};
// More are no hint.
constexpr std::size_t max_written = 8;
constexpr std::size_t max_counters = 4;

// The two buffers of a kernel's latest launches.
struct Turned {
  const KernelTotals* kernel = nullptr;
  Buffer before;       // what the launch before the latest wrote
  Buffer latest;       // what the latest wrote
  Callers copied{};    // to the host, from the first of them
  bool freed = false;  // the latest: what lies there now is something else
};

struct GoesOn {
  const KernelTotals* kernel = nullptr;
  Location at;
  Object object;
  Counter counter;
};

// The second launch of a kernel adds to what the first has left, and the host gets that.
struct AddsOn {
  GoesOn second;
  unsigned launch = 0;  // its number among all
  bool timed = false;   // alone
  bool copied = false;
};

struct Outcomes {
  std::recursive_mutex mutex;  // several host threads launch and copy
  Outcome present;
  std::vector<char> arguments;  // of the next launch
  unsigned launches = 0;
  unsigned filled = 0;                       // copies and fills so far
  std::map<cudaEvent_t, unsigned> recorded;  // launches before
  std::vector<AddsOn> adding_on;
  std::map<const KernelTotals*, Outcome> latest;
  std::set<const KernelTotals*> writers;  // kernels that have written more than counters
  std::optional<Turned> turned;
  std::vector<Turned> not_read;
  std::vector<GoesOn> going_on;
};
Outcomes& outcomes() {
  static auto& all = *new Outcomes;
  return all;
}

std::uint64_t value_at(std::uintptr_t address, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), bytes);  // NOLINT
  return value;
}

void note_counter(const Access& access) {
  auto& all = outcomes().present.counters;
  if (all.size() > max_counters || access.bytes > sizeof(std::uint64_t) ||
      std::any_of(all.begin(), all.end(),
                  [&](const Counter& one) { return one.address == access.address; }))
    return;
  all.push_back(
      {access.address, access.bytes, access.place, value_at(access.address, access.bytes)});
}

// Is all that this launch has done to go on with counters from where the launch before has left
// them, which wrote other memory, too?
void look_at_counters() {
  Outcomes& all = outcomes();
  Outcome& present = all.present;
  const bool whole = kernel->blocks_looked_at - present.looked_at == running->blocks;
  const auto& before = all.latest[kernel].counters;
  const auto goes_on = [&](const Counter& one) {
    return one.first != 0 && std::any_of(before.begin(), before.end(), [&](const Counter& other) {
             return other.address == one.address && other.left == one.first;
           });
  };
  if (whole && present.written.empty() && !present.counters.empty() &&
      present.counters.size() <= max_counters && all.writers.contains(kernel) &&
      std::all_of(present.counters.begin(), present.counters.end(), goes_on)) {
    const Counter& first = present.counters.front();
    all.going_on.push_back({kernel, running->launch.at, object_at(first.address), first});
  }
  if (!present.written.empty()) all.writers.insert(kernel);
}

// Does the kernel's second launch do what the first did, with nothing between, and add to sums that
// were 0 before the first?
void look_at_sums() {
  Outcomes& all = outcomes();
  std::erase_if(all.adding_on,
                [](const AddsOn& one) { return one.second.kernel == kernel; });  // a third one
  const Outcome& before = all.latest[kernel];
  if (kernel->launches != 2 || before.arguments != all.present.arguments ||
      before.filled != all.present.filled || all.adding_on.size() >= 100)
    return;
  for (const Counter& one : all.present.counters)
    for (const Counter& other : before.counters) {
      if (other.address != one.address || other.first != 0 || one.first == 0 ||
          other.left != one.first || one.left == one.first)
        continue;
      all.adding_on.push_back(
          {{kernel, running->launch.at, object_at(one.address), one}, all.launches});
      return;
    }
}

void look_at_buffers() {
  Outcomes& all = outcomes();
  const auto& before = all.latest[kernel].written;
  const auto& latest = all.present.written;
  if (before.size() != 1 || latest.size() != 1 || before == latest || !all.present.reads_it ||
      before[0].bytes != latest[0].bytes)
    return;
  for (const Buffer& one : {before[0], latest[0]})
    if (object_at(one.begin).what == nullptr ||
        !is_on_device(reinterpret_cast<const void*>(one.begin)))  // NOLINT
      return;
  all.turned = Turned{kernel, before[0], latest[0]};
}

// What lies there is read, or may be.
void is_read(std::uintptr_t address) {
  Outcomes& all = outcomes();
  std::erase_if(all.not_read,
                [&](const Turned& one) { return !one.freed && one.latest.has(address); });
  if (all.turned && all.turned->latest.has(address)) all.turned.reset();
}

bool adds(const Place& place) {
  static const auto& sum = *new Pattern(R"(\batomic(Add|Sub)\s*\()");
  return sum.is_in(source_line(place.file, place.line));
}

// Does the line do something with what the atomic function returns?
bool takes_numbers(const Place& place) {
  static const auto& use = *new Pattern(R"([[(,=]\s*atomic(Add|Sub|Inc|Dec)\s*\()");
  return use.is_in(source_line(place.file, place.line));
}

std::string launch_text(const GoesOn& one, const Place& place) {
  return place_text(place) + "note: kernel " + one.kernel->name + ", launched at " +
         base_name(one.at.file_name()) + ":" + std::to_string(one.at.line());
}

std::string counter_text(const GoesOn& one) {
  const auto& [kernel, at, object, counter] = one;
  if (object.what == nullptr && object.bytes == counter.bytes) return object.name;
  return element_text(object, static_cast<std::ptrdiff_t>(counter.address - object.begin),
                      counter.bytes);
}

}  // namespace

void begin_outcome() {
  const std::lock_guard lock(outcomes().mutex);
  Outcomes& all = outcomes();
  all.present = {};
  all.present.looked_at = kernel->blocks_looked_at;
  all.present.arguments = std::exchange(all.arguments, {});
  all.present.filled = all.filled;
  const auto& before = all.latest[kernel].written;
  if (before.size() == 1) all.present.result_before = before[0];
  ++all.launches;
  all.turned.reset();
}

void note_outcome(const Access& access) {
  if (!outcomes().not_read.empty()) {
    const std::lock_guard lock(outcomes().mutex);
    is_read(access.address);
  }
  Outcome& present = outcomes().present;
  present.reads_it |= (access.flags & is_write) == 0 && present.result_before.has(access.address);
  if ((access.flags & is_write) == 0) return;
  if ((access.flags & is_atomic) != 0) return note_counter(access);
  auto& all = outcomes().present.written;
  for (const Buffer& one : all)
    if (one.has(access.address)) return;
  if (all.size() > max_written) return;
  const Object object = object_at(access.address);
  all.push_back({object.begin, object.bytes});
}

void end_outcome() {
  const std::lock_guard lock(outcomes().mutex);
  for (Counter& one : outcomes().present.counters) one.left = value_at(one.address, one.bytes);
  look_at_counters();
  look_at_sums();
  look_at_buffers();
  outcomes().latest[kernel] = std::move(outcomes().present);
}

void outcome_given(const void* bytes, std::size_t size) {
  const std::lock_guard lock(outcomes().mutex);
  const auto* const begin = static_cast<const char*>(bytes);
  outcomes().arguments.insert(outcomes().arguments.end(), begin, begin + size);
  for (std::size_t at = 0; at + sizeof(void*) <= size; at += sizeof(void*)) {
    std::uintptr_t pointer = 0;
    std::memcpy(&pointer, static_cast<const char*>(bytes) + at, sizeof pointer);
    is_read(pointer);
  }
}

void outcome_copied(const void* from, bool to_host) {
  const std::lock_guard lock(outcomes().mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  is_read(address);
  ++outcomes().filled;
  for (AddsOn& one : outcomes().adding_on)
    one.copied |= to_host && address - one.second.object.begin < one.second.object.bytes;
  auto& turned = outcomes().turned;
  if (!to_host || !turned || !turned->before.has(address)) return;
  turned->copied = callers();
  outcomes().not_read.push_back(*turned);
  turned.reset();
}

void outcome_filled(const void* to) {
  const std::lock_guard lock(outcomes().mutex);
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  ++outcomes().filled;
  std::erase_if(outcomes().adding_on, [&](const AddsOn& one) {
    return !one.copied && address - one.second.object.begin < one.second.object.bytes;
  });
}

void outcome_event(cudaEvent_t event) {
  const std::lock_guard lock(outcomes().mutex);
  outcomes().recorded[event] = outcomes().launches;
}

void outcome_timed(cudaEvent_t start, cudaEvent_t stop) {
  const std::lock_guard lock(outcomes().mutex);
  Outcomes& all = outcomes();
  const unsigned before = all.recorded[start];
  for (AddsOn& one : all.adding_on)
    one.timed |= all.recorded[stop] == before + 1 && one.launch == before + 1;
}

void outcome_freed(std::uintptr_t begin) {
  const std::lock_guard lock(outcomes().mutex);
  for (Turned& one : outcomes().not_read) one.freed |= one.latest.begin == begin;
}

void add_places_of_outcomes(std::set<const void*>& places) {
  for (const Turned& one : outcomes().not_read) add_callers(places, one.copied);
  for (const GoesOn& one : outcomes().going_on) places.insert(one.counter.place);
  for (const AddsOn& one : outcomes().adding_on) places.insert(one.second.counter.place);
}

void add_hints_of_outcomes(std::vector<Mistake>& all) {
  for (const Turned& one : outcomes().not_read)
    if (const Place* const place = caller_line(one.copied))
      all.push_back(
          {Mistake::Kind::never_written, true,
           place_text(*place) + "note: copies from " +
               object_text(object_at(one.before.begin), *place) + ", which kernel " +
               one.kernel->name + " wrote in the launch before its last; what the last of its " +
               std::to_string(one.kernel->launches) +
               " launches wrote, as many bytes elsewhere, is never read: the result is in "
               "the other buffer"});
  for (const GoesOn& one : outcomes().going_on) {
    const Place& place = place_of(one.counter.place);
    if (!place.known || !takes_numbers(place)) continue;
    all.push_back({Mistake::Kind::never_written, true,
                   launch_text(one, place) + ", writes nothing, as a launch of it before did: " +
                       counter_text(one) + " begins with " + std::to_string(one.counter.first) +
                       ", as that has left it; it was not put back"});
  }
  for (const AddsOn& one : outcomes().adding_on) {
    const Place& place = place_of(one.second.counter.place);
    if (!one.timed || !one.copied || !place.known || !adds(place) || takes_numbers(place)) continue;
    all.push_back({Mistake::Kind::never_written, true,
                   launch_text(one.second, place) + ", adds once more to " +
                       counter_text(one.second) +
                       " what its first launch has added; where that was to warm up, it has to be "
                       "0 again before the launch that is timed"});
  }
}

}  // namespace emulated::explain
