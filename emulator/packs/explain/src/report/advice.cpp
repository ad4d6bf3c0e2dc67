// Races in words: who accesses what, and what to do about it. Which functions and variables there
// are is taken from the text of the lines, so it is only used for advice.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <vector>

#include "explain.h"
#include "record/memory.h"
#include "report/pattern.h"

namespace emulated::explain {

namespace {

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string line_of(const Place& place) {
  return without_spaces(source_line(place.file, place.line));
}
bool same_line(const Place& a, const Place& b) { return a.line == b.line && a.file == b.file; }

// What stands left of an assignment, from `end` backwards: a name, *name, or name[...].
std::string assigned_before(const std::string& line, std::size_t end) {
  std::size_t begin = end;
  int depth = 0;
  while (begin > 0) {
    const char c = line[begin - 1];
    if (c == ']') ++depth;
    if (c == '[' && --depth < 0) break;
    if (depth == 0 && c != '[' && c != '.' && !is_name(c)) break;
    --begin;
  }
  if (begin > 0 && line[begin - 1] == '*') --begin;
  return line.substr(begin, end - begin);
}

// What a line assigns to in memory: "out[i]", "*sum", "most"; empty:
// nothing, or more than one thing.
std::string assigned_in(const std::string& line) {
  std::set<std::string> all, plain;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if ((line[i] == '+' || line[i] == '-') && line[i + 1] == line[i]) {  // n++
      if (const std::string counter = assigned_before(line, i); !counter.empty())
        plain.insert(counter);
      continue;
    }
    if (line[i] != '=' || line[i + 1] == '=' ||
        std::string("=<>!").find(line[i - 1]) != std::string::npos)
      continue;
    const bool is_update = std::string("+-*/%&|^").find(line[i - 1]) != std::string::npos;
    const std::string assigned = assigned_before(line, is_update ? i - 1 : i);
    if (assigned.find_first_of("*[") != std::string::npos)
      all.insert(assigned);
    else if (!assigned.empty())
      plain.insert(assigned);
  }
  if (all.empty()) all = plain;
  return all.size() == 1 ? *all.begin() : "";
}

}  // namespace

static std::size_t end_of_index(const std::string& text, std::size_t bracket) {
  int depth = 0;
  for (std::size_t i = bracket; i < text.size(); ++i) {
    depth += (text[i] == '[') - (text[i] == ']');
    if (depth == 0) return i;
  }
  return text.size();
}

std::string variable_text(const Race& race) {
  const Object& object = *race.object;
  const auto offset = static_cast<std::ptrdiff_t>(race.address - object.begin);
  if (!object.name.empty() && object.name != dynamic_shared_name)
    return object.bytes == race.bytes ? object.name : element_text(object, offset, race.bytes);
  // Memory has the name that the kernel gives it, if that can be seen.
  const Place& place = place_of(race.places[race.writes[1] ? 1 : 0]);
  const std::string assigned = assigned_in(line_of(place));
  if (assigned.starts_with('*')) return assigned;
  const std::size_t bracket = assigned.find('[');
  const std::size_t end = bracket == std::string::npos ? bracket : end_of_index(assigned, bracket);
  const std::string member = end < assigned.size() ? assigned.substr(end + 1) : "";
  const std::size_t element =
      member.starts_with('.') ? element_size(object, race.bytes) : race.bytes;
  if (bracket != std::string::npos && bracket > 0 && end < assigned.size() &&
      (member.empty() || (element > race.bytes && member.find('[') == std::string::npos))) {
    const std::string index = assigned.substr(bracket + 1, end - bracket - 1);
    if (!index.empty() && index.find_first_not_of("0123456789") == std::string::npos)
      return assigned;
    std::string name = assigned.substr(0, bracket);
    if (const std::size_t dot = name.rfind('.'); dot != std::string::npos)
      name = name.substr(dot + 1);
    return name + "[" + std::to_string(offset / static_cast<std::ptrdiff_t>(element)) + "]" +
           member;
  }
  if (object.name == dynamic_shared_name) return dynamic_shared_name;
  return object.bytes == 0 ? "global memory" : element_text(object, offset, race.bytes);
}

