// Reads of memory that nobody wrote.
//
// A read counts if nobody wrote any of its bytes: structures are read as a whole, with the padding
// between their members. Who reads what another thread writes later, with no barrier between, races
// with it, and that is reported instead. It is a mistake where it matters: where other values in
// that memory lead to other values that the host gets, or to another end of the kernel (again.h).
// Else it is a note: a thread may read more than it uses.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>

#include "again.h"
#include "diagnosis/report.h"
#include "emulated/explain_hooks.h"
#include "launch/declarations.h"
#include "launch/running.h"
#include "memory.h"
#include "pattern.h"
#include "step.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

// A part of an object that was written, from byte to byte.
struct Part {
  std::ptrdiff_t begin, end;
};
// Of an object: how much of it has been written, and the first parts.
struct Written {
  std::size_t bytes = 0, parts = 0;
  Part first{};
};

struct Reading {
  const void* place = nullptr;
  KernelTotals* kernel = nullptr;
  Object object;
  std::ptrdiff_t offset = 0;
  std::uint32_t bytes = 0;
  std::uint32_t unwritten = 0;  // of these bytes
  std::uint64_t block = 0;
  unsigned thread = 0;
  unsigned threads = 0;  // of the block
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
  Callers copied{};  // the copy that brought it to the host; none: another end of the kernel
};

// What a copy to the host has found.
struct Copied {
  Callers callers{};
  Object object;
  std::ptrdiff_t begin = 0, end = 0;  // bytes that nobody wrote
  std::size_t row = 0;                // they come again after so many bytes; 0: they do not
  std::string threads{};              // of the launch before: "kernel k has 64 x 208 threads"
  bool untouched = false;             // a copy or a fill wrote them, and no kernel came there
  bool brought = false;               // by this copy, to the device
};

// What a copy to the host has found: a launch with fewer threads than the array has elements.
struct Missed {
  Callers callers{};
  Object object;
  unsigned long long threads = 0;  // in x, if there is no other dimension
  unsigned block = 0;
  std::size_t across = 0;  // threads in x, if there are some in y and none in z
  std::size_t down = 0;    // threads in y, likewise
  dim3 shape{};            // of a block
  std::size_t element = 0;
  std::string kernel;
  Location launched_at;
};

// What copies of one line have brought to an object.
struct Brought {
  Callers callers{};
  std::size_t bytes = 0;
  std::uintptr_t end = 0, end_of_source = 0;
  std::size_t row = 0, apart = 0;  // rows of so many bytes, if there are gaps between them
  bool whole_rows = true;          // of the source: no gaps there
  unsigned errors = 0;             // that there had been
};

// A copy of a part of an allocation, from its beginning on.
struct PartCopied {
  Callers callers{};
  Object object;
  std::size_t bytes = 0;
};

