// Steps: what lanes of a warp do together in a line of the source.
//
// A turn is what the lanes of a group do until each has come to its next place; one runs after the
// other. So several steps may be open: the first lane may have gone through an access and a
// barrier, in the next line, before the second one comes to the access. What a lane does joins the
// step and the event that lanes before it have begun.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "emulated/warp.h"
#include "record/memory.h"
#include "record/objects.h"
#include "step/step.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

struct Event {
  enum class Kind : std::uint8_t {
    load,
    store,
    atomic,
    texture,
    waits,
    barrier,
    opens,
    operation,
    branch
  };
  Kind kind = Kind::load;
  const void* place = nullptr;
  const char* what = "";  // of a barrier or an operation of a warp
  std::uint32_t lanes = 0;
  Access access;  // of the first lane
  std::size_t object = 0;
  std::array<std::uintptr_t, 32> addresses{};
  std::vector<unsigned char> before, after;  // the values, by lane
  std::vector<std::string> given, got;       // of an operation, by lane
  std::vector<std::string> at, texels;       // of a texture or a surface, of all lanes
  std::vector<unsigned> from;
  std::vector<std::pair<const Place*, std::uint32_t>> ways;  // of a branch
  bool is_copy = false;  // a store of what the load behind it reads

  unsigned char* value(std::vector<unsigned char>& values, unsigned lane) const {
    values.resize(std::size_t{32} * access.bytes);
    return values.data() + std::size_t{lane} * access.bytes;
  }
};

struct OpenStep {
  unsigned warp = 0;
  std::size_t source = 0;
  unsigned line = 0;
  std::uint64_t key = 0;
  std::uint32_t lanes = 0, ended = 0;
  bool is_target = false;  // it has the write that is asked for
  std::vector<Event> events;
  std::vector<std::size_t> found;  // of the window's
};

// What a thread has begun to write, in an event of an open step.
struct Writing {
  std::size_t step = 0;
  std::size_t event = 0;
  unsigned thread = 0;
  Access access;
  std::uint64_t closings = 0;      // of steps, before it
  std::uintptr_t copied_from = 0;  // 0: it is no copy
  bool is_set = false;
};

struct Recorder {
  Window* window = nullptr;
  std::vector<OpenStep> open;
  std::size_t first_event = 0;  // of the present turn, in its first step
  // For each thread: where it is in the steps of this turn.
  struct Cursor {
    std::uint64_t turn = 0;
    std::size_t step = 0, event = 0;
  };
  std::array<Cursor, max_threads> cursors;
  std::uint64_t turn = 0;
  const char* barrier = "";                               // that threads have come to last
  std::array<std::uint32_t, warps_in_block> ended_early;  // lanes, before any step of theirs
  const Place* first_condition = nullptr;                 // before the first step of a warp
  std::array<std::pair<std::size_t, unsigned>, max_threads> lines;  // that each thread was in last
  // The numbers that each thread has brought to its latest operation of a warp.
  struct Brought {
    char brought, got;
    std::size_t bytes;
  };
  std::array<Brought, max_threads> brought;
  std::uint64_t closings = 0;
  Writing writing;  // of the present thread
  // For each thread: a write after which memory was as before, when the thread came to its next
  // access. A structure is copied like this: the compiler reports the write, then the read.
  std::array<Writing, max_threads> without_change;
};
Recorder& recorder() {
  static thread_local auto& value = *new Recorder;
  return value;
}

// ---- texts ----
std::vector<std::string>& texts() {
  static auto& all = *new std::vector<std::string>;
  return all;
}
std::vector<std::string>& sources() {
  static auto& all = *new std::vector<std::string>;
  return all;
}
std::size_t number_in(std::vector<std::string>& all, const std::string& text) {
  const auto it = std::find(all.begin(), all.end(), text);
  if (it != all.end()) return static_cast<std::size_t>(it - all.begin());
  all.push_back(text);
  return all.size() - 1;
}

