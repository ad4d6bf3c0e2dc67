// Lines of the source, from the debugging information, through addr2line.
#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <unordered_map>

#include "emulated/explain_hooks.h"
#include "explain.h"

namespace emulated::explain {

namespace {

auto& places() {
  static auto& all = *new std::unordered_map<const void*, Place>;
  return all;
}

// What cu2cpp adds to a program has no line in its source: it is in NAME/translated/.
//
// The device's headers are in NAME/include/ and NAME/packs/, where NAME is the folder of
// own_header, the system's in /usr.
bool is_library(const std::string& file) {
  static const std::string name = [] {
    const std::string header = own_header,
                      folder = header.substr(0, header.rfind("/include/emulated/"));
    return folder.substr(folder.rfind('/') + 1);
  }();
  const auto in = [&](const char* place) {
    return file.find("/" + name + place) != std::string::npos;
  };
  return file.starts_with("/usr/") ||
         (file.ends_with(".cpp") && file.find("/translated/") != std::string::npos) ||
         in("/include/") || in("/packs/");
}

// One frame of what was inlined at an address, from the innermost on.
void add_frame(Place& place, std::string_view function, std::string_view location) {
  if (place.known) return;
  location = location.substr(0, location.find(" ("));
  const std::size_t colon = location.rfind(':');
  if (colon == std::string_view::npos) return;
  const std::string_view file = location.substr(0, colon);
  const unsigned line = static_cast<unsigned>(
      std::strtoul(std::string(location.substr(colon + 1)).c_str(), nullptr, 10));
  if (line == 0 || file.starts_with('?')) return;
  if (is_library(std::string(file))) {
    place.in_library = true;
    place.in_texture |= file.find("texture") != std::string_view::npos;
    place.in_surface |= file.find("surface") != std::string_view::npos;
    return;
  }
  place.known = true;
  place.file = file;
  place.function = function;
  place.line = line;
}

}  // namespace

void look_up(const std::vector<const void*>& addresses) {
  char path[] = "/tmp/explainXXXXXX";
  const int descriptor = mkstemp(path);
  if (descriptor < 0) return;
  Dl_info info;
  std::vector<const void*> asked;
  {
    FILE* const list = fdopen(descriptor, "w");
    for (const void* address : addresses) {
      if (places().contains(address) || dladdr(address, &info) == 0) continue;
      places()[address] = {};
      asked.push_back(address);
      const auto offset =
          static_cast<const char*>(address) - static_cast<const char*>(info.dli_fbase);
      std::fprintf(list, "0x%zx\n",
                   static_cast<std::size_t>(offset) - 1);  // in the call, not behind it
    }
    std::fclose(list);
  }
  const std::string command = "addr2line -a -i -f -C -e /proc/" + std::to_string(getpid()) +
                              "/exe < " + path + " 2>/dev/null";
  if (FILE* const answer = popen(command.c_str(), "r")) {
    char buffer[4096];
    std::string function;
    bool expects_location = false;
    std::size_t next = 0;
    Place* place = nullptr;
    while (std::fgets(buffer, sizeof buffer, answer) != nullptr) {
      std::string_view line = buffer;
      if (line.ends_with('\n')) line.remove_suffix(1);
      if (!expects_location && line.starts_with("0x")) {
        place = next < asked.size() ? &places()[asked[next++]] : nullptr;
      } else if (!expects_location) {
        function = line;
        expects_location = true;
      } else {
        if (place != nullptr) add_frame(*place, function, line);
        expects_location = false;
      }
    }
    pclose(answer);
  }
  std::remove(path);
}

const Place& place_of(const void* address) { return places()[address]; }

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
