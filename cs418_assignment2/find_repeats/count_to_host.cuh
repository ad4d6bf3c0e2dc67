#pragma once
// How the number of repeats gets from the last block of 3_fused.cuh to the host: the kernel writes it straight into
// page-locked host memory, and the host looks at that word until it changes. That costs 1.1 to 1.8 microseconds
// less than cudaDeviceSynchronize() and a copy (H200, README.md).

#include <cuda_runtime.h>
#include <cuda/atomic>

#include <atomic>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/device_memory.h"

/// Called by one thread per block when the block has written all its indices. `done` counts these blocks in its
/// upper half, and gathers the number of repeats in its lower half: `in_all` is that number in the block that knows
/// it, 0 in the others. The last of `blocks` blocks to come here hands it to the host's `count` and leaves 0 in
/// `done` for the next launch.
__device__ inline void report_count(std::uint64_t* done, unsigned in_all, unsigned blocks, unsigned* count) {
  cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device> arrivals(*done);
  const std::uint64_t before =
      arrivals.fetch_add((std::uint64_t{1} << 32) + in_all, cuda::memory_order_acq_rel);
  if (before >> 32 == blocks - 1) {
    arrivals.store(0, cuda::memory_order_relaxed);
    // Relaxed is enough: the host takes nothing but this number. The indices stay on the device, written before the
    // arrivals, and reach the host by copies in the stream.
    cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*count).store(
        static_cast<unsigned>(before) + in_all, cuda::memory_order_relaxed);
  }
}

/// The host's side: the two words, and waiting for the second.
class CountToHost {
 public:
  CountToHost() : done_(1), count_(1) { HANDLE_ERROR(cudaMemset(done_.get(), 0, done_.bytes())); }

  std::uint64_t* done() const { return done_.get(); }
  unsigned* count() const { return count_.get(); }

  /// Before each launch.
  void expect() const { std::atomic_ref<unsigned>(*count_.get()).store(no_count, std::memory_order_relaxed); }

  /// The count, when it is there. A kernel that failed never writes it, so the runtime is asked now and then; CUDA
  /// errors end the program.
  unsigned wait() const {
    constexpr unsigned looks_between_questions = 1u << 16;
    const std::atomic_ref<unsigned> word(*count_.get());
    for (unsigned looks = 1;; ++looks) {
      const unsigned count = word.load(std::memory_order_relaxed);
      if (count != no_count) return count;
      if (looks % looks_between_questions != 0) continue;
      const cudaError_t state = cudaStreamQuery(nullptr);
      if (state == cudaErrorNotReady)
        static_cast<void>(cudaGetLastError());  // it counts as an error; this one is none
      else
        HANDLE_ERROR(state);
    }
  }

 private:
  // No count: there are fewer indices than that.
  static constexpr unsigned no_count = 0xffffffffu;

  DeviceMemory<std::uint64_t> done_;
  PinnedMemory<unsigned> count_;
};
