#include "diagnosis.h"

#include <mutex>
#include <set>

namespace emulated {

namespace {

uint3 coordinates(std::uint64_t number, dim3 size) {
  return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
          static_cast<unsigned>(number / size.x / size.y)};
}

}  // namespace

std::string text(uint3 v) {
  return "(" + std::to_string(v.x) + "," + std::to_string(v.y) + "," + std::to_string(v.z) + ")";
}

std::string text(Location at) { return std::string(at.file_name()) + ":" + std::to_string(at.line()); }

std::string thread_text(unsigned thread) { return text(coordinates(thread, running->launch.block)); }

std::string kernel_text(std::uint64_t block) {
  const Launch& launch = running->launch;
  return std::string("kernel ") + launch.name + ", block " + text(coordinates(block, launch.grid));
}

void warn_once(const std::string& place, const std::string& sentence) {
  static std::mutex mutex;
  static std::set<std::string> seen;
  const std::lock_guard lock(mutex);
  if (seen.insert(place).second) std::fprintf(stderr, "%s: warning: %s\n", place.c_str(), sentence.c_str());
}

void report(const char* severity, const char* sentence) {
  const Launch& launch = running->launch;
  uint3 block, thread;
  launch.present(block, thread);
  const bool known = os_thread->repeat != OsThread::Repeat::in_vain;
  std::fprintf(stderr, "%s:%u: %s: kernel %s, block %s, thread %s: %s\n", launch.file, launch.line, severity,
               launch.name, text(block).c_str(), known ? text(thread).c_str() : "unknown", sentence);
}

}  // namespace emulated
