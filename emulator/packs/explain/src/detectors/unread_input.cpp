// Copies to the device of which a part is never read, since all blocks read the same part.
//
// That a part of an array is not read is no mistake: tables, halos and early exits are so. What
// speaks is how the rest is read: each element by the thread of the same number in several blocks,
// and so few elements that the blocks, had each read others, would have come to all. A note, silent
// wherever a read may have escaped (detectors/absence.h).
#include "detectors/unread_input.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "detectors/absence.h"
#include "explain.h"
#include "record/ledger.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

namespace {

// An allocation that the host has filled, in whole or in part.
struct Input {
  Object object;
  Callers copied{};  // the latest copy
  // What the copies brought, from byte `begin` to before `end`, and what was read of it, from
  // `first` to before `last`. 0: nothing so far.
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
  std::ptrdiff_t first = 0;
  std::ptrdiff_t last = 0;
  const void* place = nullptr;  // of a read
  const KernelTotals* kernel = nullptr;
  std::uint64_t blocks = 0;  // at least, of each launch that read it
  bool is_in_order = false;  // it was read in another way, or written
};

struct Inputs {
  std::map<std::uintptr_t, Input> all;  // by the beginning of the allocation
  std::vector<Input> freed;             // that a finding may be about
};
Inputs& inputs() {
  static auto& value = *new Inputs;
  return value;
}
constexpr std::size_t max_freed = 1000;

bool is_found(const Input& one) {
  const std::ptrdiff_t read = one.last - one.first;
  const std::ptrdiff_t brought = one.end - one.begin;
  return !one.is_in_order && read > 0 && one.first >= one.begin && one.last <= one.end &&
         read < brought && read * static_cast<std::ptrdiff_t>(one.blocks) >= brought;
}

// The input in which the address lies; nullptr: there is none.
Input* input_at(std::uintptr_t address) {
  const auto after = inputs().all.upper_bound(address);
  if (after == inputs().all.begin()) return nullptr;
  Input& one = std::prev(after)->second;
  return address - one.object.begin < one.object.bytes ? &one : nullptr;
}

// Adds what a launch reads of it; false: not in the way that this is about.
bool add_part(Input& one, const Range& range, std::uint64_t blocks) {
  if (range.use != reads) return false;
  const auto begin = static_cast<std::ptrdiff_t>(range.begin - one.object.begin);
  const auto end = static_cast<std::ptrdiff_t>(range.end - one.object.begin);
  if (one.last != 0 && (begin > one.last || end < one.first)) return false;  // with a gap
  for (std::uintptr_t at = range.begin; at < range.end; ++at) {
    const void* const place = read_by_blocks_alike(at);
    if (place == nullptr) return false;
    one.place = place;
  }
  one.kernel = kernel;
  one.blocks = one.last == 0 ? blocks : std::min(one.blocks, blocks);
  one.first = one.last == 0 ? begin : std::min(one.first, begin);
  one.last = std::max(one.last, end);
  return true;
}

Finding finding_of(const Input& one, const Place& place) {
  const auto total = one.kernel->accesses.find(one.place);
  const std::size_t accessed = total == one.kernel->accesses.end() ? 0 : total->second.bytes;
  const auto part = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
    return elements_text(one.object, begin, end, accessed);
  };
  std::string rest;
  if (one.begin < one.first) rest = part(one.begin, one.first);
  if (one.last < one.end) rest += (rest.empty() ? "" : " and ") + part(one.last, one.end);
  return {.kind = Finding::Kind::unread,
          .is_note = true,
          .place = place,
          .does = "all blocks of kernel " + one.kernel->name + " read the same elements,",
          .element = part(one.first, one.last),
          .details = " of " + object_text(one.object, place) + "; " + rest + ", which the copy" +
                     line_text(one.copied, place) + " brings, are never read"};
}

}  // namespace

void note_input(std::uintptr_t to, std::size_t bytes) {
  Input* known = input_at(to);
  if (known == nullptr) {
    const Object object = object_at(to);
    if (object.by == nullptr || to - object.begin >= object.bytes) return;
    known = &inputs().all[object.begin];
    known->object = object;
    known->begin = known->end = static_cast<std::ptrdiff_t>(to - object.begin);
  }
  const auto begin = static_cast<std::ptrdiff_t>(to - known->object.begin);
  known->copied = callers();
  known->is_in_order |= begin > known->end;  // rows that are apart
  known->begin = std::min(known->begin, begin);
  known->end = std::max(known->end, begin + static_cast<std::ptrdiff_t>(bytes));
}

void note_inputs_used(const std::vector<Range>& ranges, std::uint64_t blocks) {
  if (inputs().all.empty()) return;
  for (const Range& range : ranges) {
    Input* const one = input_at(range.begin);
    if (one != nullptr && !one->is_in_order) one->is_in_order = !add_part(*one, range, blocks);
  }
}

void note_input_copied(std::uintptr_t begin, std::size_t bytes) {
  if (bytes == 0) return;
  if (Input* const one = input_at(begin)) one->is_in_order = true;
}

void end_input(std::uintptr_t begin) {
  const auto it = inputs().all.find(begin);
  if (it == inputs().all.end()) return;
  if (is_found(it->second) && inputs().freed.size() < max_freed)
    inputs().freed.push_back(it->second);
  inputs().all.erase(it);
}

void find_unread_input(std::vector<Finding>& all) {
  if (!ended_well() || !all_recorded() || ledger().has_graphs) return;
  std::vector<Input> found = inputs().freed;
  for (const auto& [begin, one] : inputs().all)
    if (is_found(one)) found.push_back(one);
  std::set<std::string> said;
  for (const Input& one : found)
    if (const Place& place = place_of(one.place);
        place.known && said.insert(place_text(place)).second)
      all.push_back(finding_of(one, place));
}

}  // namespace emulated::explain
