#include "waits.h"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "emulated/runtime.h"
#include "launch/running.h"
#include "memory/managed.h"
#include "stream.h"

namespace emulated {

namespace {

std::atomic<std::uint64_t> given = 0, waited = 0;

// The last kernel whose output a GPU may still hold.
struct Output {
  std::mutex mutex;
  const char* kernel = "";
  Location at;
};
// Never destroyed: it is needed at the very end.
Output& output() {
  static auto& value = *new Output;
  return value;
}
std::atomic<bool> output_pending = false;

void report_lost_output() {
  if (!output_pending) return;
  const std::lock_guard lock(output().mutex);
  report_mistake(
      text(output().at).c_str(),
      "kernel %s prints, and the program ends without waiting for it: a GPU may lose what it "
      "printed; call cudaDeviceSynchronize()",
      output().kernel);
}

// With it every launch waits (CUDA_LAUNCH_BLOCKING=1).
const bool launches_wait = [] {
  const char* text = std::getenv("CUDA_LAUNCH_BLOCKING");
  return text != nullptr && std::string_view(text) != "0";
}();

}  // namespace

// Where two host threads do so at the same time, one step is enough.
void note_work() {
  given.store(given.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void note_kernel(const Launch& launch, bool printed) {
  note_work();
  if (launches_wait) return static_cast<void>(waits());
  if (!printed) return;
  static const bool told_at_end = (report_mistakes_at_end(report_lost_output), true);
  static_cast<void>(told_at_end);
  const std::lock_guard lock(output().mutex);
  output().kernel = launch.name;
  output().at = launch.at;
  output_pending = true;
}

std::uint64_t given_work() { return given; }
bool waited_for(std::uint64_t work) { return work <= waited; }

static cudaError_t note_wait(cudaError_t result) {
  waited.store(given.load(std::memory_order_relaxed), std::memory_order_relaxed);
  output_pending.store(false, std::memory_order_relaxed);
  open_closed_memory();
  return result;
}

cudaError_t waits(cudaError_t result) {
  explain::host_waits_for_all();
  return note_wait(result);
}

cudaError_t waits_for(cudaStream_t stream, cudaError_t result) {
  if (explain::on && valid_stream(stream)) explain::host_waits_for(stream);
  return note_wait(result);
}

cudaError_t waits_for_event(cudaEvent_t event, cudaError_t result) {
  explain::host_waits_for(event);
  return note_wait(result);
}

void note_host_is_told() {
  if (in_kernel()) running->host_is_told.store(true, std::memory_order_relaxed);
}

}  // namespace emulated
