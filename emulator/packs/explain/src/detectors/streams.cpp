// Work in several streams of which one piece uses what another one writes, and nothing makes it
// wait; and the host, which uses pinned or managed memory that a kernel or a copy may still be
// using.
//
// Each piece of work (a kernel, a copy, a fill) has a number in its stream. Of each stream, of each
// event and of the host it is kept up to which number of every stream it comes behind (a vector
// clock): the default stream waits for all that were not made with cudaStreamNonBlocking, and they
// for it. Several host threads count as one, so that what one of them has waited for is ordered for
// all. Of each byte that work has used the latest uses are kept, of kernels those of the blocks
// that are looked at. Two kernels that both change or read it atomically or volatile may speak with
// each other, so the later one comes behind the earlier one.
#include "streams/stream.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
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
#include "record/memory.h"

namespace emulated::explain {

bool host_may_come_too_early = false;

namespace {

// How a byte is used; marked: atomically or volatile.
enum Use : std::uint8_t { reads = 1, writes = 2, marked_reads = 4, marked_writes = 8 };
constexpr unsigned all_writes = writes | marked_writes, all_marked = marked_reads | marked_writes;

bool in_conflict(unsigned a, unsigned b) {
  if (((a | b) & all_writes) == 0) return false;
  return ((a & writes) != 0 && b != 0) || ((b & writes) != 0 && a != 0) ||
         ((a & marked_writes) != 0 && (b & reads) != 0) ||
         ((b & marked_writes) != 0 && (a & reads) != 0);
}
bool may_speak(unsigned a, unsigned b) {
  return (a & all_marked) != 0 && (b & all_marked) != 0 && ((a | b) & marked_writes) != 0;
}

// By stream: this comes behind so many of its pieces of work.
struct Behind {
  std::vector<std::uint32_t> behind;
  void join(const Behind& other) {
    if (behind.size() < other.behind.size()) behind.resize(other.behind.size());
    for (std::size_t i = 0; i < other.behind.size(); ++i)
      behind[i] = std::max(behind[i], other.behind[i]);
  }
  bool covers(unsigned stream, std::uint32_t number) const {
    return stream < behind.size() && behind[stream] >= number;
  }
};

struct Stream {
  cudaStream_t handle = nullptr;  // nullptr: the device's default stream
  int device = 0;
  bool waits_for_default = false;
  Behind clock{};
  std::uint32_t count = 0;  // of its pieces of work
};

struct Work {
  unsigned stream = 0;
  std::uint32_t number = 0;
  Behind clock{};  // it comes behind that, itself included
  const char* kernel = nullptr;
  Location at;        // of the kernel's launch
  Callers callers{};  // of a copy or a fill
  const char* what = "the copy";
  bool in_default = false, is_non_blocking = false;
};
using WorkPointer = std::shared_ptr<const Work>;

struct UseBefore {
  WorkPointer work;
  unsigned use = 0;
};
// Bytes up to `end` of which the same is known.
struct Stretch {
  std::uintptr_t end = 0;
  bool on_host = false;  // pinned or managed memory
  std::vector<UseBefore> uses{};
};
using Stretches = std::map<std::uintptr_t, Stretch>;

// What a kernel has done to bytes of a page: a Use for each.
constexpr std::uintptr_t page = 4096;
using PageOfUses = std::array<std::uint8_t, page>;
struct Range {
  std::uintptr_t begin = 0, end = 0;
  unsigned use = 0;
};

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

constexpr std::size_t max_stretches = std::size_t{1} << 20, max_pages = std::size_t{1} << 16,
                      max_found = 200;

struct Streams {
  std::mutex mutex;
  bool any_made = false;  // besides the default streams
  std::vector<Stream> all;
  std::map<cudaEvent_t, Behind> events;
  std::map<cudaEvent_t, std::uint64_t> recorded_at;     // by how much work there had been in all
  std::vector<Callers> measured_nothing;                // cudaEventElapsedTime
  std::multimap<cudaEvent_t, WaitInVain> not_recorded;  // waits for these events so far
  std::vector<WaitInVain> in_vain;
  Behind host;
  Stretches stretches;
  std::vector<TooEarly> found;
  // Of the kernel that runs.
  std::shared_ptr<Work> kernel;
  std::unordered_map<std::uintptr_t, std::unique_ptr<PageOfUses>> pages;
  std::uintptr_t recent_page = 0;
  PageOfUses* recent = nullptr;
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

unsigned number_of(cudaStream_t handle) {
  Streams& own = streams();
  if (handle == cudaStreamLegacy) handle = nullptr;
  const bool made = !is_default(handle);
  const int device = made ? handle->device : current_device();
  const bool waits = handle != nullptr && !(made && (handle->flags & cudaStreamNonBlocking) != 0);
  for (unsigned i = 0; i < own.all.size(); ++i) {
    Stream& one = own.all[i];
    if (one.handle != handle || one.device != device) continue;
    one.waits_for_default = waits;
    return i;
  }
  own.all.push_back({handle, device, waits});
  return static_cast<unsigned>(own.all.size() - 1);
}

// What comes in this stream now comes behind what it and the host have waited for.
Behind& clock_of(unsigned number) {
  Streams& own = streams();
  Stream& stream = own.all[number];
  stream.clock.join(own.host);
  for (const Stream& other : own.all)
    if (other.device == stream.device &&
        (stream.handle == nullptr ? other.waits_for_default
                                  : stream.waits_for_default && other.handle == nullptr))
      stream.clock.join(other.clock);
  return stream.clock;
}

std::shared_ptr<Work> next_work(unsigned number) {
  Behind& clock = clock_of(number);
  Stream& stream = streams().all[number];
  if (clock.behind.size() <= number) clock.behind.resize(number + 1);
  clock.behind[number] = ++stream.count;
  auto work = std::make_shared<Work>();
  work->stream = number;
  work->number = stream.count;
  work->clock = clock;
  work->in_default = stream.handle == nullptr;
  work->is_non_blocking = stream.handle != nullptr && !stream.waits_for_default;
  return work;
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

void split_at(std::uintptr_t at) {
  Stretches& stretches = streams().stretches;
  auto it = stretches.upper_bound(at);
  if (it == stretches.begin()) return;
  --it;
  if (it->first == at || it->second.end <= at) return;
  Stretch rest = it->second;
  it->second.end = at;
  stretches.emplace_hint(std::next(it), at, std::move(rest));
}

// Calls it with the beginning and the uses of each stretch of the range, which are made
// where there are none.
template <class Function>
void for_each_use(const Range& run, bool on_host, Function function) {
  Stretches& stretches = streams().stretches;
  split_at(run.begin);
  split_at(run.end);
  auto it = stretches.lower_bound(run.begin);
  for (std::uintptr_t at = run.begin; at < run.end; at = it->second.end, ++it) {
    if (it == stretches.end() || it->first > at) {
      const std::uintptr_t end = it == stretches.end() ? run.end : std::min(run.end, it->first);
      it = stretches.emplace_hint(it, at, Stretch{end, on_host});
    }
    function(at, it->second);
  }
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

void use(const std::shared_ptr<Work>& work, const Range& run) {
  Streams& own = streams();
  const bool on_host = is_for_the_host(run.begin);
  if (is_of_several_devices(run.begin) || (!several_streams() && !on_host)) return;
  host_may_come_too_early |= on_host;
  if (own.stretches.size() > max_stretches) own.stretches.clear();
  bool alone = true;
  for_each_use(run, on_host, [&](std::uintptr_t at, Stretch& stretch) {
    std::erase_if(stretch.uses, [&](const UseBefore& before) {
      if (work->clock.covers(before.work->stream, before.work->number))
        return (run.use & all_writes) != 0 || (before.use & all_writes) == 0;
      if (!in_conflict(run.use, before.use)) return false;
      add_found({before.work,
                 work,
                 nullptr,
                 (run.use & all_writes) != 0,
                 (before.use & all_writes) != 0,
                 {}},
                at, stretch.end);
      return true;  // what comes next would only repeat it
    });
    alone &= stretch.uses.empty();
    constexpr std::size_t max_uses = 16;
    if (stretch.uses.size() < max_uses) stretch.uses.push_back({work, run.use});
  });
  if (!alone) return;
  own.stretches.erase(own.stretches.lower_bound(run.begin), own.stretches.lower_bound(run.end));
  own.stretches[run.begin] = {run.end, on_host, {{work, run.use}}};
}

// A kernel comes behind those with which it may have spoken.
void come_behind(Work& work, const Range& run) {
  if ((run.use & all_marked) == 0) return;
  const Stretches& stretches = streams().stretches;
  auto it = stretches.upper_bound(run.begin);
  if (it != stretches.begin()) --it;
  for (; it != stretches.end() && it->first < run.end; ++it)
    if (it->second.end > run.begin)
      for (const UseBefore& before : it->second.uses)
        if (may_speak(before.use, run.use)) work.clock.join(before.work->clock);
}

// What the kernel has done, and forgets it.
std::vector<Range> runs_of_kernel() {
  Streams& own = streams();
  std::vector<std::uintptr_t> begins;
  for (const auto& [begin, uses] : own.pages) begins.push_back(begin);
  std::sort(begins.begin(), begins.end());
  std::vector<Range> runs;
  for (const std::uintptr_t begin : begins) {
    const PageOfUses& uses = *own.pages[begin];
    for (std::size_t i = 0; i < page; ++i) {
      if (uses[i] == 0) continue;
      const std::uintptr_t at = begin * page + i;
      if (runs.empty() || runs.back().end != at || runs.back().use != uses[i])
        runs.push_back({at, at, uses[i]});
      runs.back().end = at + 1;
    }
  }
  own.pages.clear();
  own.recent = nullptr;
  own.recent_page = 0;
  return runs;
}

void use_range(const void* begin, std::size_t bytes, unsigned how, const char* what) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  if (bytes == 0 || depth == 0 || note_at(first) == 0) return;
  if (!several_streams() && device_arena().contains(begin)) return;
  std::shared_ptr<Work>& work = present_copy();
  if (work == nullptr) {
    work = next_work(present_stream);
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
  present_stream = number_of(stream);
}

void work_ended() {
  if (--depth == 0) present_copy() = nullptr;
}

void host_waits_for(cudaStream_t stream) {
  const std::lock_guard lock(streams().mutex);
  streams().host.join(clock_of(depth > 0 ? present_stream : number_of(stream)));
}

void host_waits_for(cudaEvent_t event) {
  const std::lock_guard lock(streams().mutex);
  const auto it = streams().events.find(event);
  if (it != streams().events.end()) streams().host.join(it->second);
}

void host_waits_for_all() {
  const std::lock_guard lock(streams().mutex);
  for (const Stream& one : streams().all) streams().host.join(one.clock);
  host_may_come_too_early = false;
}

static std::uint64_t all_work() {
  std::uint64_t count = 0;
  for (const Stream& one : streams().all) count += one.count;
  return count;
}

void event_recorded(cudaEvent_t event, cudaStream_t stream) {
  const std::lock_guard lock(streams().mutex);
  const unsigned number = number_of(stream);
  streams().events[event] = clock_of(number);
  streams().recorded_at[event] = all_work();
  const auto [begin, end] = streams().not_recorded.equal_range(event);
  for (auto it = begin; it != end; ++it) {
    it->second.recorded_in = number;
    streams().in_vain.push_back(it->second);
  }
  streams().not_recorded.erase(begin, end);
}

// Between the two events there was work, but none that the second one comes behind.
void time_asked(cudaEvent_t start, cudaEvent_t stop) {
  const std::lock_guard lock(streams().mutex);
  const auto& events = streams().events;
  const auto end = events.end();
  const auto first = events.find(start), last = events.find(stop);
  auto& all = streams().measured_nothing;
  if (first == end || last == end || all.size() >= max_found ||
      streams().recorded_at[start] >= streams().recorded_at[stop])
    return;
  for (unsigned i = 0; i < last->second.behind.size(); ++i)
    if (!first->second.covers(i, last->second.behind[i])) return;
  all.push_back(callers());
}

void stream_waits_for(cudaStream_t stream, cudaEvent_t event) {
  const std::lock_guard lock(streams().mutex);
  const auto it = streams().events.find(event);
  const unsigned number = number_of(stream);
  if (event->recorded && it != streams().events.end())
    clock_of(number).join(it->second);
  else if (streams().not_recorded.size() + streams().in_vain.size() < max_found)
    streams().not_recorded.emplace(event, WaitInVain{number, 0, callers()});
}

// ---- what uses memory ----
void forget_uses(std::uintptr_t begin, std::size_t bytes) {
  const std::lock_guard lock(streams().mutex);
  split_at(begin);
  split_at(begin + bytes);
  Stretches& stretches = streams().stretches;
  stretches.erase(stretches.lower_bound(begin), stretches.lower_bound(begin + bytes));
}

void copy_uses(const void* to, const void* from, std::size_t bytes) {
  const std::lock_guard lock(streams().mutex);
  if (depth == 0) return;
  // A copy between devices, in their default streams, comes behind all and before all.
  const bool between = from != nullptr && is_device(1) && is_on_device(to) && is_on_device(from) &&
                       streams().all[present_stream].handle == nullptr;
  Behind& clock = clock_of(present_stream);
  if (between)
    for (const Stream& one : streams().all) clock.join(one.clock);
  const char* const what = from == nullptr ? "the fill" : "the copy";
  if (from != nullptr) use_range(from, bytes, reads, what);
  use_range(to, bytes, writes, what);
  if (between)
    for (Stream& one : streams().all) one.clock.join(clock_of(present_stream));
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
  own.kernel = next_work(present_stream);
  own.kernel->kernel = launch.name;
  own.kernel->at = launch.at;
}

void note_kernel_use(const Access& access) {
  Streams& own = streams();
  if (own.kernel == nullptr) return;
  const bool marked = (access.flags & (is_atomic | is_volatile)) != 0;
  std::uint8_t use = marked ? marked_reads : reads;
  if ((access.flags & is_write) != 0) use = marked ? marked_writes : writes;
  for (std::uintptr_t at = access.address; at < access.address + access.bytes; ++at) {
    if (at / page != own.recent_page) {
      own.recent_page = at / page;
      const auto* const pointer =
          reinterpret_cast<const void*>(at);  // NOLINT(performance-no-int-to-ptr)
      auto it = own.pages.find(at / page);
      if (it == own.pages.end() && own.pages.size() < max_pages &&
          (several_streams() || !device_arena().contains(pointer)))
        it = own.pages.emplace(at / page, std::make_unique<PageOfUses>()).first;
      own.recent = it == own.pages.end() ? nullptr : it->second.get();
    }
    if (own.recent != nullptr) (*own.recent)[at % page] |= use;
  }
}

void end_kernel_uses(bool host_is_told) {
  Streams& own = streams();
  {
    const std::lock_guard lock(own.mutex);
    if (own.kernel == nullptr) return;
    const std::shared_ptr<Work> work = std::exchange(own.kernel, nullptr);
    const std::vector<Range> runs = runs_of_kernel();
    for (const Range& run : runs) come_behind(*work, run);
    for (const Range& run : runs) use(work, run);
    own.all[work->stream].clock.join(work->clock);
    if (host_is_told) own.host.join(work->clock);
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
    split_at(first);
    split_at(first + bytes);
  }
  auto it = own.stretches.upper_bound(first);
  if (it != own.stretches.begin()) --it;
  for (; it != own.stretches.end() && it->first < first + bytes; ++it) {
    if (it->second.end <= first || !it->second.on_host) continue;
    for (const UseBefore& before : it->second.uses) {
      if (own.host.covers(before.work->stream, before.work->number) ||
          !in_conflict(how, before.use))
        continue;
      if (marked) {  // the host waits for a word that the kernel writes
        if ((before.use & marked_writes) != 0) own.host.join(before.work->clock);
        continue;
      }
      // The runtime tells it itself (memory/managed.h).
      if (is_closed(address, bytes)) continue;
      const std::uintptr_t begin = std::max(first, it->first);
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
    if (marked && it->first >= first) it->second.uses.clear();
  }
}

// ---- the report ----
// The program has come to its end, and nothing has waited for what writes the host's memory.
static void find_unfinished() {
  if (asked_to_end != 0 || exit_code() != 0 || error_count() > 0) return;
  for (const auto& [begin, stretch] : streams().stretches)
    for (const UseBefore& before : stretch.uses)
      if (stretch.on_host && (before.use & all_writes) != 0 &&
          !streams().host.covers(before.work->stream, before.work->number))
        add_found({before.work, nullptr, nullptr, false, true, {}}, begin, stretch.end);
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
