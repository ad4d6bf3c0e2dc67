// What is so and probably not meant, as notes.
//
// A tree over the threads of a block, `for (s = blockDim.x / 2; s > 0; s /= 2) a[t] += a[t + s]`,
// leaves out elements where their number is odd: known from the text of the lines that a kernel has
// come to. Shuffles over as many lanes as there are, or more. Normalized coordinates that lie a
// whole picture beyond their texture, where it is not repeated: pixels were meant. Coordinates that
// are not, and all lie within a texel or two of the corner. Elements beyond a texture in linear
// memory: its size was meant in bytes.
#include <algorithm>
#include <map>
#include <set>

#include "emulated/explain_hooks.h"
#include "explain.h"
#include "launch/running.h"
#include "memory.h"
#include "pattern.h"

namespace emulated::explain {

namespace {

// Fetches of a kernel.
struct Far {
  std::uint64_t coordinates = 0;
  Callers callers{};  // of the first one
  int elements = 0;   // of a texture in linear memory
  int element_bytes = 0;
};
using FarFetches = std::map<const KernelTotals*, Far>;
FarFetches& far_fetches() {
  static auto& all = *new FarFetches;
  return all;
}
FarFetches& fetches_behind() {
  static auto& all = *new FarFetches;
  return all;
}
// Fetches from pictures whose coordinates are not normalized; those in the corner.
struct InCorner {
  std::uint64_t fetches = 0;
  std::uint64_t near = 0;
  Callers callers{};  // of the first one
  int width = 0;
  int height = 0;
};
auto& fetches_in_corner() {
  static auto& all = *new std::map<const KernelTotals*, InCorner>;
  return all;
}

// Shuffles over too many lanes, as sentences.
auto& vain_shuffles() {
  static auto& all = *new std::set<std::string>;
  return all;
}

// The present thread has fetched there.
void count_fetch(FarFetches& all, int elements, int element_bytes) {
  if (block == nullptr || !inside_kernel || busy) return;
  const Unseen unseen;
  const Lock lock;
  Far& far = all[kernel];
  if (++far.coordinates == 1) far = {1, callers(), elements, element_bytes};
}

// The number of elements of which the loop leaves one out, or 0.
unsigned first_odd(unsigned elements) {
  while (elements % 2 == 0) elements /= 2;
  return elements > 1 ? elements : 0;
}

// The name of the distance where it is half of something, and of what.
struct Distance {
  std::string name;
  std::string half_of;
};
Distance distance_in(const std::string& line) {
  static const auto& begin = *new Pattern(R"((\w+)\s*=\s*(blockDim\.x|\w+)\s*(/\s*2|>>\s*1)\s*;)");
  const auto found = begin.find_in(line);
  if (found.empty() || found[1] == found[2]) return {};
  return {found[1], found[2]};
}

unsigned number_in(const std::string& text) {
  constexpr std::size_t max_digits = 9;
  const std::size_t digits = text.find_first_not_of("0123456789");
  const std::string number = text.substr(0, digits);
  return number.empty() || number.size() > max_digits ? 0
                                                      : static_cast<unsigned>(std::stoul(number));
}

// The parts of "a, b<c, d>, e" between commas outside of brackets.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : list) {
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  return parts;
}

// The constant that the name stands for at this place, by the text of its file, or as an argument
// of the template whose instance the function is; 0: not known.
unsigned value_of(const std::string& name, const Place& place) {
  constexpr unsigned max_lines = 80;  // of a function
  const Pattern constant("(#\\s*define\\s+|\\bconst[^;(]*\\b)" + name +
                         R"((\s+|\s*=\s*)([0-9]+)[uUlL]*\s*(;|,|//|/\*|$))");
  static const auto& parameters = *new Pattern(R"(\btemplate\s*<(.*)>)");
  for (unsigned line = place.line; line > 0; --line) {
    const std::string text = source_line(place.file, line);
    if (const auto found = constant.find_in(text); !found.empty()) return number_in(found[3]);
    if (line + max_lines < place.line) continue;
    const auto found = parameters.find_in(text);
    if (found.empty()) continue;
    const std::vector<std::string> names = parts_of(found[1]);
    const std::size_t begin = place.function.find('<');
    const std::size_t end = std::min(place.function.find(">("), place.function.rfind('>'));
    if (begin == std::string::npos || end == std::string::npos || end < begin) continue;
    const auto values = parts_of(place.function.substr(begin + 1, end - begin - 1));
    for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i)
      if (names[i].ends_with(" " + name)) return number_in(values[i]);
  }
  return 0;
}

bool is_halved(const std::string& line, const std::string& name) {
  const std::string by_two = R"(\s*(/=\s*2|>>=\s*1|=\s*)" + name + R"(\s*(/\s*2|>>\s*1))\s*[;)])";
  return Pattern("\\b" + name + by_two).is_in(line);
}

// Such a loop adds the last element separately.
bool looks_for_odd(const std::string& line) {
  return line.find("& 1") != line.npos || line.find("&1") != line.npos ||
         line.find("% 2") != line.npos || line.find("%2") != line.npos;
}

bool uses_behind(const std::string& line, const std::string& distance) {
  return Pattern(R"(\[[^]]*\+\s*)" + distance + R"(\s*\])").is_in(line);
}

}  // namespace

