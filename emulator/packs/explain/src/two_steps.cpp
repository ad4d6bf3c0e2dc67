// Two atomic functions in turn where one is needed:
//   if (atomicAdd(best, 0) < v) atomicExch(best, v);
// Between the two another thread may store more, which is then lost. Known from the text of the
// lines, where several threads have come to the second one. Turns that threads take (==, or a
// loop), what a lock protects and a number that all of them store are right.
#include <set>
#include <string>

#include "explain.h"
#include "memory.h"
#include "pattern.h"

namespace emulated::explain {

namespace {

// "best" of the statement atomicExch(best, v), without spaces; empty: there is none, or v is a
// number.
std::string stored_in(const std::string& line) {
  static const auto& store =
      *new Pattern(R"((^|[;{)]|\belse)\s*atomicExch\s*\(([^,]+),\s*-?([^-0-9[:space:]]|$))");
  const auto found = store.find_in(line);
  return found.empty() ? "" : without_spaces(found[2]);
}

bool reads_atomically(const std::string& source, const std::string& name) {
  const std::string line = without_spaces(source);
  for (const char* const function : {"atomicAdd", "atomicSub", "atomicOr", "atomicXor"})
    if (line.find(std::string(function) + "(" + name + ",0") != std::string::npos) return true;
  return false;
}

// Do the lines before, or the line itself, read it by an atomic function that adds nothing, and
// compare with < or > then?
bool reads_and_compares(const Place& place, const std::string& name) {
  constexpr unsigned lines_before = 3;
  unsigned first = place.line;
  while (!reads_atomically(source_line(place.file, first), name))
    if (--first == 0 || first + lines_before < place.line) return false;
  std::string lines;
  for (unsigned line = first; line <= place.line; ++line)
    lines += source_line(place.file, line) + "\n";
  static const auto& of_template = *new Pattern(R"(\w<[[:alnum:]_:[:space:]*]*>)");
  static const auto& comparison = *new Pattern("\\bif\\s*\\([^\n]*[^<>-][<>][^<>]");
  static const auto& loop = *new Pattern(R"(\b(while|for|do)\b)");
  lines = of_template.remove_from(lines);
  return comparison.is_in(lines) && !loop.is_in(lines);
}

// Does the function take a lock before?
bool takes_lock(const Place& place) {
  constexpr unsigned max_lines = 40;
  static const auto& lock = *new Pattern(R"(atomicCAS|lock\s*\(|acquire)");
  for (unsigned line = place.line; line > 0 && line + max_lines > place.line; --line) {
    const std::string text = source_line(place.file, line);
    if (lock.is_in(text)) return true;
    if (text.find("__global__") != text.npos || text.find("__device__") != text.npos) return false;
  }
  return false;
}

}  // namespace

void add_hints_of_two_steps(std::vector<Mistake>& all) {
  std::set<std::pair<std::string, unsigned>> seen;
  for (const KernelTotals* one : all_kernels())
    for (const auto& [at, total] : one->accesses) {
      const Place& place = place_of(at);
      const bool several =
          total.lanes > (total.space == Space::global ? std::uint64_t{1} : total.requests);
      if (!place.known || !several || !seen.emplace(place.file, place.line).second) continue;
      const std::string name = stored_in(source_line(place.file, place.line));
      if (name.empty() || !reads_and_compares(place, name) || takes_lock(place)) continue;
      all.push_back({Mistake::Kind::never_written, true,
                     place_text(place) + "note: kernel " + one->name + " reads " + name +
                         ", compares and stores in steps of their own: what another thread stores "
                         "between them is lost; atomicMax and atomicMin do all in one step, for "
                         "other types a loop with atomicCAS does"});
    }
}

}  // namespace emulated::explain
