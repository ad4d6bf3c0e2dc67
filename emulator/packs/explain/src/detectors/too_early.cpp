// Work that uses what other work writes, and nothing orders the two (order/work_order.h); and the
// host, which uses pinned or managed memory that work may still be using.
//
// Two kernels that both change or read a byte atomically or volatile may speak with each other, so
// the later one happens after the earlier one.
#include "detectors/too_early.h"

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "device/device.h"
#include "diagnosis/report.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "explain.h"
#include "launch/declarations.h"
#include "memory/arena.h"
#include "memory/managed.h"
#include "order/work_order.h"
#include "record/memory.h"
#include "record/objects.h"
#include "record/uses.h"
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

struct Streams {
  std::mutex mutex;
  bool any_made = false;  // besides the default streams
  WorkOrder order;
  WorkUses uses;
  std::vector<Callers> measured_nothing;                // cudaEventElapsedTime
  std::multimap<cudaEvent_t, WaitInVain> not_recorded;  // waits for these events so far
  std::vector<WaitInVain> in_vain;
  std::vector<TooEarly> found;
  // Of the kernel that runs.
  std::shared_ptr<Work> kernel;
  KernelUses kernel_uses;
};
Streams& streams() {
  static auto& value = *new Streams;
  return value;
}

// The stream to which this host thread gives its present piece of work. A graph's nodes are pieces
// within another one.
thread_local constinit unsigned depth = 0, present_stream = 0;
// The present copy or fill, once it has used memory. Never destroyed.
std::shared_ptr<Work>& present_copy() {
  static thread_local auto& work = *new std::shared_ptr<Work>;
  return work;
}

// One device and one stream: all is ordered but for the host.
bool several_streams() {
  static const bool several_devices = is_device(1);
  return several_devices || streams().any_made;
}

bool is_for_the_host(std::uintptr_t address) {
  const auto* const pointer =
      reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  return !is_on_device(pointer) && object_at(address).what != nullptr;
}

// A variable has one address on all devices.
bool is_of_several_devices(std::uintptr_t address) {
  return is_device(1) && variable_at(reinterpret_cast<const void*>(  // NOLINT
                             address)) != nullptr;
}

bool is_same_place(const Work& a, const Work& b) {
  return a.kernel == b.kernel && a.callers == b.callers &&
         (a.kernel == nullptr || (a.at.line() == b.at.line() && a.at.column() == b.at.column()));
}

void add_found(TooEarly one, std::uintptr_t begin, std::uintptr_t end) {
  auto& found = streams().found;
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

void use(const std::shared_ptr<Work>& work, const Range& range) {
  const bool on_host = is_for_the_host(range.begin);
  if (is_of_several_devices(range.begin) || (!several_streams() && !on_host)) return;
  host_may_come_too_early |= on_host;
  streams().uses.add(work, range, on_host,
                     [&](const UseBefore& before, std::uintptr_t begin, std::uintptr_t end) {
                       add_found({before.work,
                                  work,
                                  nullptr,
                                  (range.use & all_writes) != 0,
                                  (before.use & all_writes) != 0,
                                  {}},
                                 begin, end);
                     });
}

// A kernel happens after those with which it may have spoken.
void join_those_that_spoke(Work& work, const Range& range) {
  if ((range.use & all_marked) == 0) return;
  streams().uses.for_each(range.begin, range.end, [&](std::uintptr_t, const Stretch& stretch) {
    for (const UseBefore& before : stretch.uses)
      if (may_speak(before.use, range.use)) work.clock.join(before.work->clock);
  });
}

void use_range(const void* begin, std::size_t bytes, unsigned how, const char* what) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0 || depth == 0 || note_at(first) == 0) return;
  if (!several_streams() && device_arena().contains(begin)) return;
  std::shared_ptr<Work>& work = present_copy();
  if (work == nullptr) {
    work = streams().order.next_work(present_stream);
    work->callers = callers();
    work->what = what;
  }
  use(work, {first, first + bytes, how});
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

constexpr const char* given_back = "cudaFreeAsync";

const char* stream_text(const Work& of, const Work& other) {
  if (of.in_default && other.is_non_blocking)
    return "in the default stream, for which a stream with cudaStreamNonBlocking does not wait";
  if (of.in_default) return "in another device's default stream";
  return "in another stream";
}

// Where the program asks for the work; none where that is not known.
std::optional<Place> place_of_work(const Work& work) {
  if (work.kernel == nullptr) {
    const Place* const line = caller_line(work.callers);
    return line != nullptr ? std::optional(*line) : std::nullopt;
  }
  Place place;
  place.file = work.at.file_name();
  place.line = work.at.line();
  return place;
}

