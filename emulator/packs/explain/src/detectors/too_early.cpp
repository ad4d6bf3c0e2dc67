// Work that uses what other work writes, and nothing orders the two (order/work_order.h); and the
// host, which uses pinned or managed memory that work may still be using.
//
// Two kernels that both change or read a byte atomically or volatile may speak with each other, so
// the later one happens after the earlier one.
#include "detectors/too_early.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "detectors/absence.h"
#include "diagnosis/report.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"
#include "memory/arena.h"
#include "memory/managed.h"
#include "order/work_order.h"
#include "record/ledger.h"
#include "record/memory.h"
#include "record/objects.h"
#include "record/uses.h"
#include "report/findings.h"
#include "streams/stream.h"

namespace emulated::explain {

bool host_may_come_too_early = false;

namespace {

// A stream has waited for an event before another one recorded it.
struct WaitInVain {
  unsigned stream = 0, recorded_in = 0;
  Callers callers{};
};

struct TooEarly {
  WorkPointer earlier, later;   // later: nullptr: the host, at
  const void* place = nullptr;  // this place; nullptr: the program's end
  bool writes = false, earlier_writes = false;
  Object object;
  std::ptrdiff_t begin = 0, end = 0;
  std::uint32_t bytes = 0;  // of the host's access
};

constexpr std::size_t max_found = 200;

struct TooEarlyState {
  std::vector<Callers> measured_nothing;                // cudaEventElapsedTime
  std::multimap<cudaEvent_t, WaitInVain> not_recorded;  // waits for these events so far
  std::vector<WaitInVain> in_vain;
  std::vector<TooEarly> found;
};
// To be used while the ledger's mutex is held.
TooEarlyState& too_early() {
  static auto& value = *new TooEarlyState;
  return value;
}

bool is_same_place(const Work& a, const Work& b) {
  return a.kernel == b.kernel && a.callers == b.callers &&
         (a.kernel == nullptr || is_same_location(a.at, b.at));
}

void add_found(TooEarly one, std::uintptr_t begin, std::uintptr_t end) {
  auto& found = too_early().found;
  for (TooEarly& other : found) {
    if (other.place != one.place || !is_same_place(*other.earlier, *one.earlier) ||
        (other.later == nullptr) != (one.later == nullptr) ||
        (one.later != nullptr && !is_same_place(*other.later, *one.later)))
      continue;
    // More of the same.
    const auto first = static_cast<std::ptrdiff_t>(begin - other.object.begin);
    if (one.later != nullptr && other.later == one.later && other.earlier == one.earlier &&
        other.end == first)
      other.end += static_cast<std::ptrdiff_t>(end - begin);
    return;
  }
  if (found.size() >= max_found) return;
  one.object = object_at(begin);
  one.begin = static_cast<std::ptrdiff_t>(begin - one.object.begin);
  one.end = static_cast<std::ptrdiff_t>(end - one.object.begin);
  found.push_back(std::move(one));
}

// "kernel scale", "the copy".
std::string name_of_work(const Work& work) {
  return work.kernel != nullptr ? std::string("kernel ") + work.kernel : work.what;
}

// "kernel scale in line 12", "the copy in line 12 of b.cu".
std::string work_text(const Work& work, const std::string& from) {
  if (work.kernel != nullptr) {
    const std::string file = work.at.file_name();
    return name_of_work(work) + " in line " + std::to_string(work.at.line()) +
           (base_name(file) == base_name(from) ? "" : " of " + base_name(file));
  }
  Place place;
  place.file = from;
  return name_of_work(work) + line_text(work.callers, place);
}

const char* stream_text(const Work& of, const Work& other) {
  if (of.in_default && other.is_non_blocking)
    return "in the default stream, for which a stream with cudaStreamNonBlocking does not wait";
  if (of.in_default) return "in another device's default stream";
  return "in another stream";
}

// Where the program asks for the work.
Place place_of_work(const Work& work) {
  if (work.kernel != nullptr) return place_of(work.at);
  const Place* const line = caller_line(work.callers);
  return line != nullptr ? *line : Place{};
}

Finding finding_in_streams(const TooEarly& one) {
  const Work &later = *one.later, &earlier = *one.earlier;
  const Place place = place_of_work(later);
  const bool frees = later.kernel == nullptr && later.what == given_back;
  const std::string writes = frees ? " frees" : " writes";
  std::string advice =
      "nothing makes it wait: call cudaEventRecord after the earlier work and "
      "cudaStreamWaitEvent before the later";
  for (const WaitInVain& wait : too_early().in_vain)
    if (wait.stream == later.stream && wait.recorded_in == earlier.stream)
      advice = "cudaStreamWaitEvent" + line_text(wait.callers, place) +
               " came before the event was recorded, and waits for nothing";
  return {.kind = Finding::Kind::too_early,
          .place = place,
          .other_place = place_of_work(earlier),
          .does = name_of_work(later) + (one.writes ? writes : " reads"),
          .element = "bytes " + std::to_string(one.begin) + " to " + std::to_string(one.end - 1) +
                     " of " + object_text(one.object, place),
          .details = ", which " + work_text(earlier, place.file) +
                     (one.earlier_writes ? " writes " : " reads ") + stream_text(earlier, later),
          .advice = advice};
}

Finding finding_on_host(const TooEarly& one) {
  const Place& place = place_of(one.place);
  return {.kind = Finding::Kind::too_early,
          .place = place,
          .other_place = place_of_work(*one.earlier),
          .does = one.writes ? "the host writes" : "the host reads",
          .element = element_text(one.object, one.begin, one.bytes) + " of " +
                     object_text(one.object, place),
          .details = ", which " + work_text(*one.earlier, place.file) + " may still be " +
                     (one.earlier_writes ? "writing" : "reading"),
          .advice = "call cudaDeviceSynchronize() first"};
}

Finding finding_at_end(const TooEarly& one) {
  const Place place = place_of_work(*one.earlier);
  return {.kind = Finding::Kind::too_early,
          .place = place,
          .does = "the program ends, and nothing has waited for " + name_of_work(*one.earlier) +
                  ", which writes",
          .element = object_text(one.object, place),
          .advice = "call cudaDeviceSynchronize() first"};
}

}  // namespace

void note_conflict(const UseBefore& before, const WorkPointer& work, unsigned use,
                   std::uintptr_t begin, std::uintptr_t end) {
  add_found(
      {before.work, work, nullptr, (use & all_writes) != 0, (before.use & all_writes) != 0, {}},
      begin, end);
}

void note_record(cudaEvent_t event, unsigned stream) {
  const auto [begin, end] = too_early().not_recorded.equal_range(event);
  for (auto it = begin; it != end; ++it) {
    it->second.recorded_in = stream;
    too_early().in_vain.push_back(it->second);
  }
  too_early().not_recorded.erase(begin, end);
}

void note_wait_in_vain(unsigned stream, cudaEvent_t event) {
  if (too_early().not_recorded.size() + too_early().in_vain.size() < max_found)
    too_early().not_recorded.emplace(event, WaitInVain{stream, 0, callers()});
}

// Between the two events there was work, but none that the second one happens after.
void note_time_asked(cudaEvent_t start, cudaEvent_t stop) {
  const WorkOrder& order = ledger().order;
  const WorkClock *const first = order.recorded(start), *const last = order.recorded(stop);
  auto& all = too_early().measured_nothing;
  if (first == nullptr || last == nullptr || all.size() >= max_found ||
      order.count_at(start) >= order.count_at(stop))
    return;
  for (unsigned i = 0; i < last->numbers.size(); ++i)
    if (!first->covers(i, last->numbers[i])) return;
  all.push_back(callers());
}

void note_host_use(const void* address, std::size_t bytes, unsigned flags, const void* place) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (inside_kernel || note_at(first) == 0 || device_arena().contains(address)) return;
  Ledger& own = ledger();
  const std::lock_guard lock(own.mutex);
  const bool marked = (flags & (is_atomic | is_volatile)) != 0;
  const unsigned how = (flags & is_write) != 0 ? writes : reads;
  if (marked) {
    own.uses.split_at(first);
    own.uses.split_at(first + bytes);
  }
  own.uses.for_each(first, first + bytes, [&](std::uintptr_t at, Stretch& stretch) {
    if (!stretch.on_host) return;
    for (const UseBefore& before : stretch.uses) {
      if (before.work->happened_before(own.order.host()) || !in_conflict(how, before.use)) continue;
      if (marked) {  // the host waits for a word that the kernel writes
        if ((before.use & marked_writes) != 0) own.order.host_waits_for(before.work->clock);
        continue;
      }
      const std::uintptr_t begin = std::max(first, at);
      add_found({before.work,
                 nullptr,
                 place,
                 how == writes,
                 (before.use & all_writes) != 0,
                 {},
                 0,
                 0,
                 static_cast<std::uint32_t>(std::min<std::size_t>(bytes, 16))},
                begin, begin + 1);
    }
    // It has seen the word, and a plain write orders nothing else.
    if (marked && at >= first) stretch.uses.clear();
  });
  if (is_closed(address, bytes)) open_closed_memory();  // the access is looked at only once
}