// One entry where all are the same.
std::string list_of(const std::vector<std::string>& all) {
  const bool same = std::all_of(all.begin(), all.end(),
                                [&](const std::string& text) { return text == all.front(); });
  std::string json = "[";
  for (std::size_t i = 0; i < (same && !all.empty() ? 1 : all.size()); ++i)
    json += (i == 0 ? "" : ",") + in_json(all[i]);
  return json + "]";
}

std::string list_of(const std::vector<std::ptrdiff_t>& all) {
  const std::ptrdiff_t by = all.size() > 1 ? all[1] - all[0] : 0;
  bool regular = all.size() > 2;
  for (std::size_t i = 1; i < all.size(); ++i) regular = regular && all[i] - all[i - 1] == by;
  if (regular)
    return R"({"from":)" + std::to_string(all[0]) + R"(,"by":)" + std::to_string(by) + "}";
  std::string json = "[";
  for (std::size_t i = 0; i < all.size(); ++i) json += (i == 0 ? "" : ",") + std::to_string(all[i]);
  return json + "]";
}

// ---- steps that are complete ----
std::string access_json(Event& event, std::uint32_t lanes_of_step, Window& window) {
  const Shown& shown = window.objects[event.object];
  std::vector<std::ptrdiff_t> offsets;
  std::vector<std::string> values, olds;
  std::vector<std::uintptr_t> addresses;
  for_lanes(event.lanes, [&](unsigned lane) {
    const std::uintptr_t address = event.addresses[lane];
    const auto offset = static_cast<std::ptrdiff_t>(address - shown.object.begin);
    addresses.push_back(address);
    offsets.push_back(offset);
    auto& held = event.kind == Event::Kind::load ? event.before : event.after;
    const std::size_t bytes = event.access.bytes;
    values.push_back(text_of(shown, offset, bytes, event.value(held, lane)));
    if (event.kind == Event::Kind::atomic)
      olds.push_back(text_of(shown, offset, bytes, event.value(event.before, lane)));
  });
  window.touches.push_back(
      {window.steps.size(), event.place, event.lanes, event.access.bytes, addresses});
  std::string json = R"({"k":")";
  if (event.kind == Event::Kind::load)
    json += "load";
  else
    json += event.kind == Event::Kind::store ? "store" : "atomic";
  json +=
      R"(","o":)" + std::to_string(event.object) + R"(,"b":)" + std::to_string(event.access.bytes);
  // Some lanes have not come so far: one of them has ended the kernel.
  if (event.lanes != lanes_of_step) json += R"(,"m":)" + in_json(event.lanes);
  json += R"(,"a":)" + list_of(offsets) + R"(,"v":)" + list_of(values);
  if (!olds.empty()) json += R"(,"r":)" + list_of(olds);
  const Place& place = place_of(event.place);
  Line line{place.file, place.line, "", total_of(event.access, addresses)};
  line.what = what_of(line.total, place);
  json += R"(,"n":)" + std::to_string(line.total.cost) + R"(,"least":)" +
          std::to_string(line.total.least) + R"(,"unit":")" + unit_of(line) + "\"";
  if (const std::string finding = finding_of(line); !finding.empty())
    json += R"(,"t":)" + std::to_string(number_of_text(finding));
  return json + "}";
}

std::string event_json(Event& event, std::uint32_t lanes_of_step, Window& window) {
  const std::string what = R"(","what":)" + in_json(event.what);
  const std::string called = in_json(std::string(event.what) + "()");
  switch (event.kind) {
    case Event::Kind::waits:
      return R"({"k":"waits)" + what + "}";
    case Event::Kind::barrier:
      return R"({"k":"barrier","what":)" + called + "}";
    case Event::Kind::opens:
      return R"({"k":"opens","what":)" + called + "}";
    case Event::Kind::operation: {
      std::string json = R"({"k":"warp)" + what + R"(,"m":)" + in_json(event.lanes);
      if (!event.got.empty()) {
        json += R"(,"v":)" + list_of(event.given) + R"(,"r":)" + list_of(event.got);
      }
      if (!event.from.empty())
        json += R"(,"from":)" +
                list_of(std::vector<std::ptrdiff_t>(event.from.begin(), event.from.end()));
      return json + "}";
    }
    case Event::Kind::texture: {
      std::vector<std::string> at, texels;
      for_lanes(event.lanes, [&](unsigned lane) {
        at.push_back(event.at[lane]);
        texels.push_back(event.texels[lane]);
      });
      return R"({"k":"texture)" + what + R"(,"m":)" + in_json(event.lanes) + R"(,"a":)" +
             list_of(at) + R"(,"v":)" + list_of(texels) + "}";
    }
    case Event::Kind::branch: {
      std::string json = R"({"k":"branch","to":[)";
      for (const auto& [place, lanes] : event.ways)
        json += (json.back() == '[' ? "[" : ",[") + std::to_string(number_of_source(place->file)) +
                "," + std::to_string(place->line) + "," + in_json(lanes) + "]";
      return json + "]}";
    }
    default:
      return access_json(event, lanes_of_step, window);
  }
}