namespace {

// Does the line multiply what it updates, as a blend: x = 0.5f * y + 0.5f * x?
bool multiplies(const std::string& line) {
  const std::string assigned = assigned_in(line);
  const std::size_t assignment = line.find(assigned + "=");
  if (assigned.empty() || assignment == std::string::npos) return false;
  std::size_t at = assignment;
  while ((at = line.find(assigned, at + 1)) != std::string::npos) {
    const std::size_t end = at + assigned.size();
    if (std::string("*/").find(line[at - 1]) != std::string::npos ||
        (end < line.size() && std::string("*/").find(line[end]) != std::string::npos))
      return true;
  }
  return false;
}

// The atomic function for what a line does; empty: it is not seen, or there is none.
std::string update_of(const std::string& line) {
  if (multiplies(line)) return "";
  for (const auto& [sign, function] : {std::pair("max(", "atomicMax"),
                                       {"min(", "atomicMin"},
                                       {"+=", "atomicAdd"},
                                       {"++", "atomicAdd"},
                                       {"-=", "atomicSub"},
                                       {"--", "atomicSub"},
                                       {"|=", "atomicOr"},
                                       {"&=", "atomicAnd"},
                                       {"^=", "atomicXor"},
                                       {"+", "atomicAdd"}})
    if (line.find(sign) != std::string::npos) return function;
  return "";
}

// "if (x < *best) *best = x": the atomic function for that, from the lines that read and write;
// empty: they do something else.
std::string comparison_of(const std::string& reading, const std::string& writing) {
  const std::string assigned = assigned_in(writing);
  if (assigned.empty()) return "";
  const std::size_t assignment = writing.find(assigned + "=");
  if (assignment == std::string::npos) return "";
  const std::size_t begin = assignment + assigned.size() + 1;
  const std::string value = writing.substr(begin, writing.find_first_of(";,", begin) - begin);
  const std::size_t bracket = assigned.find('[');  // a[i] = a[j] is half of an exchange
  if (bracket != std::string::npos && value.starts_with(assigned.substr(0, bracket + 1))) return "";
  for (const std::string& line : {reading, writing}) {
    const auto has = [&](const std::string& text) { return line.find(text) != std::string::npos; };
    if (has("max(" + assigned) || has("max(" + value + "," + assigned)) return "atomicMax";
    if (has("min(" + assigned) || has("min(" + value + "," + assigned)) return "atomicMin";
    if (!has("if(")) continue;
    if (has(assigned + "<" + value) || has(assigned + "<=" + value) ||
        has(value + ">" + assigned) || has(value + ">=" + assigned))
      return "atomicMax";
    if (has(assigned + ">" + value) || has(assigned + ">=" + value) ||
        has(value + "<" + assigned) || has(value + "<=" + assigned))
      return "atomicMin";
    if (has("(" + assigned + "==") || has("(!" + assigned)) return "atomicCAS";
  }
  return "";
}

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

bool exchanges(const Place& place) {
  static constexpr const char* words[] = {"CAS", "Exch", "exchange", "test_and_set", "lock"};
  const std::string line = line_of(place);
  return std::any_of(std::begin(words), std::end(words),
                     [&](const char* word) { return line.find(word) != std::string::npos; });
}

// "partial" of partial[i]; empty: the line assigns to no array, or to several.
std::string array_assigned_in(const Place& place) {
  const std::string assigned = assigned_in(line_of(place));
  const std::size_t bracket = assigned.find('[');
  return bracket == std::string::npos ? "" : assigned.substr(0, bracket);
}
// Of pixels[offset+1] what is left without the number, "pixels[offset", and of pixel[1] "pixel[";
// empty: it is no element.
std::string without_number(const std::string& assigned) {
  const std::size_t bracket = assigned.find('[');
  if (bracket == std::string::npos || end_of_index(assigned, bracket) + 1 != assigned.size())
    return "";
  std::size_t end = assigned.size() - 1;
  while (end > bracket && std::isdigit(static_cast<unsigned char>(assigned[end - 1])) != 0) --end;
  if (end == bracket + 1) return assigned.substr(0, end);
  const bool is_sum = end < assigned.size() - 1 && assigned[end - 1] == '+';
  return assigned.substr(0, is_sum ? end - 1 : assigned.size() - 1);
}

// Two statements that store at one index but for a number, and two arrays in dynamic shared memory
// that have bytes in common; empty: it is neither, or not seen.
std::string overlap_text(const Race& race) {
  if (race.writes[0] && race.writes[1] && race.places[0] != race.places[1]) {
    const std::string first = assigned_in(line_of(place_of(race.places[0])));
    const std::string second = assigned_in(line_of(place_of(race.places[1])));
    const std::string base = without_number(first);
    if (first != second && !base.empty() && base == without_number(second))
      return "the elements of two threads overlap: check the index, and what it is multiplied by; "
             "if they are meant to, ";
  }
  if (race.object->name != dynamic_shared_name || !race.writes[0] || !race.writes[1]) return "";
  const std::string first = array_assigned_in(place_of(race.places[0])),
                    second = array_assigned_in(place_of(race.places[1]));
  if (first.empty() || second.empty() || first == second) return "";
  return first + " and " + second +
         " have these bytes in common: the offset of one of them counts elements in place of "
         "bytes, or bytes in place of elements; if they are meant to, ";
}

bool is_unlock(const Race& race) {
  return race.unlocks && (race.atomic[0] || race.atomic[1]) &&
         exchanges(place_of(race.places[race.atomic[0] ? 0 : 1]));
}

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

std::string barrier_text(const Race& race, bool same_statement) {
  const std::string barrier =
      race.scope() == Race::warp ? "__syncwarp() or __syncthreads()" : "__syncthreads()";
  if (!race.same_turn)
    return barrier + " is missing between the turns of the loop" + see("barrier");
  if (same_statement)
    return "one statement reads what another thread writes: read into a variable, then " + barrier +
           ", then write" + see("barrier");
  if (!all_pass_between(race))
    return barrier +
           " is missing between them, where all threads come: not inside a branch that some skip" +
           see("barrier");
  return barrier + " is missing between them on some path" + see("barrier");
}

// Blocks that take the same elements.
std::string block_text(const Race& race) {
  if (race.by_thread)
    return "all blocks take the same elements: blockIdx.x * blockDim.x is missing in the index";
  return "two blocks take the same elements: check the index, and the stride of a loop, "
         "blockDim.x * gridDim.x";
}

// What to do.
std::string advice(const Race& race) {
  const Place &first = place_of(race.places[0]), &second = place_of(race.places[1]);
  const bool one_line = same_line(first, second), in_grid = race.scope() == Race::grid;
  const bool writes_only = race.writes[0] && race.writes[1],
             plain = !race.atomic[0] && !race.atomic[1];
  if (race.out_of_scope)
    return "one of them is atomic only for the threads of its own block; without _block (or with "
           "thread_scope_device) it is for all" +
           see("atomics");
  if (is_unlock(race))
    return std::string("a plain store does not unlock: ") + fence_for(race) + ", then atomicExch" +
           see("fence");
  if (race.missing.kind != BlockOrder::Missing::nothing && place_of(race.missing.place).known) {
    const std::string line = std::to_string(place_of(race.missing.place).line);
    switch (race.missing.kind) {
      case BlockOrder::Missing::release_fence:
        return std::string(fence_for(race)) +
               " is missing between the write and the atomic or flag in line " + line +
               see("fence");
      case BlockOrder::Missing::acquire_fence:
        return std::string(fence_for(race)) + " is missing after the atomic or flag in line " +
               line + see("fence");
      default:
        return "__syncthreads() is missing between the write and the atomic or flag in line " +
               line + ", by which another thread announces it" + see("fence");
    }
  }
  const Place& writing = race.writes[1] ? second : first;
  const Place& reading = race.writes[1] ? first : second;
  if (const unsigned line = line_of_unlock(*race.kernel); line != 0 && plain)
    return "the lock orders nothing, see the plain store in line " + std::to_string(line) +
           see("fence");
  const bool exchanges_elements = race.several && !in_grid && !race.same_turn;
  if (plain && !exchanges_elements)
    if (const std::string function = comparison_of(line_of(reading), line_of(writing));
        !function.empty())
      return "use " + function +
             (function == "atomicCAS" ? "" : ", of floats a loop around atomicCAS") +
             see("atomics");
  if (race.updates) {
    const std::string function = update_of(line_of(writing));
    const std::string use =
        function.empty()
            ? "let one thread compute the element: no atomic function does this in one step"
            : "use " + function;
    if (in_grid && race.several && !race.is_scattered())
      return block_text(race) + ", or " + use +
             (function.empty() ? "" : " where they are to add up") + see("atomics");
    if (in_grid) return "a barrier does not order blocks; " + use + see("atomics");
    if (race.several && !race.same_turn) return use + ", or " + barrier_text(race, false);
    return use + see("atomics");
  }
  if (one_line && writes_only && plain && race.by_thread && race.several)
    return block_text(race) + see("race");
  if (one_line && writes_only && plain)
    return std::string(
               "nothing orders the two: check the index, and that it stays within its row and "
               "array") +
           see("race");
  if (!plain && in_grid)
    return "one of them is atomic, the other is not: use the value that the atomic function "
           "returns, make both atomic, or use two launches" +
           see("atomics");
  if (in_grid)
    return overlap_text(race) +
           "nothing orders the two: a barrier does not order blocks; use another array, or two "
           "launches" +
           see("race");
  return overlap_text(race) + barrier_text(race, one_line && !writes_only);
}

}  // namespace

