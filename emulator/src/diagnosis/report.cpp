#include "report.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

#include "emulated/explain_hooks.h"

namespace emulated {

namespace {

std::atomic<unsigned> errors = 0;
std::atomic<bool> failure = false;
int code_at_end = 0;

struct Reports {
  std::mutex mutex;
  std::vector<void (*)()> all;
};
// Never destroyed: it is needed at the very end.
Reports& reports() {
  static auto& value = *new Reports;
  return value;
}

void end_program(int code, void*) {
  code_at_end = code;
  for (const auto report : reports().all) report();
  if (code != 0 || !failure) return;
  std::fflush(nullptr);
  ::_exit(1);  // nothing else gives it another exit code now
}

// Before anything of the program's is registered, so that it runs after all of that.
[[gnu::constructor(101)]] void begin_program() { ::on_exit(end_program, nullptr); }

// Was the sentence not yet said of this place?
bool is_new(const char* place, const char* format) {
  static std::mutex mutex;
  static auto& said = *new std::set<std::pair<std::string, const char*>>;
  if (*place == '\0') return true;
  const std::lock_guard lock(mutex);
  return said.emplace(place, format).second;
}

// One line, even if other host threads print, too.
void print_error(const char* place, const char* format, std::va_list values) {
  if (explain::on) {
    char sentence[1000];
    std::va_list copy;
    va_copy(copy, values);
    std::vsnprintf(sentence, sizeof sentence, format, copy);
    va_end(copy);
    explain::says(place, sentence);
  }
  flockfile(stderr);
  std::fprintf(stderr, "%s%serror: ", place, *place == '\0' ? "" : ": ");
  std::vfprintf(stderr, format, values);
  std::fputc('\n', stderr);
  funlockfile(stderr);
  count_error();
}

}  // namespace

void report_error(const char* place, const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  print_error(place, format, values);
  va_end(values);
}

void report_mistake(const char* place, const char* format, ...) {
  failure = true;
  if (!is_new(place, format)) return;
  std::va_list values;
  va_start(values, format);
  print_error(place, format, values);
  va_end(values);
}

void fail_at_end() { failure = true; }

int exit_code() { return code_at_end; }

void count_error() { ++errors; }

unsigned error_count() { return errors; }

void report_at_end(void (*report)()) {
  const std::lock_guard lock(reports().mutex);
  reports().all.push_back(report);
}

void report_mistakes_at_end(void (*report)()) {
  const std::lock_guard lock(reports().mutex);
  reports().all.insert(reports().all.begin(), report);
}

}  // namespace emulated
