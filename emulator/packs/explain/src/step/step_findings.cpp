// What is wrong in the steps of a block: the report's sentences, at the steps that they are about;
// and what is wrong elsewhere, with the command that shows it.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <tuple>

#include "record/objects.h"
#include "report/race_text.h"
#include "step/step.h"

namespace emulated::explain {

namespace {

// An access of a race, in a window.
struct End {
  std::size_t step = SIZE_MAX;
  std::uint32_t lanes = 0;
};

// The latest one before `until`.
End end_of(const Window& window, const Race& race, int which, std::size_t until) {
  if (race.blocks[which] != window.number) return {};
  const unsigned lane = race.threads[which] % 32, warp = race.threads[which] / 32;
  for (std::size_t i = window.touches.size(); i-- > 0;) {
    const Touch& touch = window.touches[i];
    if (touch.step >= until || touch.place != race.places[which]) continue;
    if ((touch.lanes >> lane & 1) == 0 || window.steps[touch.step].warp != warp) continue;
    const auto index = static_cast<std::size_t>(std::popcount(touch.lanes & ((1u << lane) - 1)));
    const std::uintptr_t address = touch.addresses[index];
    if (race.address + race.bytes <= address || address + touch.bytes <= race.address) continue;
    return {touch.step, 1u << lane};
  }
  return {};
}

bool are_lines_of(const Race& one, const Race& other) {
  const auto same = [](const void* a, const void* b) {
    const Place &first = place_of(a), &second = place_of(b);
    return first.line == second.line && first.file == second.file;
  };
  return (same(one.places[0], other.places[0]) && same(one.places[1], other.places[1])) ||
         (same(one.places[0], other.places[1]) && same(one.places[1], other.places[0]));
}

// The sentence of the report, about these two threads.
std::string text_of(const Race& distinct, const Race& occurrence) {
  Race race = distinct;
  if (place_of(race.places[0]).line != place_of(occurrence.places[0]).line)
    race.updates = occurrence.updates;
  for (const int i : {0, 1}) {
    race.places[i] = occurrence.places[i];
    race.writes[i] = occurrence.writes[i];
    race.atomic[i] = occurrence.atomic[i];
    race.blocks[i] = occurrence.blocks[i];
    race.threads[i] = occurrence.threads[i];
  }
  race.address = occurrence.address;
  race.bytes = occurrence.bytes;
  race.same_turn = occurrence.same_turn;
  race.object = occurrence.object;
  return race_text(race);
}

const char* name_of(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::out_of_bounds:
      return "bounds";
    case Finding::Kind::never_written:
      return "unwritten";
    case Finding::Kind::race:
      return "race";
    case Finding::Kind::deadlock:
      return "deadlock";
    case Finding::Kind::failed_call:
      return "barrier";
    default:
      return "note";
  }
}

std::string about(const Window& window, std::uintptr_t address) {
  for (std::size_t i = 0; i < window.objects.size(); ++i) {
    const Object& object = window.objects[i].object;
    if (address - object.begin < object.bytes)
      return R"(,"o":)" + std::to_string(i) + R"(,"a":)" + std::to_string(address - object.begin);
  }
  return "";
}

std::string finding(const Window& window, const char* kind, std::size_t step,
                    const std::string& text, std::uint32_t lanes, std::uintptr_t address,
                    const End& other) {
  std::string json = std::string(R"({"kind":")") + kind + R"(","step":)" + std::to_string(step) +
                     R"(,"text":)" + std::to_string(number_of_text(text));
  if (lanes != 0) json += R"(,"lanes":)" + in_json(lanes);
  if (other.step != SIZE_MAX)
    json += R"(,"other":{"step":)" + std::to_string(other.step) + R"(,"lanes":)" +
            in_json(other.lanes) + "}";
  return json + about(window, address) + "}";
}

// What a finding is about: once for all blocks in which it is so.
std::string about(Finding::Kind kind, const void* place) {
  return name_of(kind) + (" " + place_text(place_of(place)));
}
std::string about(const std::string& text) { return text.substr(0, text.find(": ")); }

// The report names the thread that did it first, which may be one of another block.
std::string for_block(const std::string& text, std::uint64_t number) {
  const std::string words = " of block ";
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return text;
  if (std::strtoull(text.c_str() + at + words.size(), nullptr, 10) == number) return text;
  return text + "; block " + std::to_string(number) + ", which is shown here, does the same";
}

// Something that is wrong in a block, or behind the steps, that are not shown.
struct Noted {
  Finding::Kind kind = Finding::Kind::failed_call;
  const void* place = nullptr;
  std::string text;  // instead of a place
  Race race;         // likewise, where its kernel is known
  std::string command;
};
// Kernel, kind, and up to two places or a text, each once.
struct AllNoted {
  std::set<std::tuple<const KernelTotals*, int, const void*, const void*, std::string>> known;
  std::vector<Noted> all;
};
AllNoted& noted() {
  static auto& value = *new AllNoted;
  return value;
}
constexpr std::size_t max_noted = 1000, max_elsewhere = 5;

void add(Noted one, std::uint64_t number) {
  if (!makes_steps()) return;
  const Lock lock;
  const bool is_race = one.race.kernel != nullptr;
  if (noted().all.size() >= max_noted ||
      !noted()
           .known
           .emplace(kernel, static_cast<int>(one.kind), is_race ? one.race.places[0] : one.place,
                    one.race.places[1], about(one.text))
           .second)
    return;
  one.command = command_for(number);
  noted().all.push_back(one);
}

// The report's sentence of what was noted, if that is a mistake that no window shows.
std::string text_elsewhere(const Noted& one, const std::vector<Finding>& mistakes,
                           const std::vector<Race>& distinct, const std::set<std::string>& shown) {
  if (!one.text.empty()) return shown.contains(about(one.text)) ? "" : one.text;
  if (one.race.kernel != nullptr) {
    for (const Race& known : distinct)
      if (known.kernel == one.race.kernel && are_lines_of(known, one.race))
        return known.kind != Race::Kind::race || shown.contains(race_text(known))
                   ? ""
                   : race_text(known);
    return "";
  }
  const Place& place = place_of(one.place);
  if (!place.known || shown.contains(about(one.kind, one.place))) return "";
  for (const Finding& mistake : mistakes)
    if (mistake.kind == one.kind && !mistake.is_note && mistake.text.starts_with(place_text(place)))
      return mistake.text;
  return "";
}

}  // namespace

void note_elsewhere(Finding::Kind kind, const void* place) {
  Noted one;
  one.kind = kind;
  one.place = place;
  add(one, block->number);
}

void note_elsewhere(const std::string& text) {
  Noted one;
  one.text = text;
  add(one, block->number);
}

void note_elsewhere(const Race& race) {
  Noted one;
  one.kind = Finding::Kind::race;
  one.race = race;
  add(one, race.blocks[1]);
}

std::vector<Elsewhere> mistakes_elsewhere(const std::set<std::string>& shown) {
  std::vector<Elsewhere> all;
  const std::vector<Finding> mistakes = all_findings();
  const std::vector<Race> distinct = distinct_races();
  std::set<std::string> said;
  for (const Noted& one : noted().all) {
    const std::string text = text_elsewhere(one, mistakes, distinct, shown);
    if (text.empty() || all.size() == max_elsewhere || !said.insert(text).second) continue;
    all.push_back({text.substr(0, text.find('\n')), one.command});
  }
  return all;
}

std::vector<std::string> findings_json(const Window& window, std::set<std::string>& shown) {
  std::vector<std::string> all;
  std::set<std::pair<std::size_t, std::string>> said;  // of a step
  const std::vector<Finding> mistakes = all_findings();
  for (const Found& found : window.found) {
    if (found.step >= window.steps.size()) continue;
    if (!found.text.empty()) {
      shown.insert(about(found.text));
      all.push_back(finding(window, name_of(found.kind), found.step, found.text, found.lanes,
                            found.address, {}));
      continue;
    }
    const std::string place = place_text(place_of(found.place));
    for (const Finding& mistake : mistakes)
      if (mistake.kind == found.kind && mistake.text.starts_with(place)) {
        if (!said.emplace(found.step, mistake.text).second) break;
        const char* const kind = mistake.is_note ? "note" : name_of(found.kind);
        shown.insert(about(found.kind, found.place));
        all.push_back(finding(window, kind, found.step, for_block(mistake.text, window.number),
                              found.lanes, found.address, {}));
        break;
      }
  }
  struct Both {
    const Race* distinct;
    const Race* occurrence;
    End now, other;
  };
  // Each pair of lines once for each step in which it comes.
  std::map<std::pair<const Race*, std::size_t>, Both> pairs;
  const std::vector<Race> distinct = distinct_races();
  for (const Race& one : window.races)
    for (const Race& known : distinct) {
      if (known.kernel != one.kernel || !are_lines_of(known, one)) continue;
      End now = end_of(window, one, 1, window.steps.size());
      End other = end_of(window, one, 0, now.step == SIZE_MAX ? window.steps.size() : now.step + 1);
      if (now.step == SIZE_MAX) std::swap(now, other);
      if (now.step == SIZE_MAX) break;
      const auto [it, is_new] =
          pairs.try_emplace({&known, now.step}, Both{&known, &one, now, other});
      it->second.now.lanes |= now.lanes;
      if (it->second.other.step == other.step) it->second.other.lanes |= other.lanes;
      break;
    }
  for (const auto& [key, both] : pairs) {
    const bool is_race = both.distinct->kind == Race::Kind::race;
    shown.insert(race_text(*both.distinct));
    all.push_back(finding(window, is_race ? "race" : "note", both.now.step,
                          text_of(*both.distinct, *both.occurrence), both.now.lanes,
                          both.occurrence->address, both.other));
  }
  return all;
}

}  // namespace emulated::explain
