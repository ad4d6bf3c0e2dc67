// A launch from the host's side: checks it, spreads its blocks over the OS threads, waits for them.
#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "../include/emulated/memory_access.h"
#include "../include/emulated/runtime.h"
#include "functions.h"
#include "memory_arena.h"
#include "pool.h"
#include "settings.h"
#include "worker.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace emulated {

std::size_t thread_local_bytes = 0;

namespace {

// The program's own thread-local memory: the first entry of the list is the program itself.
[[maybe_unused]] const int thread_local_bytes_found = dl_iterate_phdr(
    [](dl_phdr_info* info, std::size_t, void*) {
      for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_TLS)
          thread_local_bytes = (segment.p_memsz + segment.p_align - 1) / segment.p_align * segment.p_align;
      }
      return 1;
    },
    nullptr);

void refuse(const Launch& launch, const char* format, unsigned long long a, unsigned long long b) {
  std::fprintf(stderr, "%s:%u: error: kernel %s: ", launch.file, launch.line, launch.name);
  std::fprintf(stderr, format, a, b);
  std::fputc('\n', stderr);
}

// Is the shape one that a GPU of compute capability 9.0 takes? Says on stderr what is wrong.
cudaError_t check_shape(const Launch& launch) {
  const dim3 grid = launch.grid, block = launch.block;
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
    refuse(launch, "a grid of no blocks", 0, 0);
    return cudaErrorInvalidConfiguration;
  }
  if (block.x == 0 || block.y == 0 || block.z == 0) {
    refuse(launch, "a block of no threads", 0, 0);
    return cudaErrorInvalidConfiguration;
  }
  if (grid.x > grid_x || grid.y > grid_yz || grid.z > grid_yz) {
    refuse(launch, "the grid is too large: at most 2^31 - 1 blocks in x, 65535 in y and z", 0, 0);
    return cudaErrorInvalidConfiguration;
  }
  const unsigned long long threads = 1ull * block.x * block.y * block.z;
  if (block.x > block_xy || block.y > block_xy || block.z > block_z || threads > threads_per_block) {
    refuse(launch, "%llu threads a block; at most 1024 in all, in x and in y, and 64 in z", threads, 0);
    return cudaErrorInvalidConfiguration;
  }
  if (launch.shared_bytes > dynamic_shared_limit(launch.function)) {
    refuse(launch,
           "%llu bytes of dynamic shared memory; %llu are allowed unless cudaFuncSetAttribute raises that",
           launch.shared_bytes, dynamic_shared_limit(launch.function));
    return cudaErrorInvalidValue;
  }
  if (launch.cooperative) {
    int blocks = 0;
    resident_blocks(&blocks, static_cast<int>(threads), launch.shared_bytes);
    if (1ull * grid.x * grid.y * grid.z > 1ull * static_cast<unsigned>(blocks) * multiprocessors) {
      refuse(launch, "a cooperative launch of %llu blocks; only %llu fit on the device at the same time",
             1ull * grid.x * grid.y * grid.z, 1ull * static_cast<unsigned>(blocks) * multiprocessors);
      return cudaErrorCooperativeLaunchTooLarge;
    }
  }
  return cudaSuccess;
}

// See indices.h. The check costs nothing and the mistake would be silent.
void check_unit(const Launch& launch) {
  static const Launch* const first = new Launch(launch);
  if (launch.unit == first->unit) return;
  std::fprintf(
      stderr,
      "%s and %s both launch kernels: on the emulated device a program of several .cu files must be compiled "
      "with -DEMULATED_SHARED_INDICES.\n",
      first->file, launch.file);
  std::exit(1);
}

Worker& own_worker(unsigned index) {
  static thread_local std::unique_ptr<Worker> owner;
  if (owner == nullptr) {
    owner = std::make_unique<Worker>();
    owner->waiting.reserve(threads_per_block);
    owner->idle.reserve(threads_per_block + 1);
    worker = owner.get();
  }
  owner->index = index;
  return *owner;
}

// One OS thread's part of the launch.
void work(unsigned index) {
  const Launch& launch = running->launch;
  catch_signals();
  Worker& w = own_worker(index);
  w.made = 0;
  w.idle.clear();
  w.ready_first = w.ready_last = 0;
  w.waiting.clear();
  w.converging.clear();
  w.main_waits = w.had_block = false;
  w.scheduling = false;
  w.stuck = false;
  w.threads = launch.block.x * launch.block.y * launch.block.z;
  w.progress = w.progress_seen + 1;
  w.current = &w.native;
  w.main = &w.fibers[0];
  prepare_main_fiber(w);
  if (launch.shared_bytes > 0) {
#if defined(__SANITIZE_ADDRESS__)
    // Beyond what the launch asked for nobody may go.
    __asan_unpoison_memory_region(dynamic_shared_bytes, sizeof dynamic_shared_bytes);
#endif
    std::memset(dynamic_shared_bytes, 0xff, launch.shared_bytes);
  }
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(dynamic_shared_bytes + launch.shared_bytes,
                              sizeof dynamic_shared_bytes - launch.shared_bytes);
#endif
  inside_kernel = true;
  enter_main_fiber(w);
  inside_kernel = false;
  if (w.stuck) --running->stuck;
  --running->active;
}

}  // namespace

bool is_shared_address(const void* address) {
#if defined(__x86_64__)
  return reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer()) -
             reinterpret_cast<std::uintptr_t>(address) <=
         thread_local_bytes;
#else
  const char* byte = static_cast<const char*>(address);
  return byte >= dynamic_shared_bytes && byte < dynamic_shared_bytes + sizeof dynamic_shared_bytes;
#endif
}

cudaError_t run_grid(const Launch& launch) {
  if (const cudaError_t error = sticky_error()) return error;
  if (inside_kernel) {
    refuse(launch, "launched from inside a kernel, which the emulated device cannot do", 0, 0);
    return fail(cudaErrorNotSupported);
  }
  if (const cudaError_t error = check_shape(launch)) return fail(error);

  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  // Cooperative launches may need hundreds of OS threads, which the others shall not wake each time.
  static Pool pool, cooperative_pool;
  check_unit(launch);
  catch_signals();
  const DeviceAccess access;

  Running run(launch);
  run.blocks = 1ull * launch.grid.x * launch.grid.y * launch.grid.z;
  unsigned workers = 0;
  if (launch.cooperative) {
    workers = static_cast<unsigned>(run.blocks);
  } else {
    // Neighbouring blocks often share data: an OS thread takes several in a row, but leaves enough for the
    // others.
    run.chunk = std::clamp<std::uint64_t>(run.blocks / (settings().workers * 16), 1, 64);
    workers = static_cast<unsigned>(
        std::min<std::uint64_t>(settings().workers, (run.blocks + run.chunk - 1) / run.chunk));
  }
  run.active = workers;
  running = &run;
  (launch.cooperative ? cooperative_pool : pool).run(workers, &work);
  running = nullptr;
  if (run.failed) set_sticky_error(run.error);
  return cudaSuccess;
}

}  // namespace emulated