std::string text_of_streams(const TooEarly& one) {
  const Work &later = *one.later, &earlier = *one.earlier;
  const std::optional<Place> place = place_of_work(later);
  if (!place) return "";
  const bool frees = later.kernel == nullptr && later.what == given_back;
  const std::string writes = frees ? " gives back " : " writes ";
  std::string advice =
      "; nothing makes it wait: cudaEventRecord behind the one and cudaStreamWaitEvent before the "
      "other do";
  for (const WaitInVain& wait : streams().in_vain)
    if (wait.stream == later.stream && wait.recorded_in == earlier.stream)
      advice = "; cudaStreamWaitEvent" + line_text(wait.callers, *place) +
               " came before the event was recorded, and waits for nothing";
  return place_text(*place) + "too early: " + name_of_work(later) +
         (one.writes ? writes : " reads ") + "bytes " + std::to_string(one.begin) + " to " +
         std::to_string(one.end - 1) + " of " + object_text(one.object, *place) + ", which " +
         work_text(earlier, place->file) + " " + (one.earlier_writes ? "writes " : "reads ") +
         stream_text(earlier, later) + advice;
}

std::string text_of_host(const TooEarly& one) {
  const Place& place = place_of(one.place);
  if (!place.known) return "";
  return place_text(place) + "too early: the host " + (one.writes ? "writes " : "reads ") +
         element_text(one.object, one.begin, one.bytes) + " of " + object_text(one.object, place) +
         ", which " + work_text(*one.earlier, place.file) + " may still be " +
         (one.earlier_writes ? "writing" : "reading") + "; call cudaDeviceSynchronize() first";
}

}  // namespace

// ---- what the runtime tells ----
void stream_made() { streams().any_made = true; }

void work_begins(cudaStream_t stream) {
  if (depth++ > 0) return;
  const std::lock_guard lock(streams().mutex);
  present_stream = streams().order.number_of(stream);
}

void work_ended() {
  if (--depth == 0) present_copy() = nullptr;
}

void host_waits_for(cudaStream_t stream) {
  const std::lock_guard lock(streams().mutex);
  WorkOrder& order = streams().order;
  order.host_waits_for(order.clock_of(depth > 0 ? present_stream : order.number_of(stream)));
}

void host_waits_for(cudaEvent_t event) {
  const std::lock_guard lock(streams().mutex);
  WorkOrder& order = streams().order;
  if (const WorkClock* const clock = order.recorded(event)) order.host_waits_for(*clock);
}

void host_waits_for_all() {
  const std::lock_guard lock(streams().mutex);
  streams().order.host_waits_for_all();
  host_may_come_too_early = false;
}

void event_recorded(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(streams().mutex);
  const unsigned number = streams().order.number_of(stream);
  streams().order.record(event, number);
  const auto [begin, end] = streams().not_recorded.equal_range(event);
  for (auto it = begin; it != end; ++it) {
    it->second.recorded_in = number;
    streams().in_vain.push_back(it->second);
  }
  streams().not_recorded.erase(begin, end);
}

// Between the two events there was work, but none that the second one happens after.
void time_asked(cudaEvent_t start, cudaEvent_t stop) {
  const std::lock_guard lock(streams().mutex);
  const WorkOrder& order = streams().order;
  const WorkClock *const first = order.recorded(start), *const last = order.recorded(stop);
  auto& all = streams().measured_nothing;
  if (first == nullptr || last == nullptr || all.size() >= max_found ||
      order.count_at(start) >= order.count_at(stop))
    return;
  for (unsigned i = 0; i < last->numbers.size(); ++i)
    if (!first->covers(i, last->numbers[i])) return;
  all.push_back(callers());
}

void stream_waits_for(cudaStream_t stream, cudaEvent_t event) {
  const std::lock_guard lock(streams().mutex);
  WorkOrder& order = streams().order;
  const WorkClock* const clock = order.recorded(event);
  const unsigned number = order.number_of(stream);
  if (event->recorded && clock != nullptr)
    order.clock_of(number).join(*clock);
  else if (streams().not_recorded.size() + streams().in_vain.size() < max_found)
    streams().not_recorded.emplace(event, WaitInVain{number, 0, callers()});
}

// ---- what uses memory ----
void forget_uses(std::uintptr_t begin, std::size_t bytes) {
  const std::lock_guard lock(streams().mutex);
  streams().uses.forget(begin, begin + bytes);
}

