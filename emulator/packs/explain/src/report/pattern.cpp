#include "report/pattern.h"

#include <cctype>
#include <cstddef>
#include <cstdlib>

namespace emulated::explain {

Pattern::Pattern(const std::string& expression) {
  if (regcomp(&compiled_, expression.c_str(), REG_EXTENDED) != 0)
    std::abort();  // a mistake of ours
}

Pattern::~Pattern() { regfree(&compiled_); }

bool Pattern::is_in(const std::string& line) const {
  return regexec(&compiled_, line.c_str(), 0, nullptr, 0) == 0;
}

std::vector<std::string> Pattern::find_in(const std::string& line) const {
  std::vector<regmatch_t> places(compiled_.re_nsub + 1);
  if (regexec(&compiled_, line.c_str(), places.size(), places.data(), 0) != 0) return {};
  std::vector<std::string> found;
  for (const regmatch_t& place : places)
    found.push_back(place.rm_so < 0
                        ? ""  // a group that is not needed here
                        : line.substr(static_cast<std::size_t>(place.rm_so),
                                      static_cast<std::size_t>(place.rm_eo - place.rm_so)));
  return found;
}

std::string Pattern::remove_from(std::string text) const {
  regmatch_t place{};
  while (regexec(&compiled_, text.c_str(), 1, &place, 0) == 0)
    text.erase(static_cast<std::size_t>(place.rm_so),
               static_cast<std::size_t>(place.rm_eo - place.rm_so));
  return text;
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](unsigned char letter) { return std::isspace(letter) != 0; });
  return text;
}

}  // namespace emulated::explain