// A copy to a variable of the device, and one before it, of which it has overwritten a part.
struct Overwritten {
  Callers callers{};
  Callers before{};
  Object object;
  std::ptrdiff_t begin = 0;  // of the part
  std::ptrdiff_t end = 0;
};
struct ToVariable {
  Callers callers{};
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

// Memory that cudaMemset has set to a small number, byte by byte.
struct Set {
  std::size_t bytes = 0;
  int value = 0;
  Callers callers{};
};
// Read as larger numbers, as if these had been set.
struct SetReading {
  const void* place = nullptr;
  const KernelTotals* kernel = nullptr;
  Object object;
  std::ptrdiff_t offset = 0;
  std::uint32_t bytes = 0;
  Set set;
};

struct Unwritten {
  std::map<std::uintptr_t, Brought> brought;  // by the beginning of the object
  std::vector<std::string> failed;            // calls, as they are reported
  std::map<std::uintptr_t, Set> sets;
  std::vector<SetReading> set_readings;
  std::vector<Reading> readings;
  std::unordered_multimap<std::uintptr_t, std::size_t> pending;  // by the first byte: which reading
  Source sources[max_sources + 1];
  unsigned count = 0;  // of sources, the first of which is 1
  std::vector<Copied> copied;
  std::vector<PartCopied> parts;
  std::set<std::uintptr_t> copied_in_parts;  // allocations of which a copy began in the middle
  std::vector<ToVariable> to_variables;      // since the latest launch
  std::vector<Overwritten> overwritten;
  std::vector<Missed> missed;
  Missed latest;                     // launch, so far as it is known
  std::string threads;               // the same, as a sentence, if there are rows of them
  std::set<unsigned> widths;         // of blocks, in x and y
  bool host_gets = false;            // something from the device, by a copy or printf
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
    return "; nor any other of its " + std::to_string(elements) + " elements";
  if (one.written.parts == 1) {
    if (part.end - part.begin <= size)
      return "; only " + element(part.begin) + " of " + std::to_string(elements) +
             " elements was written";
    const bool is_per_thread =
        part.begin == 0 && part.end == size * static_cast<std::ptrdiff_t>(one.threads);
    return "; only " + element(part.begin) + " to " + element(part.end - 1) + " of " +
           std::to_string(elements) + " elements were written" +
           (is_per_thread ? ", as many as the block has threads" : "");
  }
  return "; " + std::to_string(static_cast<std::ptrdiff_t>(one.written.bytes) / size) + " of its " +
         std::to_string(elements) + " elements were written";
}

std::string threads_text(const Missed& one) {
  return "kernel " + one.kernel + " has " + std::to_string(one.threads) + " threads at " +
         base_name(one.launched_at.file_name()) + ":" + std::to_string(one.launched_at.line());
}
std::string rounded_up_text(unsigned block) {
  return "; the number of blocks is rounded up as (n + " + std::to_string(block - 1) + ") / " +
         std::to_string(block);
}

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
         " bytes" + (brought.row > 0 ? "; its width is in bytes" : "") +
         (is_flat ? " in one piece; rows that are a pitch apart come by cudaMemcpy2D" : "") +
         (brought.bytes == sizeof(void*) ? ", the size of a pointer" : "");
}

std::string reading_text(const Reading& one, const Place& place) {
  const Source& source = unwritten_reads().sources[one.source];
  std::string text = who(one.kernel, one.thread, one.block) +
                     (one.updates ? " updates " : " reads ") +
                     element_text(one.object, one.offset, one.bytes);
  if (one.object.what != nullptr || one.object.name == dynamic_shared_name)
    text += " of " + object_text(one.object, place);
  if (one.unwritten < one.bytes && !one.is_constant)
    text += ", of which " + std::to_string(one.unwritten) + " of " + std::to_string(one.bytes) +
            " bytes were never written";
  else
    text += ", which nobody wrote" + written_text(one) + brought_text(one.object, place);
  if (one.is_constant) return place_text(place) + "note: " + text + "; constant memory is 0 then";
  if (!source.matters)
    return place_text(place) + "note: " + text +
           (source.tried && !is_pitched(one.object) ? "; what the host gets does not depend on it"
                                                    : "");
  const std::string copy = line_text(source.copied, place);
  return place_text(place) + "never written: " + text +
         (copy.empty() ? "; with another value there the kernel does something else"
                       : "; what the host gets" + copy + " depends on it");
}

// Where the bytes that nobody wrote are those behind one element for each thread of the latest
// launch: so many were too few.
std::string too_few_text(const Copied& found) {
  const Missed& latest = unwritten_reads().latest;
  const auto begin = static_cast<std::size_t>(found.begin);
  if (latest.threads == 0 || static_cast<std::size_t>(found.end) != found.object.bytes) return "";
  for (std::size_t element = 1; element <= 16; element *= 2) {
    if (begin != latest.threads * element) continue;
    const bool few = found.object.bytes - begin < latest.block * element;
    return threads_text(latest) + (few ? rounded_up_text(latest.block) : "");
  }
  return "";
}

