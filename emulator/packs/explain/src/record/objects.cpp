#include "record/objects.h"

#include <execinfo.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "emulated/scheduler.h"
#include "launch/declarations.h"
#include "memory/arena.h"
#include "platform/platform.h"
#include "record/memory.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

struct Allocated {
  Object object;
  Callers freed_by{};
  std::size_t element = 0;          // that the latest kernel took it for
  std::size_t largest_element = 0;  // that any kernel did
  std::string user{};  // the latest launch that got it: "kernel k has 64 threads in line 12"
};
struct Memory {
  std::mutex mutex;
  std::map<std::uintptr_t, Allocated> all;  // by address; also freed ones, until others lie there
  std::vector<std::uintptr_t> arguments;    // of the launch that begins next

  // The one in which the address lies; nullptr: there is none.
  Allocated* find(std::uintptr_t address) {
    const auto after = all.upper_bound(address);
    if (after == all.begin()) return nullptr;
    Allocated& one = std::prev(after)->second;
    return address - one.object.begin < one.object.bytes ? &one : nullptr;
  }
};
Memory& memory() {
  static auto& value = *new Memory;
  return value;
}

std::uintptr_t number_of(const volatile void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

}  // namespace

static thread_local constinit const char* next_name = nullptr;

void name_next_allocation(const char* name) { next_name = name; }

std::string name_of_allocation(const Object& object) {
  return object.given_name == nullptr ? "" : object.given_name;
}

void add_allocation(const void* begin, std::size_t bytes, const Allocator& by) {
  const bool written = by.type != cudaMemoryTypeDevice;
  Memory& known = memory();
  const std::uintptr_t first = number_of(begin);
  const std::lock_guard lock(known.mutex);
  // What was freed there is forgotten.
  if (const Allocated* const around = known.find(first)) known.all.erase(around->object.begin);
  auto old = known.all.lower_bound(first);
  while (old != known.all.end() && old->first < first + bytes) old = known.all.erase(old);
  known.all[first].object = {first,    bytes, "", 0, {}, &by, std::exchange(next_name, nullptr),
                             callers()};
  set_notes(first, bytes, note_of(written ? State::written : State::unwritten, Space::global));
}

void end_allocation(const void* begin) {
  Memory& known = memory();
  const std::lock_guard lock(known.mutex);
  const auto it = known.all.find(number_of(begin));
  if (it == known.all.end()) return;
  set_notes(it->first, it->second.object.bytes, 0);
  it->second.object.freed = true;
  it->second.freed_by = callers();
}

// "called in line 12", or "... of b.cu": where the function was called in which caller_line() lies;
// empty: that is not known.
static std::string call_text(const Callers& callers) {
  const Place* const inside = caller_line(callers);
  if (inside == nullptr) return "";
  std::string file = inside->outer_file;  // it was inlined there
  unsigned line = inside->outer_line;
  for (const void* caller : callers) {
    if (line != 0) break;
    if (caller == nullptr || !place_of(caller).known) continue;
    const Place& place = place_of(caller);
    if (is_same_line(place, *inside)) continue;
    file = place.file;
    line = place.line;
  }
  if (line == 0) return "";
  return "called in line " + std::to_string(line) +
         (file.empty() || file == inside->file ? "" : " of " + base_name(file));
}

std::string freed_text(const void* pointer) {
  Memory& known = memory();
  const std::lock_guard lock(known.mutex);
  const Allocated* const allocated = known.find(number_of(pointer));
  if (allocated == nullptr || !allocated->object.freed) return "";
  const Place* const line = caller_line(allocated->freed_by);
  if (line == nullptr) return "";
  const std::string call = call_text(allocated->freed_by);
  return "in line " + std::to_string(line->line) + (call.empty() ? "" : " (" + call + ")");
}

void note_element(const void* begin, std::size_t element) {
  Memory& known = memory();
  const std::lock_guard lock(known.mutex);
  const auto it = known.all.find(number_of(begin));
  if (it == known.all.end()) return;
  it->second.element = element;
  it->second.largest_element = std::max(it->second.largest_element, element);
  known.arguments.push_back(it->first);
}

