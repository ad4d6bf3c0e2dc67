// An OS thread's part of a launch: takes blocks and runs them.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "device/limits.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "platform/platform.h"
#include "settings.h"
#include "warps/block.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emulated {

Running* running = nullptr;
// In .tdata for the reason that EMULATED_OWN has (include/emulated/indices.h).
[[gnu::section(".tdata")]] thread_local constinit bool inside_kernel = false;

bool in_kernel() { return inside_kernel; }

bool first_to_fail(cudaError_t error) {
  if (running->failed.exchange(true)) return false;
  running->error = error;
  running->grid_barrier.open();  // no OS thread may sleep there any longer
  return true;
}

namespace {

// This OS thread's worker, made when it runs blocks for the first time and destroyed at the
// thread's end (the main thread's lives as long as the program), with all the memory that a launch
// takes: what is missing later would look like the kernel's own mistake.
Worker& worker_for(const Running& run) {
  try {
    if (worker == nullptr) {
      new Worker;  // sets `worker`
      at_thread_end([](void* own) { delete static_cast<Worker*>(own); }, worker);
    }
    Worker& w = *worker;
    w.orders.prepare(run.launch.block);
    w.shared.clear();
    for (const SharedNote& variable : run.shared)
      w.shared.emplace_back(static_cast<char*>(const_cast<void*>(variable.address())),
                            variable.bytes);
    if (run.launch.shared_bytes > 0)
      w.shared.emplace_back(dynamic_shared_bytes, run.launch.shared_bytes);
    return w;
  } catch (const std::bad_alloc&) {
    give_up("an OS thread's part of the emulated device does not fit into memory");
  }
}

}  // namespace

// What the main fiber does: runs this OS thread's blocks, then goes back
// to the OS thread's own stack.
[[noreturn]] static void main_fiber_entry() {
  running->launch.run_blocks(running->launch);
  leave_block();
}

void fiber_entry() { worker->block->run_fiber(); }

void work() {
  Worker& w = worker_for(*running);
  w.repeat = Worker::Repeat::no;
  w.asserting_warp.reset();
  w.blocks = {};
  w.current = &w.native;
  w.main().prepare(&main_fiber_entry, 0);
#if defined(__SANITIZE_ADDRESS__)
  // No access beyond what the launch requests.
  const std::size_t shared_bytes = running->launch.shared_bytes;
  __asan_unpoison_memory_region(dynamic_shared_bytes, sizeof dynamic_shared_bytes);
  __asan_poison_memory_region(dynamic_shared_bytes + shared_bytes,
                              sizeof dynamic_shared_bytes - shared_bytes);
#endif
  inside_kernel = true;
  w.current = &w.main();
  Fiber::switch_to(w.native, w.main());
  inside_kernel = false;
  w.block.reset();
  if (running->failed)
    for (unsigned i = 0; i <= threads_per_block; ++i) w.fibers[i].forget_frames();
  --running->active;
}

// The threads that run once more do not come to the fault.
[[noreturn]] static void end_repeating() {
  worker->repeat = Worker::Repeat::in_vain;
  device_fault(worker->fault, worker->sentence.get());
}

// The loop over threads may run several of them at once and keep their indices in registers. One
// after the other they show which of them it was: the fault comes again. Unless the thread writes
// over the stack and the fault comes with a return: on x86-64 that of the function which writes, on
// arm64 that of its caller, which is this one, and does not return.
void find_thread(cudaError_t error, const char* sentence) {
  uint3 block;
  uint3 thread;
  running->launch.present(block, thread);
  if (thread.x != unknown_thread || worker->repeat != Worker::Repeat::no) return;
  worker->repeat = Worker::Repeat::yes;
  worker->fault = error;
  std::snprintf(worker->sentence.get(), Worker::sentence_bytes, "%s", sentence);
  const auto* const frame = static_cast<void* const volatile*>(__builtin_frame_address(0));
  const void* const return_address = frame[1];
  running->launch.run_threads(running->launch, worker->block->thread_order(),
                              worker->block->threads());
  if (frame[1] != return_address) device_fault(error, worker->sentence.get());
  end_repeating();
}