// Where a kernel has written all that lies before a row, also between the rows before: it counts
// rows by their width.
std::string by_width_text(const Object& object, std::uintptr_t row, std::size_t width) {
  if (!is_pitched(object) || row - object.begin <= width) return "";
  for (std::uintptr_t at = object.begin; at < row; ++at)
    if (state_of(note_at(at)) == State::unwritten) return "";
  return "what lies before was all written, also between the rows: a kernel counts them by their "
         "width, but they are a pitch apart";
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
  found.threads = unwritten_reads().threads;
  if (all.size() == 1 && found.threads.empty()) found.threads = too_few_text(found);
  auto& copied = unwritten_reads().copied;
  if (copied.size() >= 1000 || std::any_of(copied.begin(), copied.end(), [&](const Copied& one) {
        return one.callers == found.callers;
      }))
    return;
  if (found.threads.empty()) found.threads = by_width_text(found.object, begin, bytes);
  copied.push_back(found);
}

bool is_touched(std::uintptr_t at) {
  const Note note = note_at(at);
  return state_of(note) == State::derived || (note & in_use) == in_use;
}

// The same of rows and columns: are there columns, or less than a block's worth of rows, behind
// those that the latest launch has threads for, and enough threads of the other dimension (which
// may have been confused)?
void note_missed_rows(const Object& object) {
  const Missed& latest = unwritten_reads().latest;
  const auto touched = [&](std::size_t at) { return is_touched(object.begin + at); };
  std::size_t done = 0;
  while (done < object.bytes && touched(done)) ++done;
  std::size_t next = done;
  while (next < object.bytes && !touched(next)) ++next;
  if (done == 0 || done == object.bytes) return;
  Copied found{callers(),
               object,
               static_cast<std::ptrdiff_t>(done),
               static_cast<std::ptrdiff_t>(next),
               0,
               unwritten_reads().threads,
               true};
  bool missed = false;
  for (std::size_t element = 1; element <= 16; element *= 2) {
    if (next < object.bytes) {  // columns
      missed |= done == latest.across * element && object.bytes % next == 0 &&
                object.bytes / next <= latest.down &&
                (next < done + latest.shape.x * element || next <= latest.down * element);
      found.row = next;
    } else {
      const std::size_t row = done / latest.down;
      missed |= done == latest.down * row && row % element == 0 && row / element <= latest.across &&
                object.bytes % row == 0 && object.bytes / row < latest.down + latest.shape.y;
    }
  }
  for (std::size_t at = 0; at < object.bytes && missed; ++at) {
    const bool is_in_row = next < object.bytes ? at % next < done : at < done;
    missed = is_in_row == touched(at) &&
             (is_in_row || state_of(note_at(object.begin + at)) == State::written);
  }
  auto& all = unwritten_reads().copied;
  if (missed && all.size() < 1000) all.push_back(found);
}

// Is there less than a block's worth of elements behind those that the latest launch has threads
// for, which the host gets and no kernel has read or written? Then the number of blocks was
// probably not rounded up.
void note_missed(std::uintptr_t begin, std::size_t bytes) {
  Missed missed = unwritten_reads().latest;
  missed.object = object_at(begin);
  const Object& object = missed.object;
  if (missed.across > 0 && begin == object.begin && bytes == object.bytes) note_missed_rows(object);
  if (missed.threads == 0) return;
  for (missed.element = 1; missed.element <= 16; missed.element *= 2) {
    const std::size_t end = missed.threads * missed.element;
    if (object.bytes < end + 2 * missed.element ||  // one more is often an end mark
        object.bytes >= end + missed.block * missed.element ||
        begin + bytes < object.begin + object.bytes)
      continue;
    std::size_t at = 0;
    while (at < end && is_touched(object.begin + at)) ++at;
    if (at < end) continue;
    while (at < object.bytes && !is_touched(object.begin + at) &&
           state_of(note_at(object.begin + at)) == State::written)
      ++at;
    if (at < object.bytes) continue;
    missed.callers = callers();
    auto& all = unwritten_reads().missed;
    if (all.size() < 100) all.push_back(missed);
    return;
  }
}