// Stores that fill a structure member by member are one.
void join_stores(std::vector<Event>& events) {
  for (std::size_t i = 0; i + 1 < events.size();) {
    Event &a = events[i], &b = events[i + 1];
    const auto is_plain = [](const Event& event) {
      return event.kind == Event::Kind::store && (event.access.flags & is_volatile) == 0;
    };
    bool joins = is_plain(a) && is_plain(b) && a.lanes == b.lanes && a.object == b.object &&
                 a.access.bytes + b.access.bytes <= 16 && !a.after.empty() && !b.after.empty();
    for_lanes(a.lanes, [&](unsigned lane) {
      joins = joins && b.addresses[lane] == a.addresses[lane] + a.access.bytes;
    });
    if (!joins) {
      ++i;
      continue;
    }
    Event both = a;
    both.access.bytes += b.access.bytes;
    both.after.clear();
    for_lanes(a.lanes, [&](unsigned lane) {
      unsigned char* const to = both.value(both.after, lane);
      std::memcpy(to, a.value(a.after, lane), a.access.bytes);
      std::memcpy(to + a.access.bytes, b.value(b.after, lane), b.access.bytes);
    });
    a = both;
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// For a window that may lose its first steps: what memory holds after each.
void keep_cells(const OpenStep& step, StepText& text, const Window& window) {
  for (const Event& event : step.events) {
    if (event.kind != Event::Kind::store && event.kind != Event::Kind::atomic) continue;
    const Shown& shown = window.objects[event.object];
    std::map<std::size_t, std::string> cells;
    for_lanes(event.lanes, [&](unsigned lane) {
      const std::size_t begin = event.addresses[lane] - shown.object.begin;
      if (event.after.empty() || begin + event.access.bytes > shown.object.bytes) return;
      const auto* const data = event.after.data() + std::size_t{lane} * event.access.bytes;
      const std::size_t element = shown.type.element;
      for (std::size_t first = begin / element * element; first < begin + event.access.bytes;
           first += element)
        for (const Cell& cell : shown.type.cells) {
          const std::size_t at = first + cell.offset;
          if (at >= begin && at + cell.bytes <= begin + event.access.bytes)
            cells[at] = value_text(cell.kind, cell.bytes, data + (at - begin));
        }
    });
    text.cells.emplace_back(event.object, cells);
  }
}

// The first half of the steps goes: what is asked for is still to come.
void drop_first_half(Window& window) {
  const std::size_t count = window.steps.size() / 2;
  for (std::size_t i = 0; i < count; ++i) {
    window.bytes -= window.steps[i].json.size() + 1;
    for (const auto& [object, cells] : window.steps[i].cells)
      for (const auto& [offset, text] : cells) window.objects[object].initial[offset] = text;
  }
  window.steps.erase(window.steps.begin(),
                     window.steps.begin() + static_cast<std::ptrdiff_t>(count));
  window.before += count;
  std::erase_if(window.touches, [&](const Touch& touch) { return touch.step < count; });
  for (Touch& touch : window.touches) touch.step -= count;
  std::erase_if(window.found, [&](const Found& found) { return found.step < count; });
  for (Found& found : window.found) found.step -= count;
}

// What a copy reads comes before what it writes.
void order_copies(std::vector<Event>& events) {
  for (std::size_t i = 0; i + 1 < events.size(); ++i)
    if (std::exchange(events[i].is_copy, false) && events[i + 1].kind == Event::Kind::load)
      std::swap(events[i], events[i + 1]);
}

void close(OpenStep& step, Window& window) {
  std::erase_if(step.events, [](const Event& event) { return event.lanes == 0; });
  order_copies(step.events);
  join_stores(step.events);
  std::string json = R"({"w":)" + std::to_string(step.warp) + R"(,"f":)" +
                     std::to_string(step.source) + R"(,"l":)" + std::to_string(step.line) +
                     R"(,"m":)" + in_json(step.lanes);
  if (!step.events.empty()) {
    json += R"(,"e":[)";
    for (Event& event : step.events)
      json += (json.back() == '[' ? "" : ",") + event_json(event, step.lanes, window);
    json += "]";
  }
  if (step.ended != 0) json += R"(,"end":)" + in_json(step.ended);
  json += "}";
  for (const std::size_t found : step.found) window.found[found].step = window.steps.size();
  if (step.is_target) window.start = window.steps.size();
  window.bytes += json.size() + 1;
  window.steps.push_back({json, step.warp, {}});
  if (window.target.count > 0 && !window.is_reached) keep_cells(step, window.steps.back(), window);
}

void close_all() {
  Recorder& own = recorder();
  for (OpenStep& step : own.open) close(step, *own.window);
  own.open.clear();
  ++own.closings;
}

Recorder::Cursor& cursor_of(unsigned thread) {
  Recorder& own = recorder();
  Recorder::Cursor& cursor = own.cursors[thread];
  if (cursor.turn != own.turn) cursor = {own.turn, 0, own.first_event};
  return cursor;
}

// The step that the thread is in when it comes to this line.
std::size_t enter_step(unsigned thread, std::size_t source, unsigned line) {
  Recorder& own = recorder();
  Recorder::Cursor& cursor = cursor_of(thread);
  const std::uint32_t bit = 1u << thread % 32;
  std::size_t i = cursor.step;
  for (; i < own.open.size(); ++i) {
    const OpenStep& step = own.open[i];
    if (step.warp == thread / 32 && step.source == source && step.line == line &&
        (i == cursor.step || (step.lanes & bit) == 0))
      break;
  }
  if (i == own.open.size()) {
    own.open.push_back({});
    own.open.back().warp = thread / 32;
    own.open.back().source = source;
    own.open.back().line = line;
  }
  own.open[i].lanes |= bit;
  if (i != cursor.step) cursor = {own.turn, i, 0};
  own.lines[thread] = {source, line};
  return i;
}

// The event that the thread takes part in.
Event& enter_event(unsigned thread, std::size_t step, const Event& like) {
  Recorder& own = recorder();
  std::vector<Event>& events = own.open[step].events;
  Recorder::Cursor& cursor = cursor_of(thread);
  const std::uint32_t bit = 1u << thread % 32;
  std::size_t i = std::min(cursor.event, events.size());
  for (; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.kind == like.kind && event.place == like.place && event.object == like.object &&
        event.access.bytes == like.access.bytes && std::strcmp(event.what, like.what) == 0 &&
        (event.lanes & bit) == 0)
      break;
  }
  if (i == events.size()) events.push_back(like);
  events[i].lanes |= bit;
  cursor.event = i + 1;
  return events[i];
}

// The step that a thread was in last, while it is open.
OpenStep* present_step(unsigned thread) {
  Recorder& own = recorder();
  const Recorder::Cursor& cursor = cursor_of(thread);
  if (cursor.step >= own.open.size()) return nullptr;
  OpenStep& step = own.open[cursor.step];
  return step.warp == thread / 32 && (step.lanes >> thread % 32 & 1) != 0 ? &step : nullptr;
}

OpenStep& some_step(unsigned thread) {
  if (OpenStep* const step = present_step(thread)) return *step;
  const auto [source, line] = recorder().lines[thread];
  return recorder().open[enter_step(thread, source, line)];
}

// The step to which an access in this place belongs: of its line, or where that is not known the
// one that the thread was in last, which may be closed.
std::size_t step_of(unsigned thread, const Place& place) {
  return place.known ? enter_step(thread, number_of_source(place.file), place.line)
                     : cursor_of(thread).step;
}

std::size_t object_of_access(const Access& access) {
  Window& window = *recorder().window;
  const auto holds = [&](const Shown& shown) {
    return access.address - shown.object.begin < shown.object.bytes;
  };
  for (std::size_t i = 0; i < window.objects.size(); ++i)
    if (holds(window.objects[i])) return i;
  const Object found = object_at(access.address);
  for (std::size_t i = 0; i < window.objects.size(); ++i)
    if (window.objects[i].object.begin == found.begin) return i;
  Shown shown;
  shown.object = found;
  shown.space = found.bytes == 0 ? Space::global : space_of(note_at(found.begin));
  name_and_type(shown, running->launch, access.bytes);
  window.objects.push_back(shown);
  return window.objects.size() - 1;
}

}  // namespace

