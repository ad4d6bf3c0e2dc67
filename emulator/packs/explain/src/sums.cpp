// Sums of a warp by __shfl_down_sync, of which only the first lane has the whole: where most lanes
// store something made of theirs, that was hardly meant. Known from the text of the lines: a
// variable that a loop adds to, or that a function of the file gives back which ends so.
#include <map>
#include <set>
#include <string>

#include "explain.h"
#include "memory.h"
#include "pattern.h"

namespace emulated::explain {

namespace {

constexpr unsigned max_lines = 80;  // of a function

bool begins_function(const std::string& line) {
  return line.find("__global__") != line.npos || line.find("__device__") != line.npos;
}

// The variable to which a line adds what lanes behind have; with a width several lanes have sums.
std::string summed_in(const std::string& line) {
  static const auto& sum =
      *new Pattern(R"((\w+)\s*(\+=\s*|=\s*\1\s*\+\s*|=\s*\w*(max|min)\w*\s*\(\s*\1\s*,\s*))"
                   R"(__shfl_down_sync\s*\([^,]*,\s*\1\s*,[^,]*$)");
  const auto found = sum.find_in(line);
  return found.empty() ? "" : found[1];
}

// "v" of "v = f(", and the function.
bool assigned_call(const std::string& line, std::string& variable, std::string& function) {
  static const auto& call = *new Pattern(R"((\w+)\s*=\s*(\w+)\s*(<[^<>]*>)?\s*\()");
  const auto found = call.find_in(line);
  if (found.empty()) return false;
  variable = found[1];
  function = found[2];
  return true;
}

bool mentions(const std::string& text, const std::string& name) {
  return Pattern("\\b" + name + "\\b").is_in(text);
}
bool assigns(const std::string& line, const std::string& name) {
  return Pattern("\\b" + name + R"(\s*=[^=])").is_in(line);
}

class File {
 public:
  explicit File(const std::string& path) : path_(path) {
    std::string name;
    std::string summed;
    unsigned behind = 0;  // the last line that was not empty
    for (unsigned line = 1; line < behind + max_lines; ++line) {
      const std::string text = source_line(path_, line);
      if (text.empty()) continue;
      behind = line;
      if (begins_function(text)) {
        static const auto& head = *new Pattern(R"((\w+)\s*\()");
        const auto found = head.find_in(text);
        summed.clear();
        name = found.empty() ? "" : found[1];
      }
      look_at(line, summed);
      if (!name.empty() && !summed.empty() && Pattern("return\\s+" + summed + "\\s*;").is_in(text))
        functions_.insert(name);
    }
  }

  // The line in which a variable was summed from which this line makes what it stores; 0: none.
  unsigned sum_behind(unsigned line) const {
    unsigned first = line;
    while (first > 1 && first + max_lines > line && !begins_function(source_line(path_, first)))
      --first;
    std::string summed;
    unsigned at = 0;
    for (unsigned next = first; next < line; ++next) {
      const std::string before = summed;
      look_at(next, summed);
      if (!summed.empty() && (summed != before || !summed_in(source_line(path_, next)).empty()))
        at = next;
    }
    const std::string text = source_line(path_, line);
    const std::size_t sign = text.find('=');
    if (summed.empty() || sign == text.npos) return 0;
    const std::string value = text.substr(sign);
    const bool chooses = value.find("__shfl") != value.npos || value.find('?') != value.npos;
    return !chooses && mentions(value, summed) ? at : 0;
  }

 private:
  // Goes on by a line.
  void look_at(unsigned line, std::string& summed) const {
    const std::string text = source_line(path_, line);
    std::string variable;
    std::string function;
    const std::string own = summed_in(text);
    if (!own.empty() && is_repeated(line))
      summed = own;
    else if (assigned_call(text, variable, function) && functions_.contains(function))
      summed = variable;
    else if (!summed.empty() && assigns(text, summed))
      summed.clear();
  }

  // Is the line a loop's, or one of several (16, 8, 4, 2, 1)? A single sum of neighbors is right in
  // most lanes.
  bool is_repeated(unsigned line) const {
    static const auto& loop = *new Pattern(R"(\b(for|while|do)\b)");
    unsigned head = line - 1;
    if (source_line(path_, head).find_first_not_of(" \t{") == std::string::npos) --head;
    for (const unsigned at : {line, head})
      if (loop.is_in(source_line(path_, at))) return true;
    constexpr unsigned least = 4;
    unsigned sums = 0;
    for (unsigned near = line > least ? line - least : 1; near <= line + least; ++near)
      sums += summed_in(source_line(path_, near)).empty() ? 0 : 1;
    return sums >= least;
  }

  std::string path_;
  std::set<std::string> functions_;  // that give such a sum back
};

}  // namespace

void add_hints_of_sums(std::vector<Mistake>& all) {
  std::map<std::string, File> files;
  std::set<std::pair<std::string, unsigned>> said;
  for (const KernelTotals* one : all_kernels())
    for (const auto& [place, total] : one->accesses) {
      const Place& where = place_of(place);
      if (!where.known || total.space != Space::global || (total.flags & is_write) == 0 ||
          2 * total.lanes <= total.possible || said.contains({where.file, where.line}))
        continue;
      const File& file = files.try_emplace(where.file, where.file).first->second;
      const unsigned sum = file.sum_behind(where.line);
      if (sum == 0) continue;
      said.emplace(where.file, where.line);
      all.push_back({Mistake::Kind::never_written, true,
                     place_text(where) + "note: kernel " + one->name +
                         ": most lanes store what they have of the sum in line " +
                         std::to_string(sum) +
                         "; after __shfl_down_sync only lane 0 has the whole (__shfl_xor_sync "
                         "gives it to all, __shfl_sync(mask, value, 0) hands it over)"});
    }
}

}  // namespace emulated::explain