// Have kernels left out the end of what a copy has brought, or of each of its rows: less than a
// block is wide, behind a multiple of that?
void note_left_over(std::uintptr_t begin) {
  Unwritten& all = unwritten_reads();
  const auto it = all.brought.find(begin);
  if (it == all.brought.end() || it->second.errors < error_count()) return;
  const Object object = object_at(begin);
  const std::size_t element = element_of(object);
  if (element == 0 || object.begin != begin || it->second.bytes != object.bytes ||
      it->second.row > 0)
    return;
  const auto touched = [&](std::size_t at) { return is_touched(begin + at); };
  std::size_t done = 0;
  while (done < object.bytes && touched(done)) ++done;
  std::size_t next = done;
  while (next < object.bytes && !touched(next)) ++next;
  const std::size_t left = next - done;
  if (done == 0 || left < 2 * element || (done | left) % element != 0 || object.bytes % next != 0 ||
      std::none_of(all.widths.begin(), all.widths.end(), [&](unsigned width) {
        return done / element % width == 0 && left / element < width;
      }))
    return;
  for (std::size_t at = next; at < object.bytes; ++at)
    if (touched(at) != (at % next < done)) return;
  if (all.copied.size() >= 1000) return;
  all.copied.push_back({it->second.callers, object, static_cast<std::ptrdiff_t>(done),
                        static_cast<std::ptrdiff_t>(next), next < object.bytes ? next : 0,
                        "was the number of tiles or blocks rounded down?", true, true});
}

// A kernel that has written the device's memory, of which the host gets nothing; nullptr: there is
// none. Errors that were reported explain it well enough, and a program that was ended early might
// still have copied.
const KernelTotals* kernel_in_vain() {
  if (unwritten_reads().host_gets || error_count() > 0 || !unwritten_reads().failed.empty() ||
      asked_to_end != 0)
    return nullptr;
  bool visible = false;
  for (const Piece& piece : all_pieces()) visible |= piece.on_host;
  if (visible || host_sees_memory()) return nullptr;
  for (const KernelTotals* one : all_kernels())
    for (const auto& [place, total] : one->accesses)
      if (total.space == Space::global && (total.flags & is_write) != 0) return one;
  return nullptr;
}

}  // namespace

void note_read(const Access& access) {
  if (is_padding(access.address)) return;
  step_found(Mistake::Kind::never_written, access.place, access.address);
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
    return one.place == access.place && one.kernel == kernel;
  });
  if (same != all.readings.end() && same->state != Reading::dropped) return;
  Reading reading;
  reading.place = access.place;
  reading.kernel = kernel;
  reading.object = object_at(access.address);
  reading.offset = static_cast<std::ptrdiff_t>(access.address - reading.object.begin);
  reading.bytes = access.bytes;
  reading.unwritten = unwritten;
  reading.block = block->number;
  reading.thread = block->thread;
  reading.threads = block->threads;
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
      if (reading.block == block->number && reading.thread == block->thread) {
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
  all.host_gets |= running->printed;
  const dim3 grid = running->launch.grid, threads = running->launch.block;
  const bool one_dimension = grid.y * grid.z * threads.y * threads.z == 1;
  all.latest.threads = one_dimension ? 1ull * grid.x * threads.x : 0;
  all.threads = one_dimension || grid.z * threads.z > 1
                    ? ""
                    : "kernel " + kernel->name + " has " + std::to_string(grid.x * threads.x) +
                          " threads in x and " + std::to_string(grid.y * threads.y) + " in y";
  all.latest.block = threads.x;
  all.latest.shape = threads;
  const bool two_dimensions = !one_dimension && grid.z * threads.z == 1;
  all.latest.across = two_dimensions ? std::size_t{grid.x} * threads.x : 0;
  all.latest.down = two_dimensions ? std::size_t{grid.y} * threads.y : 0;
  all.latest.kernel = kernel->name;
  constexpr std::size_t max_widths = 16;
  if (all.widths.size() < max_widths) all.widths.insert({threads.x, threads.y});
  all.widths.erase(1);
  all.latest.launched_at = running->launch.at;
  make_certain([](std::uintptr_t) { return true; });
  const bool own = std::any_of(all.readings.begin(), all.readings.end(), [](const Reading& one) {
    return one.kernel == kernel && one.state == Reading::certain;
  });
  const bool reads = all.launch_reads && (own || all.launch_sources != 0);
  const unsigned source = reads ? source_of_kernel() : 0;
  Source& one = all.sources[source];
  if (reads) one.derives_from |= static_cast<std::uint16_t>(all.launch_sources & ~(1u << source));
  const Matters matters = try_again(reads, source);
  if (matters != Matters::unknown) one.tried = true;
  if (matters == Matters::at_once) mark(source, {});
  all.launch_reads = false;
  all.launch_sources = 0;
  all.to_variables.clear();
}