void note_user_of_arguments(const std::string& text) {
  Memory& known = memory();
  const std::lock_guard lock(known.mutex);
  for (const std::uintptr_t begin : known.arguments)
    if (const auto it = known.all.find(begin); it != known.all.end()) it->second.user = text;
  known.arguments.clear();
}

std::string user_of(const Object& allocation) {
  Memory& known = memory();
  const std::lock_guard lock(known.mutex);
  const auto it = known.all.find(allocation.begin);
  return it == known.all.end() ? "" : it->second.user;
}

std::size_t element_of(const Object& allocation) {
  Memory& known = memory();
  const std::lock_guard lock(known.mutex);
  const auto it = known.all.find(allocation.begin);
  if (it == known.all.end() || it->second.object.bytes != allocation.bytes) return 0;
  return it->second.element == it->second.largest_element ? it->second.element : 0;
}

bool is_padding(std::uintptr_t address) {
  constexpr std::size_t most = 15;  // in front of what is aligned to 16 bytes
  std::size_t element = 0;
  std::size_t offset = 0;
  {
    Memory& known = memory();
    const std::lock_guard lock(known.mutex);
    const Allocated* const allocated = known.find(address);
    if (allocated == nullptr || allocated->element >= allocated->largest_element) return false;
    element = allocated->largest_element;
    offset = (address - allocated->object.begin) % element;
  }
  const auto is_unwritten = [&](std::size_t at) {
    return state_of(note_at(address - offset + at)) == State::unwritten;
  };
  std::size_t first = offset;
  std::size_t last = offset;
  while (first > 0 && is_unwritten(first - 1)) --first;
  while (last < element && is_unwritten(last)) ++last;
  return last - first < element && last - first <= most;
}

bool is_on_device(const void* pointer) {
  return device_arena().contains(pointer) || variable_at(pointer) != nullptr;
}

Callers callers() {
  void* frames[24] = {};
  const int count = backtrace(frames, 24);
  Callers found{};
  std::size_t n = 0;
  for (int i = 1; i < count && n < found.size(); ++i)
    if (in_program(frames[i])) found[n++] = frames[i];
  return found;
}

const Place* caller_line(const Callers& callers) {
  for (const void* caller : callers)
    if (caller != nullptr && place_of(caller).known) return &place_of(caller);
  return nullptr;
}

Object object_of(const SharedNote& note) {
  return {number_of(note.address()),
          note.bytes,
          note.name,
          note.element_bytes,
          {note.extents[0], note.extents[1], note.extents[2]}};
}

Object object_at(std::uintptr_t address) {
  if (is_dynamic_shared(address))
    return {number_of(dynamic_shared_bytes), running->launch.shared_bytes, dynamic_shared_name};
  const auto distance = [address](std::uintptr_t begin, std::size_t bytes) {
    if (address < begin) return begin - address;
    if (address - begin < bytes) return std::uintptr_t{0};
    return address - (begin + bytes) + 1;
  };
  Object nearest;
  std::uintptr_t least = UINTPTR_MAX;
  const auto* const pointer =
      reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
  if (running != nullptr && in_shared_memory(pointer)) {
    for (const SharedNote& note : running->shared) {
      const std::uintptr_t begin = number_of(note.address());
      if (distance(begin, note.bytes) >= least) continue;
      least = distance(begin, note.bytes);
      nearest = object_of(note);
    }
    return nearest;
  }
  const bool near_variable = is_in_gap(pointer);
  for_each_variable([&](const DeviceVariable& variable) {
    const std::uintptr_t begin = number_of(variable.begin);
    const std::uintptr_t far = distance(begin, variable.bytes);
    if (far >= least || (far > 0 && !near_variable)) return;
    least = far;
    nearest = {begin, variable.bytes, variable.name};
  });
  if (nearest.bytes > 0) return nearest;
  const std::lock_guard lock(memory().mutex);
  const auto after = memory().all.upper_bound(address);
  const auto consider = [&](const auto& entry) {
    const Object& object = entry.second.object;
    if (distance(object.begin, object.bytes) >= least) return;
    least = distance(object.begin, object.bytes);
    nearest = object;
  };
  if (after != memory().all.begin()) consider(*std::prev(after));
  if (after != memory().all.end()) consider(*after);
  return nearest;
}