std::size_t number_of_text(const std::string& text) { return number_in(texts(), text); }
std::size_t number_of_source(const std::string& file) { return number_in(sources(), file); }
const std::vector<std::string>& all_texts() { return texts(); }
const std::vector<std::string>& all_sources() { return sources(); }

std::string in_json(std::uint32_t lanes) {
  char text[16];
  std::snprintf(text, sizeof text, "\"%x\"", lanes);
  return text;
}

std::string in_json(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || c == '<' || c == '>' || c == '&' || c == '"' || c == '\\') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      json += escape;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

void begin_window(Window& window) {
  Recorder& own = recorder();
  own.window = &window;
  own.open.clear();
  own.lines = {};
  own.writing = {};
  own.without_change = {};
  own.first_event = 0;
  own.ended_early = {};
  own.first_condition = nullptr;
  ++own.turn;
}

void begin_warp(unsigned warp, const std::vector<std::pair<const Place*, std::uint32_t>>& ways,
                const void* condition) {
  Recorder& own = recorder();
  if (own.window == nullptr) return;
  const std::uint32_t ended = std::exchange(own.ended_early[warp], 0);
  // A warp of which no lane goes on has ended where others have gone on.
  if (condition != nullptr && place_of(condition).known) own.first_condition = &place_of(condition);
  if (ways.size() < 2 && ended == 0) return;
  const Place* place = own.first_condition;
  if (place == nullptr)
    place = &place_of(static_cast<const char*>(own.window->kernel->function) + 1);
  if (!place->known) return;
  close_all();
  OpenStep step;
  step.warp = warp;
  step.source = number_of_source(place->file);
  step.line = place->line;
  step.ended = ended;
  Event event;
  event.kind = Event::Kind::branch;
  for (const auto& way : ways) {
    if (way.first->known) event.ways.push_back(way);
    event.lanes |= way.second;
  }
  step.lanes = event.lanes | ended;
  if (!event.ways.empty()) step.events.push_back(event);
  own.open.push_back(step);
  close_all();
}

