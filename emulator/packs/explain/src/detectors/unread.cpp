// Kernels whose results are never read: all that the launches of a line write to memory is
// overwritten or left at the end, and no kernel, copy or host access has read an element of it.
//
// It is a note, and silent wherever a read may have escaped: after a failed call, where something
// was not recorded, with graphs, and for memory that the host or a library can reach. Among
// launches with the same arguments, to warm up or to compare kernels, one that is read is enough.
#include "detectors/unread.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "detectors/absence.h"
#include "explain.h"
#include "hash.h"
#include "record/ledger.h"
#include "record/objects.h"
#include "report/findings.h"

namespace emulated::explain {

namespace {

// The launches of one line.
struct LaunchLine {
  const char* kernel = nullptr;
  Location at;
  std::set<std::uint64_t> arguments;  // hashes of those of each launch
  bool is_read = false;               // an element that one of them wrote, or what it printed
  // What the first launch wrote first; bytes 0: none wrote anything.
  Object object;
  std::ptrdiff_t begin = 0;
  std::ptrdiff_t end = 0;
};

struct Unread {
  std::vector<LaunchLine> lines;
  std::uint64_t arguments = 0;  // of the next launch
};
Unread& unread() {
  static auto& value = *new Unread;
  return value;
}

LaunchLine& line_of(const Work& work) {
  auto& all = unread().lines;
  const auto same = std::find_if(all.begin(), all.end(), [&](const LaunchLine& one) {
    return is_same_location(one.at, work.at);
  });
  if (same != all.end()) return *same;
  LaunchLine& fresh = all.emplace_back();
  fresh.kernel = work.kernel;
  fresh.at = work.at;
  return fresh;
}

// Is there another line with such a launch, of which something was read?
bool is_read_elsewhere(const LaunchLine& line) {
  const auto& all = unread().lines;
  return std::any_of(all.begin(), all.end(), [&](const LaunchLine& other) {
    return other.is_read &&
           std::any_of(line.arguments.begin(), line.arguments.end(),
                       [&](std::uint64_t hash) { return other.arguments.contains(hash); });
  });
}

// By the host, by OpenGL, or by fetches from a CUDA array.
bool may_be_read_unseen(const Object& object) {
  const auto* const begin =
      reinterpret_cast<const void*>(object.begin);  // NOLINT(performance-no-int-to-ptr)
  return !is_on_device(begin) || (object.by != nullptr && object.by->is_read_unseen);
}

Finding finding_of(const LaunchLine& line) {
  const Place place = place_of(line.at);
  return {.kind = Finding::Kind::unread,
          .is_note = true,
          .place = place,
          .does = std::string("what kernel ") + line.kernel +
                  " writes here is read by no kernel, no copy and not by the host:",
          .element = elements_text(line.object, line.begin, line.end, 0),
          .details = line.object.by == nullptr ? "" : " of " + object_text(line.object, place)};
}

}  // namespace

void begin_unread_arguments() { unread().arguments = hash_of_nothing; }

void note_unread_argument(const void* bytes, std::size_t size) {
  unread().arguments = hash_of(bytes, size, unread().arguments);
}

void note_reads(const Work& work, const Range& range) {
  if ((range.use & (all_reads | updates)) == 0) return;
  ledger().uses.for_each(range.begin, range.end, [&](std::uintptr_t, const Stretch& stretch) {
    for (const UseBefore& before : stretch.uses)
      if (before.work->kernel != nullptr && (before.use & all_writes) != 0 &&
          before.work.get() != &work)
        line_of(*before.work).is_read = true;
  });
}

void note_outputs(const Work& kernel, const std::vector<Range>& ranges, bool printed) {
  LaunchLine& line = line_of(kernel);
  line.arguments.insert(unread().arguments);
  line.is_read |= printed;
  Object object;
  for (const Range& range : ranges) {
    // An update gives the thread the old value, which it may use.
    if ((range.use & all_writes) == 0 || (range.use & updates) != 0) continue;
    // What it reads and writes may be its own scratch memory.
    line.is_read |= (range.use & all_reads) != 0;
    if (line.is_read) return;
    if (range.begin - object.begin >= object.bytes) object = object_at(range.begin);
    line.is_read |= may_be_read_unseen(object);
    if (line.object.bytes > 0) continue;
    line.object = object;
    line.begin = static_cast<std::ptrdiff_t>(range.begin - object.begin);
    line.end = static_cast<std::ptrdiff_t>(range.end - object.begin);
  }
}

void find_unread(std::vector<Finding>& all) {
  if (!ended_well() || !all_recorded() || ledger().has_graphs) return;
  for (const LaunchLine& line : unread().lines)
    if (!line.is_read && line.object.bytes > 0 && !is_read_elsewhere(line))
      all.push_back(finding_of(line));
}

}  // namespace emulated::explain
