// Lines of the source, from the debugging information, through addr2line.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "emulated/explain_hooks.h"
#include "explain.h"
#include "platform/platform.h"

namespace emulated::explain {

namespace {

auto& places() {
  static auto& all = *new std::unordered_map<const void*, Place>;
  return all;
}

// What cu2cpp adds to a program has no line in its source: it is in NAME/translated/.
bool is_library(const std::string& file) {
  return in_library_header(file) ||
         (file.ends_with(".cpp") && file.find("/translated/") != std::string::npos);
}

// One frame of what was inlined at an address, from the innermost on.
void add_frame(Place& place, std::string_view function, std::string_view location) {
  // Where a launch calls the kernel is no line of the kernel: the frame in front of launch.h. (But
  // there an argument's destructor is called, too.)
  const bool was_last = std::exchange(place.is_last, false);
  if (was_last && location.find("/emulated/launch.h:") != std::string_view::npos &&
      place.function.find('~') == std::string::npos) {
    place.known = false;
    place.in_library = true;
    return;
  }
  if (place.known && place.outer_line != 0) return;
  location = location.substr(0, location.rfind(discriminator));
  const std::size_t colon = location.rfind(':');
  if (colon == std::string_view::npos) return;
  const std::string file(location.substr(0, colon));
  const unsigned line = static_cast<unsigned>(
      std::strtoul(std::string(location.substr(colon + 1)).c_str(), nullptr, 10));
  if (line == 0 || file.starts_with('?')) return;
  if (place.known) {
    if (is_library(file) || (file == place.file && line == place.line)) return;
    place.outer_file = file;
    place.outer_line = line;
    return;
  }
  if (is_library(file)) {
    place.in_library = true;
    if (place.function.empty()) place.function = function;
    place.in_texture |= file.ends_with("/emulated/texture_fetch.h");
    place.in_surface |= file.ends_with("/emulated/surfaces.h");
    return;
  }
  place.known = place.is_last = true;
  place.file = file;
  place.function = function;
  place.line = line;
}

// addr2line, which answers as long as the program runs.
class Lookup {
 public:
  static constexpr std::size_t at_once = 64;  // questions, which fit into a pipe

  Lookup() {
    const Addr2line lookup = start_addr2line();
    if (lookup.questions < 0) return;
    questions_ = fdopen(lookup.questions, "w");
    answers_ = fdopen(lookup.answers, "r");
  }

  // At most `at_once` addresses: where each lies in the program's file, and what becomes of the
  // answer.
  void ask(const std::vector<std::pair<std::size_t, Place*>>& all) {
    if (questions_ == nullptr || answers_ == nullptr) return;
    for (const auto& [offset, place] : all) std::fprintf(questions_, "0x%zx\n", offset);
    std::fputs("0x0\n", questions_);  // whose answer says that there are no more
    std::fflush(questions_);
    std::string function;
    bool expects_location = false;
    std::size_t next = 0;
    char buffer[4096];
    while (std::fgets(buffer, sizeof buffer, answers_) != nullptr) {
      std::string_view line = buffer;
      if (line.ends_with('\n')) line.remove_suffix(1);
      if (!expects_location && line.starts_with("0x")) {
        ++next;
      } else if (!expects_location) {
        function = line;
        expects_location = true;
      } else if (next <= all.size()) {
        add_frame(*all[next - 1].second, function, line);
        expects_location = false;
      } else {
        return;
      }
    }
  }

 private:
  FILE *questions_ = nullptr, *answers_ = nullptr;
};

}  // namespace

void look_up(const std::vector<const void*>& addresses) {
  static auto& lookup = *new Lookup;
  std::vector<std::pair<std::size_t, Place*>> asked;
  Dl_info info;
  for (const void* address : addresses) {
    if (places().contains(address) || dladdr(address, &info) == 0) continue;
    const auto offset =
        static_cast<const char*>(address) - static_cast<const char*>(info.dli_fbase);
    asked.emplace_back(static_cast<std::size_t>(offset) - 1,
                       &places()[address]);  // in the call, not after it
    if (asked.size() < Lookup::at_once) continue;
    lookup.ask(asked);
    asked.clear();
  }
  if (!asked.empty()) lookup.ask(asked);
}

const Place& place_of(const void* address) {
  static thread_local struct {
    const void* address = nullptr;
    const Place* place = nullptr;
  } recent[1024];
  auto& known = recent[reinterpret_cast<std::uintptr_t>(address) % std::size(recent)];
  if (known.place == nullptr || known.address != address) {
    const Lock lock;
    look_up({address});
    known = {address, &places()[address]};
  }
  return *known.place;
}

Place place_of(Location at) {
  Place place;
  place.file = at.file_name();
  place.line = at.line();
  place.known = place.line != 0;
  return place;
}

std::string place_text(const Place& place) {
  return base_name(place.file) + ":" + std::to_string(place.line) + ": ";
}

bool is_same_line(const Place& a, const Place& b) {
  return a.line == b.line && base_name(a.file) == base_name(b.file);
}

std::string source_line(const std::string& file, unsigned line) {
  static auto& files = *new std::unordered_map<std::string, std::vector<std::string>>;
  const auto [it, is_new] = files.try_emplace(file);
  if (is_new) {
    std::ifstream text(file);
    for (std::string one; std::getline(text, one);) it->second.push_back(one);
  }
  return line >= 1 && line <= it->second.size() ? it->second[line - 1] : std::string();
}

}  // namespace emulated::explain
