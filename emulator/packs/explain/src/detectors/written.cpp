// Reads of memory that nobody wrote.
//
// A read counts if nobody wrote any of its bytes: structures are read as a whole, with the padding
// between their members. Who reads what another thread writes later, with no barrier between, races
// with it, and that is reported instead. It is a mistake where it matters: where other values in
// that memory lead to other values that the host gets, or to another end of the kernel (again.h).
// Else it is a note; and where nothing at all differs, nothing: the thread has not used the value.
#include "detectors/written.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>

#include "detectors/again.h"
#include "detectors/too_early.h"
#include "emulated/explain_hooks.h"
#include "launch/declarations.h"
#include "launch/running.h"
#include "record/memory.h"
#include "record/objects.h"
#include "report/findings.h"
#include "step/step.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

// A part of an object that was written, from byte to byte.
struct Part {
  std::ptrdiff_t begin, end;
};
// For an object: how much of it has been written, and the first parts.
struct Written {
  std::size_t bytes = 0, parts = 0;
  Part first{};
};

struct Reading {
  const void* place = nullptr;
  Agent agent{};
  Object object;
  std::ptrdiff_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t unwritten = 0;  // of these bytes
  bool updates = false;
  Written written;
  bool is_constant = false;  // memory, which is 0 then
  unsigned source = 0;       // 0: none, of constant memory
  enum { pending, dropped, certain } state = pending;
};

// Kernels that have read what nobody wrote: what derives from it. There are few of them; the last
// one stands for all others.
constexpr unsigned max_sources = 15;
struct Source {
  const KernelTotals* kernel = nullptr;
  std::uint16_t derives_from = 0;  // a bit for each
  bool tried = false, matters = false;
  bool leaves_nothing = true;  // no launch's memory or output differs
  Callers copied{};  // the copy that brought it to the host; none: another end of the kernel
};

// What a copy to the host has found.
struct Copied {
  Callers callers{};
  Object object;
  std::ptrdiff_t begin = 0, end = 0;  // bytes that nobody wrote
  std::size_t row = 0;                // they come again after so many bytes; 0: they do not
  std::string threads{};              // of the latest launch that got the object
};

// What copies of one line have brought to an object.
struct Brought {
  Callers callers{};
  std::size_t bytes = 0;
  std::uintptr_t end = 0, end_of_source = 0;
  std::size_t row = 0, apart = 0;  // rows of so many bytes, if there are gaps between them
  bool whole_rows = true;          // of the source: no gaps there
};

struct Unwritten {
  std::map<std::uintptr_t, Brought> brought;  // by the beginning of the object
  std::vector<Reading> readings;
  std::unordered_multimap<std::uintptr_t, std::size_t> pending;  // by the first byte: which reading
  Source sources[max_sources + 1];
  unsigned count = 0;  // of sources, the first of which is 1
  std::vector<Copied> copied;
  bool launch_reads = false;         // what nobody wrote, or what derives from it
  std::uint16_t launch_sources = 0;  // whence the latter
};
Unwritten& unwritten_reads() {
  static auto& value = *new Unwritten;
  return value;
}

unsigned source_of_kernel() {
  Unwritten& all = unwritten_reads();
  for (unsigned i = 1; i <= all.count; ++i)
    if (all.sources[i].kernel == kernel) return i;
  if (all.count < max_sources) all.sources[++all.count].kernel = kernel;
  return all.count;
}

void mark(unsigned source, const Callers& copied) {
  Source& one = unwritten_reads().sources[source];
  if (one.matters) return;
  one.matters = true;
  one.copied = copied;
  for (unsigned i = 1; i <= max_sources; ++i)
    if ((one.derives_from >> i & 1) != 0) mark(i, copied);
}

Written written_of(const Object& object) {
  Written found;
  bool inside = false;
  for (std::size_t i = 0; i < object.bytes; ++i) {
    const bool is = state_of(note_at(object.begin + i)) > State::unwritten;
    if (is) ++found.bytes;
    const auto at = static_cast<std::ptrdiff_t>(i);
    if (is && !inside && ++found.parts == 1) found.first.begin = at;
    if (is && found.parts == 1) found.first.end = at + 1;
    inside = is;
  }
  return found;
}

