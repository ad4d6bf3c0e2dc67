#pragma once
// A warp's copies from global to shared memory, kept in flight, for `pipeline` of scan and `fused`
// of find_repeats.

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cuda/barrier>

#include <cstddef>

#include "warp_rows.cuh"

namespace cs418 {

/// One warp's buffers in shared memory, `count` numbers each, a multiple of 4. They are filled in
/// turn; `use` counts that: 0, 1, 2, ... All functions are for the whole warp.
/// An asynchronous copy fills a buffer without registers, and no thread waits for it: a barrier
/// learns when the bytes have arrived, and is tested when the warp needs them. (CUDA programming
/// guide, "Asynchronous data copies".) From compute capability 9.0 on it is a bulk copy, one
/// instruction for the buffer; with 8.0 each lane copies 16 bytes at a time; older GPUs and the
/// emulated device copy at once: the same result, but no overlap.
template <int count, int buffers>
class TileRing {
  // A bulk copy takes longer if it begins within a line of 128 bytes.
  struct alignas(128) Buffer {
    unsigned numbers[count];
  };
  Buffer buffers_[buffers];
  cuda::barrier<cuda::thread_scope_block> arrived_[buffers];

 public:
  /// Before the first use.
  __device__ void make_ready(int lane) {
    if (lane < buffers) init(&arrived_[lane], 1);
    __syncwarp();
  }

  /// Starts to fill a buffer with array[first ...], which is aligned to 16 bytes. Numbers beyond
  /// the n numbers of the array become 0. The warp must be done with the buffer's old content.
  __device__ void start(unsigned use, const unsigned* array, size_t n, size_t first, int lane) {
    unsigned* to = buffers_[use % buffers].numbers;
    auto& arrived = arrived_[use % buffers];
    int exist = 0;  // so many of the buffer's numbers
    if (first + count <= n)
      exist = count;
    else if (first < n)
      exist = static_cast<int>(n - first);
    const int in_bulk = exist / 4 * 4;  // a bulk copy moves a multiple of 16 bytes
    if (in_bulk < count)
      for (int i = in_bulk + lane; i < count; i += warp_lanes)
        to[i] = i < exist ? array[first + i] : 0;
    if (in_bulk > 0)
      cuda::memcpy_async(
          cooperative_groups::tiled_partition<warp_lanes>(cooperative_groups::this_thread_block()),
          to, array + first, cuda::aligned_size_t<16>(in_bulk * sizeof(unsigned)), arrived);
    __syncwarp();
    if (lane == 0) (void)arrived.arrive();
  }

  /// Waits until the buffer is full.
  __device__ void wait(unsigned use) {
    const unsigned uses_before = use / buffers;  // of this buffer
    arrived_[use % buffers].wait_parity(uses_before % 2 != 0);
    __syncwarp();
  }

  __device__ const unsigned* numbers(unsigned use) const { return buffers_[use % buffers].numbers; }
};

}  // namespace cs418
