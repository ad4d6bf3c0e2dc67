#include "report/lines.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace emulated::explain {

namespace {

constexpr std::size_t narrowest = 40;  // columns; on fewer, words would stand one below the other

// 0: there is none.
std::size_t width_of_terminal() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string broken(const std::string& text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t begin = 0;
  std::size_t room = width;
  while (text.size() - begin > room) {
    std::size_t end = text.rfind(' ', begin + room);
    // A word that is longer than the line goes beyond it.
    if (end == std::string::npos || end <= begin || text.find_first_not_of(' ', begin) > end)
      end = text.find(' ', begin + room);
    if (end == std::string::npos) break;
    lines += text.substr(begin, end - begin) + "\n" + std::string(indent, ' ');
    begin = end + 1;
    room = width - indent;
  }
  return lines + text.substr(begin);
}

}  // namespace

void print_line(const std::string& text, std::size_t indent) {
  const std::size_t width = width_of_terminal();
  const std::string lines = width < narrowest ? text : broken(text, width, indent);
  std::fprintf(stderr, "%s\n", lines.c_str());
}

}  // namespace emulated::explain