static void note_filled(const void* to, std::size_t bytes) {
  outcome_filled(to);
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  if (variable_at(to) != nullptr) note_variables(begin, bytes);
  for_each_part(begin, bytes, [](Note* notes, std::uintptr_t, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
      if (notes[i] != 0) notes[i] = note_of(State::written, space_of(notes[i]));
  });
}

void memory_set(const void* to, std::size_t bytes, int value) {
  copy_uses(to, nullptr, bytes);
  note_filled(to, bytes);
  // 0 and all bits set mean what they say in numbers of any size; large ones are mostly meant.
  constexpr int small = 32;
  const Lock lock;
  auto& sets = unwritten_reads().sets;
  if (value > 0 && value < small && sets.size() < 1000)
    sets[reinterpret_cast<std::uintptr_t>(to)] = {bytes, value, callers()};
}

void note_set_value(const Access& access) {
  auto& sets = unwritten_reads().sets;
  if (sets.empty()) return;
  const auto after = sets.upper_bound(access.address);
  if (after == sets.begin()) return;
  const auto& [begin, set] = *std::prev(after);
  if (access.address - begin >= set.bytes) return;
  unsigned char bytes[8] = {};
  std::memcpy(bytes, reinterpret_cast<const void*>(access.address), access.bytes);  // NOLINT
  for (std::uint32_t i = 0; i < access.bytes; ++i)
    if (bytes[i] != set.value) return;
  const Lock lock;
  auto& all = unwritten_reads().set_readings;
  if (all.size() >= 100 || std::any_of(all.begin(), all.end(), [&](const SetReading& one) {
        return one.place == access.place;
      }))
    return;
  const Object object = object_at(access.address);
  all.push_back({access.place, kernel, object,
                 static_cast<std::ptrdiff_t>(access.address - object.begin), access.bytes, set});
}

static std::string set_text(const SetReading& one, const Place& place) {
  std::uint64_t number = 0;
  for (std::uint32_t i = 0; i < one.bytes; ++i)
    number = number << 8 | static_cast<std::uint64_t>(one.set.value);
  return place_text(place) + "note: kernel " + one.kernel->name + " reads " +
         element_text(one.object, one.offset, one.bytes) + ", of which cudaMemset" +
         line_text(one.set.callers, place) + " has set each byte to " +
         std::to_string(one.set.value) + ": as an integer of " + std::to_string(one.bytes) +
         " bytes that is " + std::to_string(number);
}

void call_fails(const char* why) {
  const Callers from = callers();
  const Place* place = nullptr;
  for (const void* caller : from)
    if (caller != nullptr && place == nullptr && line_at(caller).known) place = &line_at(caller);
  if (place == nullptr) return;
  // The call's name, which is part of this line.
  const std::string line = source_line(place->file, place->line);
  std::string call;
  for (std::size_t at = line.find("cuda"); at != line.npos && call.empty();
       at = line.find("cuda", at + 1)) {
    std::size_t end = at;
    while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) != 0)) ++end;
    if (end < line.size() && line[end] == '(') call = line.substr(at, end - at);
  }
  if (line.find("(void)" + call) != line.npos) return;  // meant to be dropped
  const std::string text =
      place_text(*place) + "note: " + (call.empty() ? "a call" : call) + " fails: " + why;
  const Lock lock;
  auto& all = unwritten_reads().failed;
  if (all.size() < 100 && std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
}

// Rows of pictures come one by one, all of them by one call.
static void note_brought(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  const Object object = object_at(to);
  if (object.what == nullptr || to - object.begin >= object.bytes) return;
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
  brought.errors = error_count();
  brought.end_of_source = from + bytes;
}

