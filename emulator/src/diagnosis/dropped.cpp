#include "emulated/dropped.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "diagnosis.h"
#include "dropped.h"
#include "emulated/explain_hooks.h"

namespace emulated {

namespace {

// Why the present call of this host thread fails, if more than the error code is known.
thread_local constinit char reason[400] = "";

thread_local constinit bool in_dropped_call = false;
thread_local constinit Location dropped_call_at;
std::atomic<bool> fault_seen = false;
// Has this thread a failed launch that it has not asked about? How many threads have?
thread_local constinit bool unseen_launch = false;
std::atomic<unsigned> unseen_launches = 0;

struct Failure {
  DroppedCall call;
  cudaError_t error;
  std::string reason;
  bool sticky;
};

struct Failures {
  std::mutex mutex;
  // each host thread's last one, if it may still be looked at
  std::map<std::thread::id, Failure> pending;
};
void report(const Failure& failure);

// Never destroyed: static destructors call CUDA's functions, too.
Failures& failures() {
  static auto& value = []() -> Failures& {
    report_mistakes_at_end([] {
      for (const auto& [thread, failure] : failures().pending) report(failure);
      if (unseen_launches > 0 || (device_error() != cudaSuccess && !fault_seen)) fail_at_end();
    });
    return *new Failures;
  }();
  return value;
}
thread_local constinit bool pending = false;  // has this thread one?

void report(const Failure& failure) {
  // The kernel's own fault has been said. That nothing works afterwards is said
  // once, unless the program knows.
  if (failure.sticky && fault_seen.exchange(true)) return;
  report_mistake(text(failure.call.at).c_str(),
                 "%s returns %s, and the program does not look at it: %s", failure.call.function,
                 cudaGetErrorName(failure.error), failure.reason.c_str());
}

}  // namespace

DroppedCall drops(const char* function, Location at) {
  tell_dropped();
  reason[0] = '\0';
  in_dropped_call = true;
  dropped_call_at = at;
  return {function, at};
}

Location present_dropped_call() { return in_dropped_call ? dropped_call_at : Location(); }

void fault_occurred() { failures(); }

void fault_returned() {
  if (!in_dropped_call) fault_seen = true;
}

void because(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(reason, sizeof reason, format, values);
  va_end(values);
  if (explain::on && !in_dropped_call) explain::call_fails(reason);
}

void operator,(const DroppedCall& call, cudaError_t error) {
  in_dropped_call = false;
  // Not mistakes, or said already.
  if (error == cudaSuccess || error == cudaErrorNotReady ||
      error == cudaErrorPeerAccessAlreadyEnabled || error == cudaErrorNotSupported)
    return;
  const bool sticky = error == device_error();
  std::string why = reason[0] != '\0' ? reason : cudaGetErrorString(error);
  if (sticky) why = "after a fault in a kernel all calls fail";
  const std::lock_guard lock(failures().mutex);
  failures().pending.insert_or_assign(std::this_thread::get_id(),
                                      Failure{call, error, why, sticky});
  pending = true;
}

void tell_dropped() {
  if (!pending) return;
  pending = false;
  const std::lock_guard lock(failures().mutex);
  if (const auto own = failures().pending.extract(std::this_thread::get_id())) report(own.mapped());
}

void launch_failed(cudaError_t error) {
  if (error == device_error() || unseen_launch) return;
  failures();
  unseen_launch = true;
  ++unseen_launches;
}

void forget_dropped() {
  if (unseen_launch) --unseen_launches;
  unseen_launch = false;
  if (!pending) return;
  pending = false;
  const std::lock_guard lock(failures().mutex);
  failures().pending.erase(std::this_thread::get_id());
}

}  // namespace emulated
