// Two atomic functions in turn where one is needed:
//   if (atomicAdd(best, 0) < v) atomicExch(best, v);
// Between the two another thread may store more, which is then lost. Known from the text of the
// lines, where several threads have come to the second one. Turns that threads take (==, or a loop)
// and what a lock protects are right.
#include <regex>
#include <set>
#include <string>

#include "explain.h"
#include "memory.h"

namespace emulated::explain {

namespace {

// "best" of the statement atomicExch(best, v), without spaces; empty: there is none.
std::string stored_in(const std::string& line) {
  static const auto& store = *new std::regex(R"((^|[;{)]|\belse)\s*atomicExch\s*\(([^,]+),)");
  std::smatch found;
  if (!std::regex_search(line, found, store)) return "";
  return std::regex_replace(found[2].str(), std::regex("\\s"), "");
}

bool reads_atomically(std::string line, const std::string& name) {
  line = std::regex_replace(line, std::regex("\\s"), "");
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
  static const auto& of_template = *new std::regex(R"(\w<[\w:\s*]*>)");
  static const auto& comparison = *new std::regex(R"(\bif\s*\(.*[^<>\-][<>][^<>])");
  static const auto& loop = *new std::regex(R"(\b(while|for|do)\b)");
  lines = std::regex_replace(lines, of_template, "");
  return std::regex_search(lines, comparison) && !std::regex_search(lines, loop);
}

// Does the function take a lock before?
bool takes_lock(const Place& place) {
  constexpr unsigned max_lines = 40;
  static const auto& lock = *new std::regex(R"(atomicCAS|lock\s*\(|acquire)");
  for (unsigned line = place.line; line > 0 && line + max_lines > place.line; --line) {
    const std::string text = source_line(place.file, line);
    if (std::regex_search(text, lock)) return true;
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
