// A launch from the host's side: checks it, spreads its blocks over the OS threads, waits for them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "declarations.h"
#include "device/device.h"
#include "device/variables.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "emulated/memory_access.h"
#include "emulated/runtime.h"
#include "emulated/templates.h"
#include "memory/arena.h"
#include "memory/host.h"
#include "memory/list.h"
#include "memory/managed.h"
#include "platform/platform.h"
#include "pool.h"
#include "settings.h"
#include "streams/waits.h"
#include "warps/block.h"

namespace emulated {

namespace {

// Says on stderr what is wrong.
cudaError_t refuse(cudaError_t error, const Launch& launch, const char* format,
                   unsigned long long a = 0, unsigned long long b = 0) {
  char sentence[300];
  std::snprintf(sentence, sizeof sentence, format, a, b);
  report_error(text(launch.at).c_str(), "kernel %s: %s", launch.name, sentence);
  return error;
}

unsigned long long threads_in(dim3 block) { return 1ull * block.x * block.y * block.z; }

// Is the shape one that a GPU of compute capability 9.0 takes?
cudaError_t check_shape(const Launch& launch, const KernelFacts& facts) {
  const dim3 grid = launch.grid;
  const dim3 block = launch.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0)
    return refuse(cudaErrorInvalidConfiguration, launch, "the grid has no blocks");
  if (block.x == 0 || block.y == 0 || block.z == 0)
    return refuse(cudaErrorInvalidConfiguration, launch, "the block has no threads");
  if (grid.x > grid_x || grid.y > grid_yz || grid.z > grid_yz)
    return refuse(cudaErrorInvalidConfiguration, launch,
                  "the grid is too large: at most 2^31 - 1 blocks in x, 65535 in y and z");
  const unsigned long long threads = threads_in(block);
  if (block.x > block_xy || block.y > block_xy || block.z > block_z || threads > threads_per_block)
    return refuse(cudaErrorInvalidConfiguration, launch,
                  "%llu threads per block; at most 1024 in all, in x and in y, and 64 in z",
                  threads);
  if (threads > facts.threads)
    return refuse(cudaErrorInvalidValue, launch,
                  "%llu threads per block; its __launch_bounds__ allow %llu", threads,
                  facts.threads);
  if (facts.shared_bytes > shared_bytes_per_block)
    return refuse(cudaErrorInvalidValue, launch,
                  "%llu bytes of static shared memory; a block has %llu", facts.shared_bytes,
                  shared_bytes_per_block);
  if (launch.shared_bytes > 0 && launch.shared_bytes > dynamic_shared_limit(launch.function))
    return refuse(cudaErrorInvalidValue, launch,
                  "%llu bytes of dynamic shared memory; %llu are allowed unless "
                  "cudaFuncSetAttribute raises that",
                  launch.shared_bytes, dynamic_shared_limit(launch.function));
  return cudaSuccess;
}

// See indices.h. The check costs nothing and the mistake would be silent.
void check_unit(const Launch& launch) {
  if (launch.unit == nullptr) return;  // a hidden unit
  static const Launch* const first = new Launch(launch);
  if (launch.unit == first->unit) return;
  std::fprintf(stderr,
               "%s and %s both launch kernels: on the emulated device a program of several .cu "
               "files must be compiled with -DEMULATED_SHARED_INDICES.\n",
               first->at.file_name(), launch.at.file_name());
  std::exit(1);
}

// Cooperative launches may need hundreds of OS threads, which the others must not wake each time.
// Never destroyed: see pool.h.
Pool& pool_of(const Launch& launch) {
  static Pool& usual = *new Pool;
  static Pool& cooperative = *new Pool;
  return launch.cooperative ? cooperative : usual;
}

}  // namespace

// How many blocks of the launch fit on the device at the same time?
static std::uint64_t resident_on_device(const Launch& launch) {
  int blocks = 0;
  resident_blocks(&blocks, launch.function, static_cast<int>(threads_in(launch.block)),
                  launch.shared_bytes);
  return static_cast<std::uint64_t>(blocks) * multiprocessors;
}

bool begin_more_blocks() {
  Running& run = *running;
  const std::lock_guard lock(run.mutex);
  if (run.next_block >= run.blocks && run.given_back.empty()) return false;
  if (run.active >= resident_on_device(run.launch)) return false;
  ++run.active;
  const bool has_begun = pool_of(run.launch).add();
  if (!has_begun) --run.active;
  return has_begun;
}

void let_other_blocks_run() { pool_of(running->launch).pass_turn(); }

thread_local constinit EndingLaunch launch_that_ends;

cudaError_t run_grid(const Launch& launch) {
  if (const cudaError_t error = device_error()) return fail(error);
  if (inside_kernel) {
    // No string may be alive when the frames are left behind.
    char sentence[500];
    std::snprintf(sentence, sizeof sentence,
                  "launches kernel %.100s at %.300s:%u, but the emulated device cannot launch from "
                  "inside a kernel",
                  launch.name, launch.at.file_name(), launch.at.line());
    device_fault(cudaErrorNotSupported, sentence);
  }
  const KernelFacts& facts = kernel_facts(launch.function);
  if (const cudaError_t error = check_shape(launch, facts)) return fail(error);

  check_unit(launch);
  const auto variables = place_variables();  // of one kernel at a time
  catch_faults();
  catch_exceptions();
  const DeviceAccess access;
  const HostPointersForbidden forbidden(launch);

  ManagedWrites managed;

  Running run(launch);
  run.shared = facts.shared;
  std::uint64_t wanted = run.blocks;  // OS threads: of a cooperative launch one for each block
  if (launch.cooperative) {
    const std::uint64_t resident = resident_on_device(launch);
    if (run.blocks > resident)
      return fail(refuse(
          cudaErrorCooperativeLaunchTooLarge, launch,
          "a cooperative launch of %llu blocks; only %llu fit on the device at the same time",
          run.blocks, resident));
  } else {
    // Neighboring blocks often share data: an OS thread takes several in a row,
    // but leaves enough for the others.
    run.chunk = std::clamp<std::uint64_t>(run.blocks / (settings().workers * 16), 1, 64);
    wanted = std::min<std::uint64_t>(settings().workers, (run.blocks + run.chunk - 1) / run.chunk);
  }
  Pool& pool = pool_of(launch);
  const unsigned workers = pool.prepare(static_cast<unsigned>(wanted));
  if (launch.cooperative && workers < wanted)
    give_up(
        "a cooperative launch needs an OS thread for each block, and the system provides no more");
  run.active = workers;
  if (settings().on_terminal) {
    run.begun = std::chrono::steady_clock::now();
    run.how_far_told = false;
  }
  running = &run;
  const bool alone = explain::begin_grid(launch);
  if (alone) run.active = 1;
  pool.run(alone ? 1 : workers, &work);
  explain::end_grid();
  running = nullptr;
  allocations().kernel_ended(launch);
  if (!run.host_is_told) managed.close(launch);
  note_kernel(launch, run.printed);
  if (run.failed) set_sticky_error(run.error);
  return cudaSuccess;
}

}  // namespace emulated