void device_fault(cudaError_t error, const char* sentence) {
  if (!inside_kernel) {
    std::fprintf(stderr, "%s outside of a kernel\n", sentence);
    std::abort();
  }
  find_thread(error, sentence);
  if (first_to_fail(error)) {
    const Launch& launch = running->launch;
    uint3 block;
    uint3 thread;
    launch.present(block, thread);
    const bool known = worker->repeat != Worker::Repeat::in_vain;
    report_error(text(launch.at).c_str(), "kernel %s, block %s, thread %s: %s", launch.name,
                 text(block).c_str(), known ? text(thread).c_str() : "unknown", sentence);
  }
  leave_block();
}

// ---- which blocks ----
void give_back_blocks() {
  if (worker->blocks.next == worker->blocks.last) return;
  const std::lock_guard lock(running->mutex);
  running->given_back.push_back(std::exchange(worker->blocks, {}));
}

// Once, of a launch that takes long, on a terminal.
static void tell_how_far(Running& r) {
  using namespace std::chrono_literals;
  constexpr auto patience = 5s;
  const auto runs_for = std::chrono::steady_clock::now() - r.begun;
  if (runs_for < patience || r.how_far_told.exchange(true)) return;
  // Those that OS threads have taken are not done; this one's are.
  const std::uint64_t taken = (r.active - 1) * r.chunk;
  const std::uint64_t begun = std::min(r.next_block.load(), r.blocks);
  std::fprintf(stderr, "%s: note: kernel %s has run for %d s: %llu of its %llu blocks are done\n",
               text(r.launch.at).c_str(), r.launch.name, static_cast<int>(runs_for / 1s),
               static_cast<unsigned long long>(begun - std::min(begun, taken)),
               static_cast<unsigned long long>(r.blocks));
}

bool claim_block(std::uint64_t& block) {
  Running& r = *running;
  Worker& w = *worker;
  if (r.failed.load(std::memory_order_relaxed)) return false;
  if (w.blocks.next == w.blocks.last) {
    if (!r.how_far_told.load(std::memory_order_relaxed)) tell_how_far(r);
    w.blocks.next = r.next_block.fetch_add(r.chunk, std::memory_order_relaxed);
    w.blocks.last = std::min(w.blocks.next + r.chunk, r.blocks);
    if (w.blocks.next >= r.blocks) {
      w.blocks = {};
      const std::lock_guard lock(r.mutex);
      if (r.given_back.empty()) {
        ++r.round;
        return false;
      }
      w.blocks = r.given_back.back();
      r.given_back.pop_back();
    }
  }
  block = permute(settings().order, w.blocks.next++, r.blocks, settings().seed);
  return true;
}

bool is_cooperative() { return running != nullptr && running->launch.cooperative; }

// ---- called from the loop over blocks (launch.h) ----
const PackedIndex* begin_block(std::uint64_t block) {
  const dim3 size = running->launch.block;
  worker->block.emplace(block, size.x * size.y * size.z);
  // What a GPU finds there is what another block left: no program may rely on it.
  for (const std::span<char> bytes : worker->shared)
    std::memset(bytes.data(), unwritten, bytes.size());
  if (explain::on) explain::begin_block(block, size.x * size.y * size.z);
  // Where accesses are distinguished by their place in the program, one copy
  // of the kernel runs all threads.
  const bool in_order =
      settings().order == Order::in_order && running->launch.grid.x <= block_x_limit;
  return in_order && !explain::on ? nullptr : worker->block->thread_order();
}

void begin_suspending(unsigned thread) {
  if (inside_kernel && worker->repeat == Worker::Repeat::yes) end_repeating();
  if (inside_kernel)
    worker->block->begin_scheduling(thread);  // host code may wait in the same classes
}

void finish_suspended_block() { worker->block->finish(); }

}  // namespace emulated
