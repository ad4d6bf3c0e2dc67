// What is looked for in lines of source code, as POSIX's extended regular expressions with \w, \s,
// \b and \1. The C library's are compiled already: with std::regex the pack took twice as long.
#pragma once
#include <regex.h>

#include <string>
#include <vector>

namespace emulated::explain {

class Pattern {
 public:
  explicit Pattern(const std::string& expression);
  ~Pattern();
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;

  bool is_in(const std::string& line) const;
  // The first part that fits, and the text of each group; nothing where none fits.
  std::vector<std::string> find_in(const std::string& line) const;

 private:
  regex_t compiled_;
};

}  // namespace emulated::explain