bool ended_at_once(unsigned warp) {
  const Recorder& own = recorder();
  if (own.window == nullptr) return false;
  const unsigned threads = std::min(32u, own.window->threads - warp * 32);
  return std::popcount(own.ended_early[warp]) == static_cast<int>(threads);
}

void end_window() {
  Recorder& own = recorder();
  if (own.window == nullptr) return;
  finish_access();
  close_all();
  for (unsigned warp = 0; warp < warps_in_block; ++warp) begin_warp(warp, {}, nullptr);
  own.window = nullptr;
}

void end_window_early(const std::string& why) {
  recorder().window->limit = why;
  end_window();
  block->in_steps = false;
  block->page_full = true;
  block->past_page = 0;
  leave_order();
}

bool goes_on(unsigned warp, std::uint32_t lanes, const Place& place, std::uint64_t key) {
  const Recorder& own = recorder();
  if (own.open.size() != 1 || !place.known) return false;
  const OpenStep& step = own.open[0];
  return step.warp == warp && step.lanes == lanes && step.line == place.line && step.key == key &&
         all_sources()[step.source] == place.file;
}

void begin_turn(unsigned warp, std::uint32_t lanes, const Place& place, std::uint64_t key) {
  Recorder& own = recorder();
  if (own.window == nullptr) return;
  const bool same = goes_on(warp, lanes, place, key);
  ++own.turn;
  own.first_event = same ? own.open[0].events.size() : 0;
  if (same || !place.known) return;
  close_all();
  Window& window = *own.window;
  if (window.target.count > 0 && !window.is_reached &&
      (window.steps.size() >= max_steps / 2 || window.bytes >= max_page_bytes / 2))
    drop_first_half(window);
  if (window.steps.size() >= max_steps || window.bytes >= max_page_bytes) {
    end_window_early(window.steps.size() >= max_steps ? "steps" : "bytes");
    return;
  }
  OpenStep step;
  step.warp = warp;
  step.source = number_of_source(place.file);
  step.line = place.line;
  step.key = key;
  step.lanes = lanes;
  own.open.push_back(step);
  for_lanes(lanes, [&](unsigned lane) { own.lines[warp * 32 + lane] = {step.source, step.line}; });
}