std::size_t element_size(const Object& object, std::size_t bytes) {
  if (object.element != 0) return object.element;
  return object.by == nullptr ? bytes : std::max(bytes, element_of(object));
}

std::string element_text(const Object& object, std::ptrdiff_t offset, std::size_t bytes) {
  const auto size = static_cast<std::ptrdiff_t>(element_size(object, bytes));
  if (object.element != 0 && object.extents[0] == 0) return object.name;  // one value
  const std::string name = object.by != nullptr ? name_of_allocation(object) : object.name;
  std::string text;
  std::ptrdiff_t index = offset / size - (offset % size < 0 ? 1 : 0);
  const std::ptrdiff_t index_in_all = index;
  for (std::size_t d = 1; d < object.extents.size() && object.extents[d] != 0; ++d) {
    std::ptrdiff_t row = 1;
    for (std::size_t e = d; e < object.extents.size() && object.extents[e] != 0; ++e)
      row *= static_cast<std::ptrdiff_t>(object.extents[e]);
    const std::ptrdiff_t whole = index / row - (index % row < 0 ? 1 : 0);
    text += "[" + std::to_string(whole) + "]";
    index -= whole * row;
  }
  text += "[" + std::to_string(index) + "]";
  // A member of a structure, of a float4.
  std::string part;
  if (const auto all = static_cast<std::ptrdiff_t>(bytes); object.by != nullptr && all < size) {
    const std::ptrdiff_t first = offset - index_in_all * size;
    const std::string begin = std::to_string(first);
    part = all == 1 ? "byte " + begin + " of "
                    : "bytes " + begin + " to " + std::to_string(first + all - 1) + " of ";
  }
  if (name.empty() || object.name == dynamic_shared_name) return part + "element " + text;
  return part + name + text;
}

std::string elements_text(const Object& object, std::ptrdiff_t begin, std::ptrdiff_t end,
                          std::size_t accessed) {
  const std::size_t bytes = element_size(object, accessed);
  if (bytes == 0 && object.by == nullptr) return object.name;
  if (bytes == 0) return "bytes " + std::to_string(begin) + " to " + std::to_string(end - 1);
  const auto size = static_cast<std::ptrdiff_t>(bytes);
  const std::string first = element_text(object, begin / size * size, bytes);
  const std::string last = element_text(object, (end - 1) / size * size, bytes);
  return first == last ? first : first + " to " + last;
}

// ", called in line 12", where the line that allocates has made others for other calls, too.
static std::string caller_text(const Object& object) {
  const Place* const line = caller_line(object.callers);
  const std::string call = call_text(object.callers);
  if (line == nullptr || call.empty()) return "";
  const std::lock_guard lock(memory().mutex);
  for (const auto& [begin, allocated] : memory().all) {
    const Callers& callers = allocated.object.callers;
    const Place* const other = caller_line(callers);
    if (other != nullptr && is_same_line(*other, *line) && call_text(callers) != call)
      return ", " + call;
  }
  return "";
}

std::string object_text(const Object& object, const Place& place) {
  if (object.by == nullptr) return object.name;
  const std::string name = name_of_allocation(object);
  std::string text = "the " + bytes_text(object.bytes) + " ";
  text += name.empty() ? "from " : "of " + name + " (";
  text += object.by->name + line_text(object.callers, place) + caller_text(object);
  return name.empty() ? text : text + ")";
}

std::string line_text(const Callers& callers, const Place& from) {
  const Place* const place = caller_line(callers);
  if (place == nullptr) return "";
  return " in line " + std::to_string(place->line) +
         (place->file == from.file ? "" : " of " + base_name(place->file));
}

std::vector<Piece> all_pieces() {
  std::vector<Piece> all;
  for_each_variable([&all](const DeviceVariable& variable) {
    if (!variable.constant)
      all.push_back({number_of(variable.begin), variable.bytes, variable.common});
  });
  const std::lock_guard lock(memory().mutex);
  for (const auto& [begin, allocated] : memory().all)
    if (const Object& object = allocated.object; !object.freed)
      all.push_back({begin, object.bytes, object.by->type != cudaMemoryTypeDevice});
  return all;
}

}  // namespace emulated::explain