void shuffles_too_far(const char* name, unsigned distance, unsigned lanes,
                      std::source_location at) {
  if (block == nullptr || lanes < 2 || vain_shuffles().size() >= 100) return;
  const Unseen unseen;
  const Lock lock;
  vain_shuffles().insert(base_name(at.file_name()) + ":" + std::to_string(at.line()) +
                         ": note: kernel " + kernel->name + ": " + name + " by " +
                         std::to_string(distance) + " among " + std::to_string(lanes) +
                         " lanes: each gets its own value back");
}

void fetches_far_away() { count_fetch(far_fetches(), 0, 0); }

void fetches_beyond(int elements, int element_bytes) {
  count_fetch(fetches_behind(), elements, element_bytes);
}

void fetches_at(int width, int height, float x, float y) {
  if (block == nullptr || !inside_kernel || busy) return;
  const Unseen unseen;
  const Lock lock;
  InCorner& one = fetches_in_corner()[kernel];
  ++one.fetches;
  const auto is_whole = [](float at) {
    return 2 * at == static_cast<float>(static_cast<int>(2 * at));
  };
  const bool inside = x > -1 && x < 2 && y > -1 && y < 2 && std::min(width, height) >= 8;
  if (!inside || (is_whole(x) && is_whole(y))) return;
  if (++one.near > 1) return;
  one.callers = callers();
  one.width = width;
  one.height = height;
}

static void add_hints_of_textures(std::vector<Mistake>& all) {
  for (const auto& [kernel, far] : far_fetches()) {
    const Place* const place = caller_line(far.callers);
    if (place == nullptr || 2 * far.coordinates < kernel->threads) continue;
    all.push_back({Mistake::Kind::never_written, true,
                   place_text(*place) + "note: kernel " + kernel->name + " fetches at " +
                       std::to_string(far.coordinates) +
                       " coordinates of 2 and more, or -1 and less, from a texture whose "
                       "coordinates are normalized: from 0 to 1 is the whole picture, and what "
                       "lies beyond is its edge"});
  }
  for (const auto& [kernel, one] : fetches_in_corner()) {
    const Place* const place = caller_line(one.callers);
    // Whole numbers and their middles are some of the coordinates from 0 to 1, too.
    if (place == nullptr || 2 * one.near < kernel->threads || 10 * one.near < 8 * one.fetches)
      continue;
    all.push_back({Mistake::Kind::never_written, true,
                   place_text(*place) + "note: kernel " + kernel->name + " fetches " +
                       std::to_string(one.near) + " times between -1 and 2 from a texture of " +
                       std::to_string(one.width) + " x " + std::to_string(one.height) +
                       " texels, whose coordinates count texels; they go from 0 to 1 with "
                       "normalizedCoords = 1"});
  }
  for (const auto& [kernel, far] : fetches_behind()) {
    const Place* const place = caller_line(far.callers);
    if (place == nullptr || 2 * far.coordinates < kernel->threads) continue;
    all.push_back({Mistake::Kind::never_written, true,
                   place_text(*place) + "note: kernel " + kernel->name + " fetches " +
                       std::to_string(far.coordinates) + " times beyond the " +
                       std::to_string(far.elements) +
                       " elements of a texture in linear memory, and gets 0; its sizeInBytes, " +
                       std::to_string(1LL * far.elements * far.element_bytes) + ", counts bytes"});
  }
}

void add_places_of_hints(std::set<const void*>& places) {
  add_places_of_outcomes(places);
  for (const auto* all : {&far_fetches(), &fetches_behind()})
    for (const auto& [kernel, far] : *all) add_callers(places, far.callers);
  for (const auto& [kernel, one] : fetches_in_corner()) add_callers(places, one.callers);
}

void add_hints(std::vector<Mistake>& all) {
  add_hints_of_textures(all);
  for (const std::string& text : vain_shuffles())
    all.push_back({Mistake::Kind::never_written, true, text});
  add_hints_of_outcomes(all);
  add_hints_of_sums(all);
  add_hints_of_two_steps(all);
  constexpr unsigned lines_of_head = 4;  // the head of the loop stands so far before what it does
  for (const KernelTotals* one : all_kernels()) {
    std::set<std::pair<std::string, unsigned>> seen, heads;
    for (const auto& [place, total] : one->accesses) {
      const Place& where = place_of(place);
      if (!where.known || !seen.emplace(where.file, where.line).second) continue;
      const std::string line = source_line(where.file, where.line);
      unsigned head = where.line;
      std::string distance;
      std::string half_of;
      while (head > 0 && head + lines_of_head > where.line && distance.empty()) {
        const Distance found = distance_in(source_line(where.file, head--));
        distance = found.name;
        half_of = found.half_of;
      }
      ++head;
      if (distance.empty() || !uses_behind(line, distance)) continue;
      const unsigned count = half_of == "blockDim.x" ? one->uneven_width : value_of(half_of, where);
      const unsigned odd = count == 0 ? 0 : first_odd(count);
      bool halved = false;
      for (unsigned next = head; next <= where.line + lines_of_head; ++next) {
        const std::string text = source_line(where.file, next);
        halved |= !distance.empty() && is_halved(text, distance);
        if (looks_for_odd(text)) distance.clear();
      }
      if (odd == 0 || distance.empty() || !halved || !heads.emplace(where.file, head).second)
        continue;
      all.push_back({Mistake::Kind::never_written, true,
                     base_name(where.file) + ":" + std::to_string(head) + ": note: kernel " +
                         one->name + " halves " + half_of + ", which is " + std::to_string(count) +
                         ": of " + std::to_string(odd) +
                         " elements it leaves out the last; such a tree needs a power of two"});
    }
  }
}

}  // namespace emulated::explain
