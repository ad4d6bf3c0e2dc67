// The report at the program's end, however it comes: at exit() and quick_exit(), at abort(), at a
// fault on the host, and where a signal ends the program.
//
// A signal handler may have interrupted what holds a lock, of the pack, of malloc() or of stdio.
// So it only wakes two threads that hold nothing. One makes the report, unless a kernel notices
// first that it is to end: at a basic block it holds nothing, and knows its present block. The
// other ends the program after a while, whatever happens.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <thread>

#include <unistd.h>

#include "detectors/again.h"
#include "diagnosis/report.h"
#include "emulated/explain_hooks.h"
#include "explain.h"
#include "launch/running.h"
#include "platform/platform.h"
#include "report/page.h"
#include "step/step.h"

namespace emulated::explain {

volatile std::sig_atomic_t asked_to_end = 0;
std::atomic<bool> asked = false;

namespace {

// A kernel notices within so long that it is asked to end; the report takes no longer than that.
constexpr unsigned seconds_to_notice = 2;
constexpr unsigned seconds_to_report = 20;
constexpr unsigned looks_per_second = 100;

sem_t report_wanted;                // a report, by the first of the two threads
sem_t limited;                      // the program's time, by the second one
std::atomic<bool> noticed = false;  // a kernel makes the report itself
enum class Report { none, begun, done };
std::atomic<Report> report_state = Report::none;
thread_local constinit bool reports_here = false;
std::atomic<bool> after_fault =
    false;  // of the host: the thread with the fault waits for the report

void make_report() {
  std::fflush(stdout);
  if (looks_for_writer()) return finish_looking();
  if (makes_steps()) return write_steps();
  report();
  const char* const path = std::getenv("EMULATED_EXPLAIN_PAGE");
  if (path != nullptr && !write_page(path)) fail_at_end();
}

// As if nothing had caught the signal.
[[noreturn]] void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, signal);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

// Who comes while another thread makes the report must not end the program before it is there: that
// thread ends it, or the one that looks at the time.
void report_once() {
  if (is_again()) return;
  Report before = Report::none;
  if (!report_state.compare_exchange_strong(before, Report::begun)) {
    if (before == Report::begun && !reports_here && asked_to_end != 0)
      for (;;) ::pause();
    return;
  }
  reports_here = true;
  make_report();
  // A signal that comes later ends the program itself.
  if (asked_to_end == 0) report_state = Report::done;
  if (asked_to_end != 0) end_by(asked_to_end);
}

void wait_for(sem_t& semaphore) {
  while (sem_wait(&semaphore) != 0) {
  }
}

// Looks again and again, for as long as a kernel may need to notice.
template <class Condition>
bool comes_true(Condition condition) {
  for (unsigned looks = 0; looks < seconds_to_notice * looks_per_second; ++looks) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::seconds(1) / looks_per_second);
  }
  return condition();
}

[[noreturn]] void make_report_when_wanted() {
  wait_for(report_wanted);
  comes_true([] {
    return noticed || after_fault || __atomic_load_n(&running, __ATOMIC_RELAXED) == nullptr;
  });
  if (noticed)
    for (;;) ::pause();
  comes_true([] { return !Lock::is_held_without_mutex(); });
  report_once();
  end_by(asked_to_end);
}

[[noreturn]] void end_when_time_is_over() {
  wait_for(limited);
  timespec rest{seconds_to_notice + seconds_to_report, 0};
  while (nanosleep(&rest, &rest) != 0) {
  }
  constexpr std::string_view sentence =
      "explain: the program was ended before its report was complete\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
  end_by(asked_to_end);
}

// Called by signal handlers.
void ask_to_end(int signal) {
  asked_to_end = signal;
  asked = true;
  if (report_state == Report::done) end_by(signal);
  sem_post(&limited);
  sem_post(&report_wanted);
}

constexpr int ending_signals[] = {SIGTERM, SIGINT, SIGHUP};

void start_threads() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // for the threads, which are interrupted by nothing
  for (void (*const run)() : {+[] { make_report_when_wanted(); }, +[] { end_when_time_is_over(); }})
    std::thread(run).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

[[maybe_unused]] const bool prepared_for_the_end = [] {
  report_at_end([] {
    report_once();
    if (has_mistakes()) fail_at_end();
  });
  std::at_quick_exit(report_once);
  for (sem_t* const one : {&report_wanted, &limited}) sem_init(one, 0, 0);
  start_threads();
  for (const int signal : ending_signals)
    if (std::signal(signal, ask_to_end) == SIG_IGN) std::signal(signal, SIG_IGN);
  // A copy of the process has but the thread that made it: there signals end it at once.
  pthread_atfork(nullptr, nullptr, [] {
    struct sigaction present = {};
    for (const int signal : ending_signals)
      if (sigaction(signal, nullptr, &present) == 0 && present.sa_handler == ask_to_end)
        std::signal(signal, SIG_DFL);
    if (asked_to_end != 0) end_by(asked_to_end);
  });
  return true;
}();

}  // namespace

// A kernel has come to a basic block.
void end_now() {
  // One of several OS threads makes the report, and the others let it.
  static std::atomic<bool> ends = false;
  while (ends.exchange(true)) ::pause();
  noticed = true;
  report_once();
  end_by(asked_to_end);
}

void ask_for_state() { asked = true; }

void give_up_without_report(const char* what) {
  report_state = Report::done;
  give_up(what);
}

// The program's own fault, which it cannot go on after: this thread waits for the report.
void ends_by_signal(int signal) {
  after_fault = true;
  ask_to_end(signal);
  for (;;) ::pause();
}

}  // namespace emulated::explain