// No other thread's write has shown these to be races.
void make_certain(bool (*includes)(std::uintptr_t address)) {
  Unwritten& all = unwritten_reads();
  for (auto it = all.pending.begin(); it != all.pending.end();) {
    if (includes(it->first)) {
      all.readings[it->second].state = Reading::certain;
      it = all.pending.erase(it);
    } else {
      ++it;
    }
  }
}

std::string written_text(const Reading& one) {
  const std::size_t bytes = element_size(one.object, one.bytes);
  const auto element = [&](std::ptrdiff_t offset) {
    return element_text(one.object, offset, bytes);
  };
  const auto size = static_cast<std::ptrdiff_t>(bytes);
  const std::ptrdiff_t elements = static_cast<std::ptrdiff_t>(one.object.bytes) / size;
  if (elements <= 1) return "";
  const Part& part = one.written.first;
  if (one.written.bytes == 0)
    return "; nor was any other of its " + std::to_string(elements) + " elements";
  if (one.written.parts == 1) {
    if (part.end - part.begin <= size)
      return "; only " + element(part.begin) + " of " + std::to_string(elements) +
             " elements was written";
    return "; only " + element(part.begin) + " to " + element(part.end - 1) + " of " +
           std::to_string(elements) + " elements were written";
  }
  return "; " + std::to_string(static_cast<std::ptrdiff_t>(one.written.bytes) / size) + " of its " +
         std::to_string(elements) + " elements were written";
}

bool is_pitched(const Object& object) { return object.by != nullptr && object.by->is_pitched; }

// The copy that may be meant to have brought all of it.
std::string brought_text(const Object& object, const Place& place) {
  const auto it = unwritten_reads().brought.find(object.begin);
  if (it == unwritten_reads().brought.end() || it->second.bytes >= object.bytes) return "";
  const Brought& brought = it->second;
  const std::string line = line_text(brought.callers, place);
  if (line.empty()) return "";
  const std::string copy = "; the copy" + line + " brings ";
  if (brought.row > 0 && brought.whole_rows)
    return copy + "rows of " + std::to_string(brought.row) + " bytes, " +
           std::to_string(brought.apart) + " bytes apart (the pitch)";
  const bool is_flat = brought.row == 0 && is_pitched(object);
  return copy + std::to_string(brought.bytes) + " of its " + std::to_string(object.bytes) +
         " bytes" +
         (is_flat ? " in one piece; rows that are a pitch apart come by cudaMemcpy2D" : "");
}

Finding finding_of(const Reading& one, const Place& place) {
  const Source& source = unwritten_reads().sources[one.source];
  Finding found{.kind = Finding::Kind::never_written,
                .is_note = !source.matters,
                .place = place,
                .agent = one.agent,
                .does = one.updates ? "updates" : "reads",
                .element = element_text(one.object, one.offset, one.bytes)};
  if (one.object.by != nullptr || one.object.name == dynamic_shared_name)
    found.element += " of " + object_text(one.object, place);
  if (one.unwritten < one.bytes && !one.is_constant)
    found.details = ", of which " + std::to_string(one.unwritten) + " of " +
                    std::to_string(one.bytes) + " bytes were never written";
  else
    found.details =
        ", which was never written" + written_text(one) + brought_text(one.object, place);
  const std::string copy = line_text(source.copied, place);
  if (one.is_constant)
    found.details += "; constant memory is 0 then";
  else if (source.matters && copy.empty())
    found.details += "; with another value there the kernel does something else";
  else if (source.matters)
    found.details += "; what the host gets" + copy + " depends on it";
  else if (source.tried && !is_pitched(one.object))
    found.details += "; what the host gets does not depend on it";
  return found;
}