void copy_uses(const void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(streams().mutex);
  if (depth == 0) return;
  // A copy between devices, in their default streams, comes after all and before all.
  WorkOrder& order = streams().order;
  const bool between = from != nullptr && is_device(1) && is_on_device(to) && is_on_device(from) &&
                       order.is_default(present_stream);
  if (between) order.joins_all(present_stream);
  const char* const what = from == nullptr ? "the fill" : "the copy";
  if (from != nullptr) use_range(from, bytes, reads, what);
  use_range(to, bytes, writes, what);
  if (between) order.joined_by_all(present_stream);
}

void memory_given_back(const void* begin) {
  const Object object = object_at(reinterpret_cast<std::uintptr_t>(begin));
  const std::lock_guard lock(streams().mutex);
  if (object.begin == reinterpret_cast<std::uintptr_t>(begin))
    use_range(begin, object.bytes, writes, given_back);
}

void begin_kernel_uses(const Launch& launch) {
  work_begins(launch.stream);
  Streams& own = streams();
  const std::lock_guard lock(own.mutex);
  present_copy() = nullptr;  // a graph's next copy comes behind
  own.kernel = own.order.next_work(present_stream);
  own.kernel->kernel = launch.name;
  own.kernel->at = launch.at;
}

// With one stream only what the host sees is of interest.
static bool is_of_interest(std::uintptr_t address) {
  const auto* const pointer =
      reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  return several_streams() || !device_arena().contains(pointer);
}

void note_kernel_use(const Access& access) {
  Streams& own = streams();
  if (own.kernel == nullptr) return;
  const bool marked = (access.flags & (is_atomic | is_volatile)) != 0;
  Use use = marked ? marked_reads : reads;
  if ((access.flags & is_write) != 0) use = marked ? marked_writes : writes;
  own.kernel_uses.add(access.address, access.bytes, use, is_of_interest);
}

void end_kernel_uses(bool host_is_told) {
  Streams& own = streams();
  {
    const std::lock_guard lock(own.mutex);
    if (own.kernel == nullptr) return;
    const std::shared_ptr<Work> work = std::exchange(own.kernel, nullptr);
    const std::vector<Range> ranges = own.kernel_uses.take();
    for (const Range& range : ranges) join_those_that_spoke(*work, range);
    for (const Range& range : ranges) use(work, range);
    own.order.join(work->stream, work->clock);
    if (host_is_told) own.order.host_waits_for(work->clock);
  }
  work_ended();
}

void note_host_use(const void* address, std::size_t bytes, unsigned flags, const void* place) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (inside_kernel || note_at(first) == 0 || device_arena().contains(address)) return;
  Streams& own = streams();
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
    // It has seen the word, which by a plain write tells nothing of others.
    if (marked && at >= first) stretch.uses.clear();
  });
  if (is_closed(address, bytes)) open_closed_memory();  // the access is looked at only once
}

const void* first_being_written(const void* begin, const void* end) {
  Streams& own = streams();
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
  if (asked_to_end != 0 || exit_code() != 0 || error_count() > 0) return;
  streams().uses.for_each(0, UINTPTR_MAX, [](std::uintptr_t begin, const Stretch& stretch) {
    for (const UseBefore& before : stretch.uses)
      if (stretch.on_host && (before.use & all_writes) != 0 &&
          !before.work->happened_before(streams().order.host()))
        add_found({before.work, nullptr, nullptr, false, true, {}}, begin, stretch.end);
  });
}

static std::string text_of_end(const TooEarly& one) {
  const std::optional<Place> place = place_of_work(*one.earlier);
  if (!place) return "";
  return place_text(*place) + "too early: the program ends, and nothing has waited for " +
         name_of_work(*one.earlier) + ", which writes " + object_text(one.object, *place) +
         "; call cudaDeviceSynchronize() first";
}

void find_too_early(std::vector<Finding>& all) {
  find_unfinished();
  std::set<std::string> said;  // a line of the host's has many places
  for (const TooEarly& one : streams().found) {
    const std::string text = one.later != nullptr   ? text_of_streams(one)
                             : one.place != nullptr ? text_of_host(one)
                                                    : text_of_end(one);
    if (text.empty()) continue;
    const std::string key = one.later != nullptr ? text : text.substr(0, text.find(" the host "));
    if (said.insert(key).second) all.push_back({Finding::Kind::too_early, false, text});
  }
  for (const Callers& asked : streams().measured_nothing) {
    const Place* const place = caller_line(asked);
    if (place == nullptr) continue;
    const std::string text =
        place_text(*place) +
        "note: cudaEventElapsedTime measures nothing: what was done between the two events is in "
        "another stream, and their own does not wait for it; record them in that stream";
    if (said.insert(text).second) all.push_back({Finding::Kind::too_early, true, text});
  }
}

}  // namespace emulated::explain
