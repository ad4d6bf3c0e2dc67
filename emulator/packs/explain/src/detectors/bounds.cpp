// Accesses beyond what was allocated or declared, such as are not aligned, and objects whose
// virtual functions are the host's.
//
// Two look for them: the notes (memory.h) at each access, and the compiler, where it sees the size
// of an array (-fsanitize=bounds-strict), which calls a function for an index that is too large. A
// vector at a misaligned address faults, as its instruction needs the alignment
// (src/platform/signals.cpp).
#include "detectors/bounds.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "diagnosis/diagnosis.h"
#include "emulated/scheduler.h"
#include "launch/running.h"
#include "platform/platform.h"
#include "record/objects.h"
#include "report/findings.h"
#include "step/step.h"
#include "warps/block.h"

namespace emulated::explain {

namespace {

// What one place in a kernel does with one object, out of bounds.
struct Beyond {
  const void* place = nullptr;
  Agent agent{};
  Object object;
  std::uint32_t bytes = 0;
  bool writes = false;
  std::ptrdiff_t offset = 0, least = 0, most = 0;  // of the first access seen, and of all
  std::uint64_t count = 0;
  std::uintptr_t nearest = 0;  // where the object begins, or the one that seems to be meant there
};
// An object that the host has made, where a kernel reads the address of its virtual functions.
struct HostTable {
  Beyond read;
  std::string name;  // of its class
};
struct Bounds {
  std::vector<Finding> indices;  // that the compiler has checked
  std::vector<Beyond> beyond, misaligned;
  std::vector<Beyond> own_addresses;  // of a thread's variables, left where others find them
  std::vector<HostTable> host_tables;
};
Bounds& bounds() {
  static auto& value = *new Bounds;
  return value;
}

constexpr std::size_t max_places = 1000;

// Notes the access in a list that has each place, kernel and object once.
void note_in(std::vector<Beyond>& all, const Access& access) {
  const Lock lock;
  const Object nearest = object_at(access.address);
  const bool writes = (access.flags & is_write) != 0;
  const auto same = std::find_if(all.begin(), all.end(), [&](const Beyond& one) {
    return one.place == access.place && one.agent.kernel == kernel &&
           one.nearest == nearest.begin && one.writes == writes;
  });
  const bool is_known = same != all.end();
  const Object& object = is_known ? same->object : nearest;
  const auto offset = static_cast<std::ptrdiff_t>(access.address - object.begin);
  if (is_known) {
    same->least = std::min(same->least, offset);
    same->most = std::max(same->most, offset);
    ++same->count;
  } else if (all.size() < max_places) {
    all.push_back({access.place, present_agent(), object, access.bytes, writes, offset, offset,
                   offset, 1, nearest.begin});
  }
}

std::string object_of(const Beyond& one, const Place& place) {
  const Object& object = one.object;
  if (object.by != nullptr) return object_text(object, place);
  if (object.name != dynamic_shared_name)
    return object.name + ", which has " + bytes_text(object.bytes);
  return object.bytes == 0
             ? "dynamic shared memory: the launch asked for none (third number in <<<...>>>)"
             : "the " + bytes_text(object.bytes) +
                   " of dynamic shared memory that the launch asked for";
}

const char* verb_of(const Beyond& one) { return one.writes ? "writes" : "reads"; }

Finding beyond_of(const Beyond& one, const Place& place) {
  Finding found{.kind = Finding::Kind::out_of_bounds,
                .place = place,
                .agent = one.agent,
                .does = verb_of(one)};
  if (one.object.begin == 0) {
    found.element = "memory that was never allocated";
    return found;
  }
  // The nearest allocation is then mostly not the one that was meant.
  constexpr std::ptrdiff_t far = std::ptrdiff_t{1} << 30;
  if (one.offset < -far || one.offset > static_cast<std::ptrdiff_t>(one.object.bytes) + far) {
    found.element = "memory far from all that was allocated";
    found.details = ": an index has wrapped around or was never set, or a pointer is wrong";
    return found;
  }
  const auto element = [&](std::ptrdiff_t offset) {
    return element_text(one.object, offset, one.bytes);
  };
  found.element = element(one.offset);
  if (!one.object.freed && one.offset >= 0 &&
      one.offset < static_cast<std::ptrdiff_t>(one.object.bytes))
    found.element = bytes_text(one.bytes) + " from " + found.element + " on";
  std::string where = one.offset < 0 ? ", before " : ", beyond ";
  if (one.object.freed) where = " of memory that was freed: ";
  found.details = where + object_of(one, place);
  if (one.object.freed) {
    const std::string freed =
        freed_text(reinterpret_cast<const void*>(one.object.begin));  // NOLINT
    if (!freed.empty()) found.details += ", freed " + freed;
  }
  if (one.least < one.most)
    found.details += "; " + std::to_string(one.count) + " such accesses in all, from " +
                     element(one.least) + " to " + element(one.most);
  return found;
}

Finding misaligned_of(const Beyond& one, const Place& place) {
  return {.kind = Finding::Kind::misaligned,
          .place = place,
          .agent = one.agent,
          .does = verb_of(one),
          .element = std::to_string(one.bytes) + " bytes at once, from byte " +
                     std::to_string(one.offset) + " of " + object_text(one.object, place) + " on",
          .details = ": not a multiple of " + std::to_string(std::min(one.bytes, 8u)) +
                     ", which ends the kernel on a GPU"};
}

Finding stored_of(const Beyond& one, const Place& place) {
  return {.kind = Finding::Kind::out_of_bounds,
          .is_note = true,
          .place = place,
          .agent = one.agent,
          .does = "stores the address of a variable of its own in",
          .element = object_text(one.object, place),
          .details = "; the variable ends with the thread, and no other thread can use it"};
}

Finding table_of(const HostTable& one, const Place& place) {
  return {.kind = Finding::Kind::host_object,
          .place = place,
          .agent = one.read.agent,
          .does = "calls a virtual function, or asks for the type, of an object of " + one.name +
                  " that the host has made, at",
          .element = "byte " + std::to_string(one.read.offset) + " of " +
                     object_text(one.read.object, place),
          .details = ": its functions are the host's, and a GPU cannot call them",
          .advice = "make the object in a kernel, with new (address) " + one.name + "(...)"};
}

// What the compiler hands over (compiler-rt, lib/ubsan/ubsan_value.h and ubsan_handlers.h).
struct TypeOfIndex {
  std::uint16_t kind;  // 0: an integer
  std::uint16_t info;  // of an integer: 1 for a sign
  char name[1];        // in quotes
};
struct OutOfBounds {
  const char* file;
  std::uint32_t line, column;
  const TypeOfIndex *array, *index;
};

void note_index(const OutOfBounds& at, std::uintptr_t value) {
  // struct { int n; float values[1]; }, with more of them after it: an old way
  // to write an array of any length.
  if (std::strstr(at.array->name, "[1]'") != nullptr) return;
  const Lock lock;
  if (block->thread < max_threads) block->goes_astray[block->thread] = true;
  auto& all = bounds().indices;
  const auto known = [&](const Finding& one) {
    return one.place.line == at.line && one.place.file == at.file;
  };
  if (all.size() >= max_places || std::any_of(all.begin(), all.end(), known)) return;
  const bool has_sign = (at.index->info & 1) != 0;
  const unsigned bits = 1u << (at.index->info >> 1);
  // The value of a shorter type comes with zeros in front.
  long long index = static_cast<long long>(value);
  if (has_sign && bits == 32) index = static_cast<std::int32_t>(value);
  std::string type = at.array->name;
  if (type.size() > 2) type = type.substr(1, type.size() - 2);
  Place place;
  place.file = at.file;
  place.line = at.line;
  all.push_back(
      {.kind = Finding::Kind::out_of_bounds,
       .place = place,
       .agent = present_agent(),
       .does = "uses the index " + std::to_string(index) + " of an array of type " + type});
}

}  // namespace

void note_misaligned(const Access& access) {
  note_in(bounds().misaligned, access);
  step_found(Finding::Kind::misaligned, access.place, access.address);
}

void note_beyond(const Access& access) {
  note_in(bounds().beyond, access);
  if (block->in_steps) step_access(access);
  step_found(Finding::Kind::out_of_bounds, access.place, access.address);
}

void note_stored(std::uintptr_t value, std::uintptr_t where, const void* place) {
  const auto top = reinterpret_cast<std::uintptr_t>(worker->current->stack_top());
  if (value >= top || top - value > Fiber::stack_bytes) return;
  Access access;
  access.place = place;
  access.address = where;
  access.bytes = sizeof value;
  access.flags = is_write;
  note_in(bounds().own_addresses, access);
}

void note_table(const Access& access) {
  const void* table = nullptr;
  std::memcpy(&table, reinterpret_cast<const void*>(access.address),  // NOLINT
              sizeof table);
  const std::string name = class_of_table(table);
  if (name.empty()) return;
  const Lock lock;
  auto& all = bounds().host_tables;
  if (all.size() >= max_places || std::any_of(all.begin(), all.end(), [&](const HostTable& one) {
        return one.read.place == access.place && one.name == name;
      }))
    return;
  std::vector<Beyond> one;
  note_in(one, access);
  all.push_back({one.front(), name});
}

void find_beyond(std::vector<Finding>& all) {
  std::set<std::string> said;  // a line has many places
  for (const Finding& one : bounds().indices) {
    said.insert(place_text(one.place));
    all.push_back(one);
  }
  const auto add = [&](const std::vector<Beyond>& list,
                       Finding (*finding_of)(const Beyond&, const Place&)) {
    for (const Beyond& one : list) {
      const Place& place = place_of(one.place);
      const std::string line = place_text(place);
      if (place.known && !said.contains(line) &&
          said.insert(line + one.object.name + std::to_string(one.object.begin) + verb_of(one))
              .second)
        all.push_back(finding_of(one, place));
    }
  };
  add(bounds().beyond, beyond_of);
  add(bounds().misaligned, misaligned_of);
  for (const Beyond& one : bounds().own_addresses)
    if (const Place& place = place_of(one.place); place.known) all.push_back(stored_of(one, place));
  for (const HostTable& one : bounds().host_tables)
    if (const Place& place = place_of(one.read.place); place.known)
      all.push_back(table_of(one, place));
}

extern "C" void __ubsan_handle_out_of_bounds(const OutOfBounds* at, std::uintptr_t index) {
  if (block == nullptr || !inside_kernel) return;
  note_index(*at, index);
}

}  // namespace emulated::explain