// Bytes that nobody wrote and that are no padding: padding is short, and comes again and again.
void note_unwritten_copy(std::uintptr_t begin, std::size_t bytes) {
  struct Run {
    std::size_t begin, end;
  };
  std::vector<Run> all;
  std::size_t longest = 0;
  for_each_part(begin, bytes, [&](const Note* notes, std::uintptr_t from, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      if (state_of(notes[i]) != State::unwritten) continue;
      const std::size_t at = from - begin + i;
      if (all.empty() || all.back().end != at) all.push_back({at, at});
      all.back().end = at + 1;
      longest = std::max(longest, at + 1 - all.back().begin);
    }
  });
  constexpr std::size_t max_padding = 16;
  if (all.empty() || (longest < bytes && longest < max_padding && (all.size() > 1 || bytes <= 64)))
    return;
  const Run& run = *std::find_if(all.begin(), all.end(),
                                 [&](const Run& one) { return one.end - one.begin == longest; });
  Copied found{callers(), object_at(begin), 0, 0};
  const auto offset = static_cast<std::ptrdiff_t>(begin - found.object.begin);
  found.begin = offset + static_cast<std::ptrdiff_t>(run.begin);
  found.end = offset + static_cast<std::ptrdiff_t>(run.end);
  if (all.size() > 1) {
    const std::size_t row = all[1].begin - all[0].begin;
    bool regular = true;
    for (std::size_t i = 1; i < all.size(); ++i)
      regular &= all[i].begin - all[i - 1].begin == row &&
                 (i + 1 == all.size() || all[i].end - all[i].begin == longest);
    if (regular && all[0].end - all[0].begin == longest) found.row = row;
  }
  found.threads = user_of(found.object);
  auto& copied = unwritten_reads().copied;
  if (copied.size() >= 1000 || std::any_of(copied.begin(), copied.end(), [&](const Copied& one) {
        return one.callers == found.callers;
      }))
    return;
  copied.push_back(found);
}

}  // namespace

bool has_read_unwritten() { return unwritten_reads().count > 0; }

void note_read(const Access& access) {
  if (is_padding(access.address)) return;
  step_found(Finding::Kind::never_written, access.place, access.address);
  const Lock lock;
  Unwritten& all = unwritten_reads();
  const bool is_constant = access.space == Space::constant;
  all.launch_reads |= !is_constant;
  bool derived = false;
  std::uint32_t unwritten = 0;
  for (std::uint32_t i = 0; i < access.bytes; ++i) {
    const Note note = note_at(access.address + i);
    unwritten += state_of(note) == State::unwritten ? 1 : 0;
    if (state_of(note) != State::derived) continue;
    all.launch_sources |= static_cast<std::uint16_t>(1u << source_of(note));
    derived = true;
  }
  if (derived) return;
  const auto same = std::find_if(all.readings.begin(), all.readings.end(), [&](const Reading& one) {
    return one.place == access.place && one.agent.kernel == kernel;
  });
  if (same != all.readings.end() && same->state != Reading::dropped) return;
  Reading reading;
  reading.place = access.place;
  reading.agent = present_agent();
  reading.object = object_at(access.address);
  reading.offset = static_cast<std::ptrdiff_t>(access.address - reading.object.begin);
  reading.bytes = access.bytes;
  reading.unwritten = unwritten;
  reading.updates = (access.flags & is_update) != 0;
  reading.written = written_of(reading.object);
  reading.is_constant = is_constant;
  if (!is_constant) reading.source = source_of_kernel();
  const auto index = static_cast<std::size_t>(same - all.readings.begin());
  if (same != all.readings.end())
    *same = reading;
  else
    all.readings.push_back(reading);
  all.pending.emplace(access.address, index);
}

void note_first_write(const Access& access) {
  if (unwritten_reads().pending.empty()) return;
  const Lock lock;
  Unwritten& all = unwritten_reads();
  for (std::uint32_t i = 0; i < access.bytes; ++i) {
    auto [it, end] = all.pending.equal_range(access.address + i);
    while (it != end) {
      Reading& reading = all.readings[it->second];
      if (reading.agent == present_agent()) {
        ++it;
      } else {
        reading.state = Reading::dropped;
        it = all.pending.erase(it);
      }
    }
  }
}

void finish_readings_of_block() {
  if (unwritten_reads().pending.empty()) return;
  const Lock lock;
  make_certain([](std::uintptr_t address) {
    return std::any_of(worker->shared.begin(), worker->shared.end(), [&](std::span<char> bytes) {
      return address - reinterpret_cast<std::uintptr_t>(bytes.data()) < bytes.size();
    });
  });
}

