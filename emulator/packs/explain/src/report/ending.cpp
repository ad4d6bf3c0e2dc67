// The report at the program's end, however it comes: at exit() and quick_exit(), at abort(), at a
// fault on the host, and where a signal ends the program.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <unistd.h>

#include "detectors/again.h"
#include "diagnosis/report.h"
#include "emulated/explain_hooks.h"
#include "explain.h"
#include "platform/platform.h"
#include "step/step.h"

namespace emulated::explain {

volatile std::sig_atomic_t asked_to_end = 0;
std::atomic<bool> asked = false;

namespace {

// A kernel notices within so long that it is asked to end; then a report from within the signal
// handler may take so long, which may find memory in a state between two.
constexpr unsigned seconds_to_notice = 2, seconds_to_report = 20;

bool reported = false;

void report_once() {
  if (std::exchange(reported, true) || is_again()) return;
  std::fflush(stdout);
  if (looks_for_writer()) return finish_looking();
  if (makes_steps()) return write_steps();
  report();
  if (const char* path = std::getenv("EMULATED_EXPLAIN_PAGE")) write_page(path);
}

void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// From now on nothing keeps the program from its end.
void limit_report(int signal) {
  asked_to_end = signal;
  asked = true;
  std::signal(SIGALRM, [](int) { end_by(asked_to_end); });
  ::alarm(seconds_to_report);
}

void ask_to_end(int signal) {
  asked_to_end = signal;
  asked = true;
  std::signal(SIGALRM, [](int) {
    limit_report(asked_to_end);
    report_once();
    end_by(asked_to_end);
  });
  ::alarm(seconds_to_notice);
}

[[maybe_unused]] const bool prepared_for_the_end = [] {
  tell_at_end([] {
    report_once();
    if (has_mistakes()) fail_at_end();
  });
  std::at_quick_exit(report_once);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP})
    if (std::signal(signal, ask_to_end) == SIG_IGN) std::signal(signal, SIG_IGN);
  return true;
}();

}  // namespace

void end_now() {
  // Of several OS threads one makes the report, and the others let it.
  static std::atomic<bool> ends = false;
  while (ends.exchange(true)) ::pause();
  const int signal = asked_to_end;
  limit_report(signal);
  report_once();
  end_by(signal);
}

void ask_for_state() { asked = true; }

void give_up_without_report(const char* what) {
  reported = true;
  give_up(what);
}

void ends_by_signal(int signal) {
  limit_report(signal);
  report_once();
}

}  // namespace emulated::explain