void note_branch(unsigned warp, const std::vector<std::pair<const Place*, std::uint32_t>>& ways) {
  Recorder& own = recorder();
  std::uint32_t lanes = 0;
  for (const auto& [place, some] : ways) {
    if (!place->known) return;
    lanes |= some;
  }
  for (auto step = own.open.rbegin(); step != own.open.rend(); ++step) {
    if (step->warp != warp || (step->lanes & lanes) != lanes) continue;
    Event event;
    event.kind = Event::Kind::branch;
    event.lanes = lanes;
    event.ways = ways;
    step->events.push_back(event);
    return;
  }
}

void before_access(const Access& access) {
  const Note note = note_at(access.address);
  if (note == 0) return;
  Shown& shown = recorder().window->objects[object_of_access(access)];
  // The values before the first step of all cells that are touched.
  const auto offset = static_cast<std::size_t>(access.address - shown.object.begin);
  const std::size_t element = shown.type.element;
  for (std::size_t first = offset / element * element; first < offset + access.bytes;
       first += element)
    for (const Cell& cell : shown.type.cells) {
      const std::size_t at = first + cell.offset;
      if (at + cell.bytes <= offset || at >= offset + access.bytes) continue;
      if (at + cell.bytes > shown.object.bytes || shown.initial.contains(at)) continue;
      const std::uintptr_t address = shown.object.begin + at;
      const bool written = state_of(note_at(address)) != State::unwritten;
      shown.initial[at] =
          written ? value_text(cell.kind, cell.bytes, reinterpret_cast<const void*>(address)) : "";
    }
}

void step_access(const Access& access) {
  Recorder& own = recorder();
  if (own.window == nullptr) return;
  const unsigned thread = block->thread;
  const Place& place = place_of(access.place);
  const bool writes = (access.flags & is_write) != 0, atomic = (access.flags & is_atomic) != 0;
  if (place.in_texture && !place.known) return;  // one of those that are filtered
  const Writing before = std::exchange(own.without_change[thread], {});
  const std::size_t step = step_of(thread, place);
  if (step >= own.open.size()) return;
  Event like;
  like.kind = Event::Kind::load;
  if (writes) like.kind = atomic ? Event::Kind::atomic : Event::Kind::store;
  like.place = access.place;
  like.access = access;
  like.object = object_of_access(access);
  if (atomic && writes && ends_update()) {  // the look before it is part of it
    for (Event& event : own.open[step].events)
      if (event.kind == Event::Kind::load && (event.access.flags & is_atomic) != 0 &&
          event.addresses[thread % 32] == access.address)
        event.lanes &= ~(1u << thread % 32);
  }
  Event& event = enter_event(thread, step, like);
  event.addresses[thread % 32] = access.address;
  if (note_at(access.address) == 0) return;                                  // beyond its object
  const auto* const memory = reinterpret_cast<const void*>(access.address);  // NOLINT
  std::memcpy(event.value(event.before, thread % 32), memory, access.bytes);
  if (writes) {
    Window& window = *own.window;
    const Written& target = window.target;
    if (target.count > 0 && access.address < target.address + target.bytes &&
        target.address < access.address + access.bytes && ++window.writes == target.count)
      own.open[step].is_target = window.is_reached = true;
    own.writing.step = step;
    own.writing.event = static_cast<std::size_t>(&event - own.open[step].events.data());
    own.writing.thread = thread;
    own.writing.access = access;
    own.writing.closings = own.closings;
    own.writing.copied_from = 0;
    own.writing.is_set = true;
  } else {
    if (before.is_set && before.closings == own.closings && before.access.bytes == access.bytes) {
      own.writing = before;
      own.writing.copied_from = access.address;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, memory, std::min<std::size_t>(access.bytes, sizeof value));
    note_look(thread, access, value);
    if (atomic && place.in_library) note_update();
  }
}

