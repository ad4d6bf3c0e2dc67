// Races in words: who accesses what, and what to do about it. The advice follows from the record:
// is it one warp, block or grid; do both update; is one of them atomic; what would order them.
#include <algorithm>
#include <map>
#include <vector>

#include "explain.h"
#include "record/objects.h"
#include "report/race_text.h"

namespace emulated::explain {

std::string variable_text(const Race& race) {
  const Object& object = *race.object;
  if (object.name == dynamic_shared_name) return dynamic_shared_name;
  if (object.bytes == 0) return "global memory";
  if (!object.name.empty() && object.bytes == race.bytes) return object.name;
  return element_text(object, static_cast<std::ptrdiff_t>(race.address - object.begin), race.bytes);
}

namespace {

std::string line_of(const Place& place) { return "line " + std::to_string(place.line); }

// Do all threads come to a place between the two?
bool all_pass_between(const Race& race) {
  const Place &a = place_of(race.places[0]), &b = place_of(race.places[1]);
  if (!race.same_turn || a.function != b.function) return true;
  const auto [first, last] = std::minmax(race.places[0], race.places[1]);
  const auto& steps = race.kernel->steps;
  return std::any_of(steps.upper_bound(first), steps.upper_bound(last), [](const auto& step) {
    return step.second.requests > 0 && step.second.by_all;
  });
}

// Is it a plain store to what another thread exchanges, as a lock?
bool is_unlock(const Race& race) { return race.unlocks && (race.atomic[0] || race.atomic[1]); }

// The line of the plain store that should unlock the lock of this kernel; 0: there is none.
unsigned line_of_unlock(const KernelTotals& one) {
  for (const Race& race : races())
    if (race.kernel == &one && is_unlock(race))
      return place_of(race.places[race.atomic[0] ? 1 : 0]).line;
  return 0;
}

const char* fence_for(const Race& race) {
  return race.space == Space::shared ? "__threadfence_block()" : "__threadfence()";
}

std::string missing_text(const Race& race) {
  const std::string line = line_of(place_of(race.missing.place));
  switch (race.missing.kind) {
    case BlockOrder::Missing::release_fence:
      return std::string(fence_for(race)) +
             " is missing between the write and the atomic or flag in " + line + see("fence");
    case BlockOrder::Missing::acquire_fence:
      return std::string(fence_for(race)) + " is missing after the atomic or flag in " + line +
             see("fence");
    default:
      return "__syncthreads() is missing between the write and the atomic or flag in " + line +
             ", by which another thread announces it" + see("fence");
  }
}

// Does a thread come to the place of the later access first?
bool is_reversed(const Race& race) {
  if (race.other_is_ahead || !race.same_turn) return race.other_is_ahead;
  const Place &earlier = place_of(race.places[0]), &later = place_of(race.places[1]);
  // In two calls of one function that was inlined.
  if (earlier.outer_line != 0 && later.outer_line != 0 && earlier.outer_line != later.outer_line)
    return later.outer_line < earlier.outer_line;
  return later.line < earlier.line;
}

// The advice for two threads of one block.
std::string barrier_text(const Race& race) {
  const bool reversed = is_reversed(race);
  const Place& first = place_of(race.places[reversed ? 1 : 0]);
  const Place& second = place_of(race.places[reversed ? 0 : 1]);
  std::string text =
      race.scope() == Race::warp ? "__syncwarp() or __syncthreads()" : "__syncthreads()";
  text += " is missing between ";
  if (!race.same_turn || first.line > second.line)
    text += line_of(first) + " and the next time that " + line_of(second) + " runs";
  else if (is_same_line(first, second))
    text += "the two accesses of " + line_of(first);
  else
    text += "lines " + std::to_string(first.line) + " and " + std::to_string(second.line);
  if (!all_pass_between(race))
    text += ", at a place that all threads reach: not inside a branch that some skip";
  return text + see("barrier");
}

// What to do.
std::string advice(const Race& race) {
  const bool in_grid = race.scope() == Race::grid;
  const bool writes_only = race.writes[0] && race.writes[1];
  const bool plain = !race.atomic[0] && !race.atomic[1];
  if (race.out_of_scope)
    return "one of them is atomic only for the threads of its own block; without _block (or with "
           "thread_scope_device) it is for all" +
           see("atomics");
  if (is_unlock(race))
    return std::string("a plain store does not unlock: ") + fence_for(race) + ", then atomicExch" +
           see("fence");
  if (race.missing.kind != BlockOrder::Missing::nothing && place_of(race.missing.place).known)
    return missing_text(race);
  if (const unsigned line = line_of_unlock(*race.kernel); line != 0 && plain)
    return "the lock orders nothing, see the plain store in line " + std::to_string(line) +
           see("fence");
  if (race.updates)
    return std::string(in_grid ? "a barrier does not order blocks; " : "") +
           "make the update atomic (atomicAdd, atomicMax, ... or a loop around atomicCAS), or give "
           "each thread elements of its own" +
           see("atomics");
  if (!plain && in_grid)
    return "one of them is atomic, the other is not: use the value that the atomic function "
           "returns, make both atomic, or use two launches" +
           see("atomics");
  if (writes_only && plain && race.places[0] == race.places[1])
    return "nothing orders the two: should both write this element? Check the index" + see("race");
  if (in_grid && race.kernel->cooperative)
    return "nothing orders the two: a barrier does not order blocks, but grid.sync() does" +
           see("race");
  if (in_grid)
    return "nothing orders the two: a barrier does not order blocks; use another array, or two "
           "launches" +
           see("race");
  return barrier_text(race);
}

}  // namespace

Finding finding_of(const Race& race) {
  const auto thread = [&](int i) {
    return "thread " + std::to_string(race.threads[i]) + " of block " +
           std::to_string(race.blocks[i]);
  };
  const auto does = [&](int i) {
    if (race.updates) return "updates";
    return race.writes[i] ? "writes" : "reads";
  };
  Finding found{.kind = Finding::Kind::race,
                .is_note = race.kind != Race::Kind::race,
                .place = place_of(race.places[1]),
                .other_place = place_of(race.places[0]),
                .agent = {race.kernel, race.blocks[1], race.threads[1]},
                .does = does(1),
                .element = variable_text(race)};
  if (race.places[0] == race.places[1] && race.writes[0] && !race.updates && !race.atomic[0]) {
    found.agent = {race.kernel, race.blocks[0], race.threads[0]};
    found.does = "and " + thread(1) + " both compute";
  } else {
    found.details = ", which " + thread(0) + " " + does(0) + " at " +
                    base_name(found.other_place.file) + ":" +
                    std::to_string(found.other_place.line);
  }
  switch (race.kind) {
    case Race::Kind::race:
      found.advice = advice(race);
      break;
    case Race::Kind::same_value:
      found.details += ", the same value; CUDA promises that it is one of those written";
      break;
    case Race::Kind::look:
      found.details += "; one of them is atomic, the plain read may see any value";
      break;
    default:
      found.details += "; they rely on lanes in lock step, which CUDA does not promise";
      found.advice = barrier_text(race);
  }
  return found;
}

namespace {

// All write one value to one variable, or where data tell, as a search marks what it has found, or
// in loops that cross each other, as a sieve marks multiples.
bool is_harmless(const Race& race) {
  if (race.kind != Race::Kind::race || !race.writes[0] || !race.writes[1] || race.atomic[0] ||
      race.atomic[1])
    return false;
  if (race.updates || race.differ || race.places[0] != race.places[1]) return false;
  return !race.several || race.is_scattered() || (race.values.size() == 1 && race.crosses);
}

}  // namespace

std::vector<Race> distinct_races() {
  std::vector<Race> distinct;
  std::map<std::string, std::size_t> said;
  for (Race race : races()) {
    const Place &first = place_of(race.places[0]), &second = place_of(race.places[1]);
    if (!first.known || !second.known) continue;
    if (is_harmless(race)) race.kind = Race::Kind::same_value;
    const bool only_unlocks = race.unlocks && !race.atomic[0] && !race.atomic[1];
    if (only_unlocks && line_of_unlock(*race.kernel) == second.line)
      continue;  // reported for the lock itself
    std::string lines[] = {first.file + std::to_string(first.line),
                           second.file + std::to_string(second.line)};
    std::sort(std::begin(lines), std::end(lines));
    const bool is_race = race.kind == Race::Kind::race;
    std::string key = race.kernel->name;
    if (is_race)
      key += lines[0] + " " + lines[1];
    else
      key = std::to_string(int(race.kind)) + key + std::to_string(race.object->begin);
    if (race.kind == Race::Kind::same_value) key += lines[0];
    const auto [same, is_new] = said.emplace(key, distinct.size());
    if (is_new)
      distinct.push_back(race);
    else if (is_race && race.tells() > distinct[same->second].tells())
      distinct[same->second] = race;
  }
  return distinct;
}

void find_races(std::vector<Finding>& all) {
  for (const Race& race : distinct_races()) all.push_back(finding_of(race));
}

}  // namespace emulated::explain