// Of elements that are larger than the program says? Known at the end.
static void note_part(std::uintptr_t at, std::size_t bytes) {
  const Object object = object_at(at);
  if (object.what != nullptr && at != object.begin)
    unwritten_reads().copied_in_parts.insert(object.begin);
  auto& all = unwritten_reads().parts;
  if (object.what == nullptr || at != object.begin || bytes == 0 || all.size() >= 1000) return;
  const std::size_t times = object.bytes / bytes;
  if ((times != 2 && times != 4 && times != 8) || object.bytes != times * bytes) return;
  all.push_back({callers(), object, bytes});
}

static void note_copy_to_variable(std::uintptr_t to, std::size_t bytes) {
  const ToVariable now{callers(), to, to + bytes};
  const Lock lock;
  auto& all = unwritten_reads();
  const Object object = object_at(to);
  for (const ToVariable& one : all.to_variables) {
    const bool overlap = one.begin < now.end && now.begin < one.end;
    const bool first = one.begin < now.begin && one.end < now.end;
    if (!overlap || !(first || (now.begin < one.begin && now.end < one.end)) ||
        all.overwritten.size() >= 100)
      continue;
    const auto offset = [&](std::uintptr_t at) {
      return static_cast<std::ptrdiff_t>(at - object.begin);
    };
    all.overwritten.push_back({now.callers, one.callers, object,
                               offset(std::max(one.begin, now.begin)),
                               offset(std::min(one.end, now.end))});
  }
  if (all.to_variables.size() < 100) all.to_variables.push_back(now);
}

// "sizeof(float)" of a line: of how many bytes; 0: there is none, or of no such type.
static std::size_t size_in(const std::string& line) {
  static const auto& size = *new Pattern(R"(sizeof\s*\(\s*(\w+)(\s+\w+)?\s*\))");
  const auto found = size.find_in(line);
  if (found.empty()) return 0;
  const std::string& type = found[1];
  const std::string& second = found[2];
  if (!second.empty() && type != "unsigned") return 0;
  static const auto& sizes = *new std::map<std::string, std::size_t>{
      {"char", 1},  {"uchar", 1},    {"short", 2}, {"half", 2},   {"__half", 2}, {"int", 4},
      {"float", 4}, {"unsigned", 4}, {"uint", 4},  {"float2", 8}, {"double", 8}};
  const auto it = sizes.find(second.empty() ? type : second.substr(1));
  return it == sizes.end() ? 0 : it->second;
}

void memory_copied(const void* to, const void* from, std::size_t bytes) {
  copy_uses(to, from, bytes);
  const auto target = reinterpret_cast<std::uintptr_t>(to),
             source = reinterpret_cast<std::uintptr_t>(from);
  if (!is_on_device(from)) {
    note_filled(to, bytes);
    if (is_on_device(to)) note_brought(target, source, bytes);
    if (is_on_device(to)) {
      const Lock lock;
      note_part(target, bytes);
    }
    if (variable_at(to) != nullptr) note_copy_to_variable(target, bytes);
    return;
  }
  outcome_copied(from, !is_on_device(to));
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
  note_copy_to_host(to, from, bytes);
  unwritten_reads().host_gets = true;
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
  note_missed(source, bytes);
  note_part(source, bytes);
}

void add_places_unwritten(std::set<const void*>& places) {
  for (const Piece& piece : all_pieces()) note_left_over(piece.begin);
  const auto add = [&](const Callers& callers) { add_callers(places, callers); };
  for (const Reading& one : unwritten_reads().readings) places.insert(one.place);
  for (const Source& one : unwritten_reads().sources) add(one.copied);
  for (const Copied& one : unwritten_reads().copied) add(one.callers);
  for (const Missed& one : unwritten_reads().missed) add(one.callers);
  for (const PartCopied& one : unwritten_reads().parts) add(one.callers);
  for (const Overwritten& one : unwritten_reads().overwritten) add(one.callers), add(one.before);
  for (const auto& [begin, brought] : unwritten_reads().brought) add(brought.callers);
  for (const SetReading& one : unwritten_reads().set_readings) {
    places.insert(one.place);
    add(one.set.callers);
  }
}

void memory_goes(std::uintptr_t begin) {
  const Lock lock;
  note_left_over(begin);
}