void finish_access() {
  Recorder& own = recorder();
  if (!own.writing.is_set || own.window == nullptr) return;
  const Writing write = std::exchange(own.writing, {});
  const Access& access = write.access;
  const unsigned lane = write.thread % 32;
  Event& event = own.open[write.step].events[write.event];
  const auto* const memory = reinterpret_cast<const void*>(access.address);  // NOLINT
  if (write.copied_from != 0) {
    const auto* const source = reinterpret_cast<const void*>(write.copied_from);  // NOLINT
    if (std::memcmp(memory, source, access.bytes) != 0) return;
    event.is_copy = true;
  }
  unsigned char* const after = event.value(event.after, lane);
  std::memcpy(after, memory, access.bytes);
  const unsigned char* const before = event.value(event.before, lane);
  if (std::memcmp(after, before, access.bytes) != 0) {
    note_change(access.address, access.bytes);
  } else if ((access.flags & is_exchange) != 0) {
    std::uint64_t value = 0;
    std::memcpy(&value, memory, std::min<std::size_t>(access.bytes, sizeof value));
    note_look(write.thread, access, value);
  } else if ((access.flags & is_atomic) == 0 && write.copied_from == 0) {
    own.without_change[write.thread] = write;
  }
}

void step_waits(const Call& call, Location at) {
  Recorder& own = recorder();
  const unsigned thread = block->thread;
  if (own.window == nullptr || thread >= max_threads) return;
  finish_access();
  if (&call == &change_of_memory) return note_spin(thread);
  Event like;
  like.kind = call.operation != nullptr ? Event::Kind::waits : Event::Kind::barrier;
  like.what = call.name;
  const std::size_t step = enter_step(thread, number_of_source(at.file_name()), at.line());
  if (&call == &activemask) return;
  if (like.kind == Event::Kind::barrier) own.barrier = call.name;
  enter_event(thread, step, like);
}

void step_opens() {
  if (recorder().window == nullptr) return;
  finish_access();
  OpenStep& step = some_step(block->thread);
  Event event;
  event.kind = Event::Kind::opens;
  event.lanes = step.lanes;
  event.what = recorder().barrier;
  step.events.push_back(event);
  all_begin_anew();
}

static Cell::Kind kind_of(char kind) {
  if (kind == 'i') return Cell::Kind::integer;
  if (kind == 'u') return Cell::Kind::natural;
  if (kind == 'f') return Cell::Kind::real;
  return Cell::Kind::unknown;
}

void step_operation(unsigned number, const Warp& warp, std::uint32_t lanes, const Call& call) {
  if (recorder().window == nullptr) return;
  finish_access();
  OpenStep& step = some_step(block->thread);
  for (Event& event : step.events)
    if (event.kind == Event::Kind::waits) event.lanes &= ~lanes;
  Event event;
  event.kind = Event::Kind::operation;
  event.what = call.name;
  event.lanes = lanes;
  if (!call.orders_memory)
    for_lanes(lanes, [&](unsigned lane) {
      const auto& [brought, got, bytes] = recorder().brought[number * 32 + lane];
      event.given.push_back(value_text(kind_of(brought), bytes, &warp.value[lane]));
      event.got.push_back(value_text(kind_of(got), bytes, &warp.result[lane]));
      if (call.names_lane) event.from.push_back(static_cast<unsigned>(warp.argument[lane]));
    });
  step.events.push_back(event);
}