const void* first_being_written(const void* begin, const void* end) {
  Ledger& own = ledger();
  const std::unique_lock lock(own.mutex, std::try_to_lock);
  if (!lock.owns_lock()) return nullptr;
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const void* found = nullptr;
  own.uses.for_each(first, reinterpret_cast<std::uintptr_t>(end),
                    [&](std::uintptr_t at, const Stretch& stretch) {
                      for (const UseBefore& before : stretch.uses)
                        if (found == nullptr && (before.use & all_writes) != 0 &&
                            !before.work->happened_before(own.order.host()))
                          found = static_cast<const char*>(begin) + (std::max(first, at) - first);
                    });
  return found;
}

// ---- the report ----
// The program has come to its end, and nothing has waited for what writes the host's memory.
static void find_unfinished() {
  if (!ended_well() || exit_code() != 0) return;
  ledger().uses.for_each(0, UINTPTR_MAX, [](std::uintptr_t begin, const Stretch& stretch) {
    for (const UseBefore& before : stretch.uses)
      if (stretch.on_host && (before.use & all_writes) != 0 &&
          !before.work->happened_before(ledger().order.host()))
        add_found({before.work, nullptr, nullptr, false, true, {}}, begin, stretch.end);
  });
}

void find_too_early(std::vector<Finding>& all) {
  find_unfinished();
  std::set<std::string> said;  // a line of the host's has many places
  for (const TooEarly& one : too_early().found) {
    const bool is_on_host = one.later == nullptr && one.place != nullptr;
    const Finding found = one.later != nullptr ? finding_in_streams(one)
                          : is_on_host         ? finding_on_host(one)
                                               : finding_at_end(one);
    if (found.place.known && (!is_on_host || said.insert(place_text(found.place)).second))
      all.push_back(found);
  }
  for (const Callers& asked : too_early().measured_nothing)
    if (const Place* const place = caller_line(asked))
      all.push_back({.kind = Finding::Kind::too_early,
                     .is_note = true,
                     .place = *place,
                     .does = "cudaEventElapsedTime measures nothing",
                     .details = ": what was done between the two events is in another stream, and "
                                "the stream of the events does not wait for it",
                     .advice = "record them in that other stream"});
}

}  // namespace emulated::explain
