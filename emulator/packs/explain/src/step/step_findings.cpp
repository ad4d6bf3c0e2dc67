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

// Are a pair and another one the same two lines, in either order?
bool are_same_lines(const Place& a, const Place& b, const Place& c, const Place& d) {
  return (is_same_line(a, c) && is_same_line(b, d)) || (is_same_line(a, d) && is_same_line(b, c));
}

// What the report says, about these two threads.
Finding finding_of(const Race& distinct, const Race& occurrence) {
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
  return finding_of(race);
}

std::string about(const Window& window, std::uintptr_t address) {
  for (std::size_t i = 0; i < window.objects.size(); ++i) {
    const Object& object = window.objects[i].object;
    if (address - object.begin < object.bytes)
      return R"(,"o":)" + std::to_string(i) + R"(,"a":)" + std::to_string(address - object.begin);
  }
  return "";
}

std::string finding_json(const Window& window, const Finding& finding, const std::string& text,
                         std::size_t step, std::uint32_t lanes, std::uintptr_t address,
                         const End& other) {
  std::string json = std::string(R"({"kind":")") + name_on_page(finding) + R"(","step":)" +
                     std::to_string(step) + R"(,"text":)" + std::to_string(number_of_text(text));
  if (lanes != 0) json += R"(,"lanes":)" + in_json(lanes);
  if (other.step != SIZE_MAX)
    json += R"(,"other":{"step":)" + std::to_string(other.step) + R"(,"lanes":)" +
            in_json(other.lanes) + "}";
  return json + about(window, address) + "}";
}

About about(const Finding& one) {
  return {one.kind, one.agent.kernel, place_text(one.place), place_text(one.other_place)};
}

// The report names the thread that did it first, which may be one of another block.
std::string text_for_block(const Finding& one, std::uint64_t number) {
  if (one.agent.kernel == nullptr || one.agent.block == number) return text_of(one);
  return text_of(one) + "; block " + std::to_string(number) +
         ", which is shown here, does the same";
}

// What the report says of it; nullptr: nothing.
const Finding* finding_of(const Mention& mention, const KernelTotals* in,
                          const std::vector<Finding>& all) {
  if (mention.said != nullptr) return mention.said.get();
  const Place &place = place_of(mention.place), &other = place_of(mention.other_place);
  const auto it = std::find_if(all.begin(), all.end(), [&](const Finding& one) {
    if (one.kind != mention.kind) return false;
    if (mention.other_place == nullptr) return is_same_line(one.place, place);
    return one.agent.kernel == in && are_same_lines(one.place, one.other_place, place, other);
  });
  return it == all.end() ? nullptr : &*it;
}

// Something that is wrong in a block, or behind the steps, that are not shown.
struct Noted : Mention {
  const KernelTotals* kernel = nullptr;
  std::string command;
};
// Each once.
struct AllNoted {
  std::set<std::tuple<const KernelTotals*, Finding::Kind, const void*, const void*, std::string>>
      known;
  std::vector<Noted> all;
};
AllNoted& noted() {
  static auto& value = *new AllNoted;
  return value;
}
constexpr std::size_t max_noted = 1000, max_elsewhere = 5;

}  // namespace

void note_elsewhere(const Mention& mention, std::uint64_t number) {
  if (!makes_steps()) return;
  const Lock lock;
  const std::string said = mention.said == nullptr ? "" : place_text(mention.said->place);
  if (noted().all.size() < max_noted &&
      noted().known.emplace(kernel, mention.kind, mention.place, mention.other_place, said).second)
    noted().all.push_back({mention, kernel, command_for(number)});
}

std::vector<Elsewhere> mistakes_elsewhere(const std::set<About>& shown) {
  std::vector<Elsewhere> all;
  const std::vector<Finding> mistakes = all_findings();
  std::set<std::string> said;
  for (const Noted& one : noted().all) {
    const Finding* const found = finding_of(one, one.kernel, mistakes);
    if (found == nullptr || found->is_note || shown.contains(about(*found))) continue;
    if (all.size() < max_elsewhere && said.insert(text_of(*found)).second)
      all.push_back({text_of(*found), one.command});
  }
  return all;
}

std::vector<std::string> findings_json(const Window& window, std::set<About>& shown) {
  std::vector<std::string> all;
  std::set<std::pair<std::size_t, const Finding*>> said;  // of a step
  const std::vector<Finding> mistakes = all_findings();
  for (const Found& found : window.found) {
    const Finding* const one = finding_of(found, window.kernel, mistakes);
    if (found.step >= window.steps.size() || one == nullptr ||
        !said.emplace(found.step, one).second)
      continue;
    shown.insert(about(*one));
    all.push_back(finding_json(window, *one, text_for_block(*one, window.number), found.step,
                               found.lanes, found.address, {}));
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
      if (known.kernel != one.kernel ||
          !are_same_lines(place_of(known.places[0]), place_of(known.places[1]),
                          place_of(one.places[0]), place_of(one.places[1])))
        continue;
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
    shown.insert(about(finding_of(*both.distinct)));
    const Finding one = finding_of(*both.distinct, *both.occurrence);
    all.push_back(finding_json(window, one, text_of(one), both.now.step, both.now.lanes,
                               both.occurrence->address, both.other));
  }
  return all;
}

}  // namespace emulated::explain
