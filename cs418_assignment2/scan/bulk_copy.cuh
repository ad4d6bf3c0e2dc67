#pragma once
// Bulk copies: they fill a warp's buffers in shared memory from global memory ahead of use.
//
// Since compute capability 9.0 a bulk copy moves a whole buffer with one instruction: it needs no registers, and no
// thread waits for it. An mbarrier in shared memory counts the arrival; when the warp needs the data, it tests whether
// all bytes have arrived. (CUDA programming guide, "Asynchronous data copies using the tensor memory accelerator"; PTX
// manual, cp.async.bulk and mbarrier.) Older GPUs and the emulated device copy at once, through registers. The result
// is the same, but there is no overlap.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "../device/warp_rows.cuh"

#if !defined(EMULATED_DEVICE) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define HAVE_BULK_COPY 1
#endif

/// One warp's buffers of `count` 32-bit numbers each, a multiple of 4, used in turn. All functions are for the whole warp.
template <int count, int stages>
struct TileRing {
  unsigned* memory;        // stages * count numbers of shared memory, aligned to 16 bytes
  std::uint64_t* arrived;  // stages mbarriers, there, too
  int lane;

  __device__ unsigned* buffer(int stage) const { return memory + stage * count; }

#ifdef HAVE_BULK_COPY
  static __device__ unsigned address(const void* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }

  /// Before the first use.
  __device__ void make_ready() const {
    if (lane == 0) {
      for (int stage = 0; stage < stages; ++stage)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(arrived + stage)) : "memory");
      // The copy engine must see the barriers before it signals them.
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile("fence.proxy.async;" ::: "memory");
    }
    __syncwarp();
  }

  /// Waits until the buffer is full. `round` counts how often it was filled before: 0, 1, 2, ...
  __device__ void wait(int stage, unsigned round) const {
    unsigned done;
    do {
      asm volatile(
          "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
          : "=r"(done)
          : "r"(address(arrived + stage)), "r"(round & 1)
          : "memory");
    } while (done == 0);
    __syncwarp();
  }
#else
  __device__ void make_ready() const {}
  __device__ void wait(int, unsigned) const { __syncwarp(); }
#endif

  /// Starts to fill a buffer with array[first ...], which is aligned to 16 bytes; what lies beyond the n numbers of the
  /// array becomes 0. The warp must be done with what the buffer held before.
  __device__ void start(int stage, const unsigned* array, std::size_t n, std::size_t first) const {
    unsigned* to = buffer(stage);
    const int exist = first + count <= n ? count : first < n ? static_cast<int>(n - first) : 0;
#ifdef HAVE_BULK_COPY
    const int in_bulk = exist / 4 * 4;  // a bulk copy moves a multiple of 16 bytes
#else
    const int in_bulk = 0;
#endif
    if (in_bulk < count) {
      for (int i = in_bulk + lane; i < count; i += warp_lanes) to[i] = i < exist ? array[first + i] : 0;
      __syncwarp();
    }
#ifdef HAVE_BULK_COPY
    if (lane != 0) return;
    const unsigned bytes = in_bulk * sizeof(unsigned), barrier = address(arrived + stage);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
                 : "memory");
    if (bytes > 0)
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
              address(to)),
          "l"(array + first), "r"(bytes), "r"(barrier)
          : "memory");
#endif
  }
};
