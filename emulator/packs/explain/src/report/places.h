// Lines of the program's source.
#pragma once

#include <string>
#include <vector>

#include "emulated/scheduler.h"

namespace emulated::explain {

struct Place {
  std::string file, function;
  unsigned line = 0;
  bool known = false;       // a line of the program's own source
  bool is_last = false;     // the frame that was looked up last is this line's
  bool in_library = false;  // inside a function of the device's headers, which that line calls
  bool in_texture = false;  // a texture fetch
  bool in_surface = false;  // a surface function
  std::string outer_file;   // where it was inlined into another function of the program, that line
  unsigned outer_line = 0;
};
/// Looks up the lines of all these addresses at once.
void look_up(const std::vector<const void*>& addresses);
/// The line of the instruction before this address, as of a call before its return address.
const Place& place_of(const void* address);
Place place_of(Location at);
/// "x.cu:12: "
std::string place_text(const Place& place);
bool is_same_line(const Place& a, const Place& b);
/// The text of a line, or empty.
std::string source_line(const std::string& file, unsigned line);

}  // namespace emulated::explain
