#include "diagnosis.h"

#include <atomic>
#include <mutex>
#include <set>

#include "emulated/explain_hooks.h"

namespace emulated {

std::string text(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string text(Location at) {
  return at.line() == 0 ? "" : std::string(at.file_name()) + ":" + std::to_string(at.line());
}

static std::atomic<bool> warned = false;
bool has_warned() { return warned; }

void warn_once(const std::string& place, const std::string& sentence) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  explain::says(place.c_str(), sentence.c_str());  // of each block that is shown
  const std::lock_guard lock(mutex);
  if (!seen.insert(place).second) return;
  warned = true;
  std::fprintf(stderr, "%s: warning: %s\n", place.c_str(), sentence.c_str());
}

}  // namespace emulated