void add_mistakes_unwritten(std::vector<Mistake>& all) {
  if (const KernelTotals* const one = kernel_in_vain())
    all.push_back(
        {Mistake::Kind::never_written, true,
         base_name(one->at.file_name()) + ":" + std::to_string(one->at.line()) +
             ": note: the host gets nothing of what kernel " + one->name +
             " computes: no copy brings anything from the device (cudaMemcpyDeviceToHost)"});
  for (const std::string& text : unwritten_reads().failed)
    all.push_back({Mistake::Kind::failed_call, true, text});
  std::set<std::string> said;
  for (const SetReading& one : unwritten_reads().set_readings)
    if (const Place& place = place_of(one.place); place.known)
      if (const std::string text = set_text(one, place); said.insert(text).second)
        all.push_back({Mistake::Kind::never_written, true, text});
  for (const Reading& one : unwritten_reads().readings) {
    const Place& place = place_of(one.place);
    if (one.state != Reading::certain || !place.known) continue;
    if (!said.insert(one.kernel->name + place.file + std::to_string(place.line) + one.object.name)
             .second)
      continue;
    all.push_back({Mistake::Kind::never_written, !unwritten_reads().sources[one.source].matters,
                   reading_text(one, place)});
  }
  for (const Copied& one : unwritten_reads().copied) {
    const Place* const place = caller_line(one.callers);
    if (place == nullptr) continue;
    if (!said.insert(place_text(*place)).second) continue;
    all.push_back(
        {Mistake::Kind::never_written, true,
         place_text(*place) + (one.brought ? "note: brings bytes " : "note: copies bytes ") +
             std::to_string(one.begin) + " to " + std::to_string(one.end - 1) +
             (one.row == 0
                  ? ""
                  : ", and the same of each further " + std::to_string(one.row) + " bytes,") +
             " of " + object_text(one.object, *place) +
             (one.brought ? ", which " : " to the host, which ") +
             (one.untouched ? "no thread has read or written" : "nobody wrote") +
             (one.threads.empty() ? "" : "; " + one.threads)});
  }
  for (const PartCopied& one : unwritten_reads().parts) {
    const Place* const place = caller_line(one.callers);
    if (place == nullptr) continue;
    const std::size_t size = size_in(source_line(place->file, place->line));
    const std::size_t element = element_of(one.object);
    if (size == 0 || element * one.bytes != size * one.object.bytes ||
        unwritten_reads().copied_in_parts.contains(one.object.begin) ||
        !said.insert(place_text(*place)).second)
      continue;
    all.push_back({Mistake::Kind::never_written, true,
                   place_text(*place) + "note: copies " + std::to_string(one.bytes) + " of " +
                       object_text(one.object, *place) + ", with a sizeof that is " +
                       std::to_string(size) + "; kernels get it as elements of " +
                       std::to_string(element) + " bytes"});
  }
  for (const Overwritten& one : unwritten_reads().overwritten) {
    const Place* const place = caller_line(one.callers);
    if (place == nullptr || !said.insert(place_text(*place)).second) continue;
    all.push_back({Mistake::Kind::never_written, true,
                   place_text(*place) + "note: writes over bytes " + std::to_string(one.begin) +
                       " to " + std::to_string(one.end - 1) + " of " + one.object.name +
                       ", which the copy" + line_text(one.before, *place) +
                       " has brought and no kernel has read; the offset is in bytes"});
  }
  for (const Missed& one : unwritten_reads().missed) {
    const Place* const place = caller_line(one.callers);
    if (place == nullptr || !said.insert(place_text(*place)).second) continue;
    const auto element = [&](std::size_t index) {
      return element_text(one.object, static_cast<std::ptrdiff_t>(index * one.element),
                          one.element);
    };
    all.push_back({Mistake::Kind::never_written, true,
                   place_text(*place) + "note: copies " + element(one.threads) + " to " +
                       element(one.object.bytes / one.element - 1) + " of " +
                       object_text(one.object, *place) +
                       " to the host, which no thread has read or written: " + threads_text(one) +
                       rounded_up_text(one.block)});
  }
}

}  // namespace emulated::explain