void finish_readings_of_launch() {
  Unwritten& all = unwritten_reads();
  make_certain([](std::uintptr_t) { return true; });
  const bool own = std::any_of(all.readings.begin(), all.readings.end(), [](const Reading& one) {
    return one.agent.kernel == kernel && one.state == Reading::certain;
  });
  const bool reads = all.launch_reads && (own || all.launch_sources != 0);
  const unsigned source = reads ? source_of_kernel() : 0;
  Source& one = all.sources[source];
  if (reads) one.derives_from |= static_cast<std::uint16_t>(all.launch_sources & ~(1u << source));
  const Matters matters = try_again(reads, source);
  if (matters != Matters::unknown) one.tried = true;
  if (reads && matters != Matters::no) one.leaves_nothing = false;
  if (matters == Matters::at_once) mark(source, {});
  all.launch_reads = false;
  all.launch_sources = 0;
}

void note_filled(const void* to, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  if (variable_at(to) != nullptr) note_variables(begin, bytes);
  for_each_part(begin, bytes, [](Note* notes, std::uintptr_t, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      if (notes[i] != 0) notes[i] = note_of(State::written, space_of(notes[i]));
  });
}

// Rows of pictures come one by one, all of them by one call.
static void note_brought(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  const Object object = object_at(to);
  if (object.by == nullptr || to - object.begin >= object.bytes) return;
  const Callers by = callers();
  const Lock lock;
  auto& all = unwritten_reads().brought;
  if (all.size() >= 10000) return;
  const auto [it, fresh] = all.try_emplace(object.begin, Brought{});
  Brought& brought = it->second;
  if (fresh || brought.callers != by || to == object.begin) brought = {by};
  if (brought.bytes > 0) {
    brought.whole_rows &= from == brought.end_of_source;
    if (to != brought.end) brought.row = bytes, brought.apart = to + bytes - brought.end;
  }
  brought.bytes += bytes;
  brought.end = to + bytes;
  brought.end_of_source = from + bytes;
}

void note_copied(const void* to, const void* from, std::size_t bytes) {
  const auto target = reinterpret_cast<std::uintptr_t>(to),
             source = reinterpret_cast<std::uintptr_t>(from);
  if (!is_on_device(from)) {
    note_filled(to, bytes);
    if (is_on_device(to)) note_brought(target, source, bytes);
    return;
  }
  if (is_on_device(to)) {
    if (variable_at(to) != nullptr) note_variables(target, bytes);
    for (std::size_t i = 0; i < bytes; ++i) {
      Note* const note = notes_at(target + i);
      const Note other = note_at(source + i);
      if (note != nullptr && *note != 0 && other != 0)
        *note = note_of(state_of(other), space_of(*note), source_of(other));
    }
    return;
  }
  note_filled(to, bytes);
  unsigned sources = 0;
  bool unwritten = false;
  for_each_part(source, bytes, [&](const Note* notes, std::uintptr_t, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      if (state_of(notes[i]) == State::derived) sources |= 1u << source_of(notes[i]);
      unwritten |= state_of(notes[i]) == State::unwritten;
    }
  });
  const Lock lock;
  if (sources != 0) {
    const Callers place = callers();
    for (unsigned i = 1; i <= max_sources; ++i)
      if ((sources >> i & 1) != 0) mark(i, place);
  }
  if (unwritten) note_unwritten_copy(source, bytes);
}

void find_unwritten(std::vector<Finding>& all) {
  std::set<std::string> said;
  for (const Reading& one : unwritten_reads().readings) {
    const Place& place = place_of(one.place);
    if (one.state != Reading::certain || !place.known) continue;
    const Source& source = unwritten_reads().sources[one.source];
    if (source.tried && source.leaves_nothing) continue;
    if (!said.insert(one.agent.kernel->name + place.file + std::to_string(place.line) +
                     one.object.name)
             .second)
      continue;
    all.push_back(finding_of(one, place));
  }
  for (const Copied& one : unwritten_reads().copied) {
    const Place* const place = caller_line(one.callers);
    if (place == nullptr) continue;
    if (!said.insert(place_text(*place)).second) continue;
    all.push_back({.kind = Finding::Kind::never_written,
                   .is_note = true,
                   .place = *place,
                   .does = "copies",
                   .element = "bytes " + std::to_string(one.begin) + " to " +
                              std::to_string(one.end - 1) +
                              (one.row == 0 ? ""
                                            : ", and the same of each further " +
                                                  std::to_string(one.row) + " bytes,") +
                              " of " + object_text(one.object, *place),
                   .details = " to the host, which were never written" +
                              (one.threads.empty() ? "" : "; " + one.threads)});
  }
}

}  // namespace emulated::explain