std::string race_text(const Race& race) {
  const auto thread = [&](int i) {
    return "thread " + std::to_string(race.threads[i]) + " of block " +
           std::to_string(race.blocks[i]);
  };
  const auto who = [&](int i) {
    if (race.updates) return thread(i) + " updates";
    return thread(i) + (race.writes[i] ? " writes" : " reads");
  };
  const auto where = [&](int i) {
    const Place& place = place_of(race.places[i]);
    return base_name(place.file) + ":" + std::to_string(place.line);
  };
  const bool one_statement =
      race.places[0] == race.places[1] && race.writes[0] && !race.updates && !race.atomic[0];
  const std::string variable = variable_text(race);
  const std::string both = one_statement
                               ? thread(0) + " and " + thread(1) + " both compute " + variable
                               : who(1) + " " + variable + ", which " + who(0) + " at " + where(0);
  const std::string begin = where(1) + ": ";
  switch (race.kind) {
    case Race::Kind::race:
      return begin + "race: kernel " + race.kernel->name + ": " + both + "; " + advice(race);
    case Race::Kind::same_value:
      return begin + "note: " + both +
             ", the same value; CUDA promises that it is one of those written";
    case Race::Kind::look:
      return begin + "note: " + both + "; one of them is atomic, the plain read may see any value";
    default:
      return begin + "note: " + both +
             "; they rely on lanes in lock step, which CUDA does not promise";
  }
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
    if (!first.known || !second.known || goes_astray(first) || goes_astray(second)) continue;
    if (is_harmless(race)) race.kind = Race::Kind::same_value;
    const bool only_unlocks = race.unlocks && !race.atomic[0] && !race.atomic[1];
    if (only_unlocks && line_of_unlock(*race.kernel) == second.line)
      continue;  // told of the lock itself
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

void add_places_of_races(std::set<const void*>& places) {
  for (const Race& race : races()) {
    places.insert({race.places[0], race.places[1]});
    if (race.missing.place != nullptr) places.insert(race.missing.place);
  }
}

std::vector<Mistake> race_mistakes() {
  std::vector<Mistake> all;
  for (const Race& race : distinct_races())
    all.push_back({Mistake::Kind::race, race.kind != Race::Kind::race, race_text(race)});
  return all;
}

}  // namespace emulated::explain