void step_brings(char brought, char got, std::size_t bytes) {
  if (block == nullptr || !block->in_steps || block->thread >= max_threads) return;
  recorder().brought[block->thread] = {brought, got, bytes};
}

void step_texture(const char* function, const double* at, std::size_t coordinates, char kind,
                  std::size_t bytes, std::size_t components, const void* value) {
  if (block == nullptr || !block->in_steps || block->thread >= max_threads) return;
  const Unseen unseen;
  Recorder& own = recorder();
  if (own.window == nullptr) return;
  const unsigned thread = block->thread, lane = thread % 32;
  Event like;
  like.kind = Event::Kind::texture;
  like.what = function;
  like.place = __builtin_return_address(0);
  const Place& place = place_of(like.place);
  const std::size_t step = step_of(thread, place);
  if (step >= own.open.size()) return;
  Event& event = enter_event(thread, step, like);
  event.at.resize(32);
  event.texels.resize(32);
  std::string& where = event.at[lane];
  where = coordinates > 1 ? "(" : "";
  for (std::size_t i = 0; i < coordinates; ++i) {
    const auto number = static_cast<float>(at[i]);
    where += (i == 0 ? "" : ", ") + value_text(Cell::Kind::real, sizeof number, &number);
  }
  if (coordinates > 1) where += ")";
  std::string& texel = event.texels[lane];
  texel.clear();
  for (std::size_t i = 0; i < components; ++i)
    texel += (i == 0 ? "" : " ") +
             value_text(kind_of(kind), bytes, static_cast<const char*>(value) + i * bytes);
}

void step_found(Finding::Kind kind, const void* place, std::uintptr_t address) {
  Recorder& own = recorder();
  if (own.window == nullptr || !block->in_steps)
    return note_elsewhere({kind, place}, block->number);
  if (own.window->found.size() >= max_steps) return;
  const Place& line = place_of(place);
  if (!line.known || block->thread >= max_threads) return;
  const Found found{{kind, place}, own.window->steps.size(), 1u << block->thread % 32, address};
  const std::size_t step = enter_step(block->thread, number_of_source(line.file), line.line);
  for (const std::size_t i : own.open[step].found) {
    Found& other = own.window->found[i];
    if (other.kind != kind || other.place != place) continue;
    other.lanes |= found.lanes;
    return;
  }
  own.open[step].found.push_back(own.window->found.size());
  own.window->found.push_back(found);
}

void step_says(const char* place, const char* sentence) {
  if (block == nullptr || !inside_kernel) return;
  const Unseen unseen;
  // A kernel that does not go on ends like one that takes too long.
  const Finding::Kind kind = running->error == cudaErrorLaunchTimeout ? Finding::Kind::deadlock
                                                                      : Finding::Kind::failed_call;
  Place where;
  where.file = place;
  if (const std::size_t colon = where.file.rfind(':'); colon != std::string::npos) {
    where.line = static_cast<unsigned>(std::strtoul(place + colon + 1, nullptr, 10));
    where.file.resize(colon);
  }
  const auto said =
      std::make_shared<const Finding>(Finding{.kind = kind, .place = where, .does = sentence});
  if (!block->in_steps || recorder().window == nullptr)
    return note_elsewhere({.kind = kind, .said = said}, block->number);
  std::vector<Found>& all = recorder().window->found;
  if (std::any_of(all.begin(), all.end(), [&](const Found& one) {
        return one.said != nullptr && text_of(*one.said) == text_of(*said);
      }))
    return;
  const std::uint32_t lanes = block->thread < max_threads ? 1u << block->thread % 32 : 0;
  some_step(block->thread).found.push_back(all.size());
  all.push_back({{.kind = kind, .said = said}, 0, lanes});
}

void step_end(unsigned thread) {
  Recorder& own = recorder();
  if (own.window == nullptr || thread >= max_threads) return;
  finish_access();
  if (own.lines[thread].second == 0) {
    own.ended_early[thread / 32] |= 1u << thread % 32;
    return;
  }
  some_step(thread).ended |= 1u << thread % 32;
}

}  // namespace emulated::explain
