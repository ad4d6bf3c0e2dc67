#pragma once
// What the rungs of this ladder work on.

#include <algorithm>

#include "../../common/book.h"
#include "subdomain.cuh"

namespace heat_multi_gpu {

/// A way for halos to go from process to process. Made by all ranks together.
struct HaloExchange {
  virtual ~HaloExchange() = default;
  /// Appends to `stream`: the outermost `rows` own rows of the grid go to the neighbors, theirs
  /// come into the halos. All ranks call it, in the same order and with the same number of rows.
  virtual void append(float* grid, int rows, cudaStream_t stream) = 0;
};

/// What a rung works on; it outlives the rung. The rung's run(steps) starts the time
/// steps of a frame and returns at once: domain.grid() will hold the result. It is
/// called when the device is idle.
struct Context {
  Communicator& comm;
  Subdomain& domain;
  HaloExchange* exchange;  ///< null where the ranks are threads of one process (--exchange peer)
};

/// Steps of the next pass of `wide_halos` and `one_kernel`, when `left` are left of a frame:
/// halo_rows, or 1 where the halos or the rest of the frame are smaller.
inline int steps_of_pass(const Subdomain& domain, int left) {
  return std::min(left, domain.halo) < halo_rows ? 1 : halo_rows;
}

/// The streams of `overlap` and `wide_halos`: one for the border rows and their exchange, one for
/// the interior.
struct TwoStreams {
  cudaStream_t border;
  cudaStream_t inner;
  cudaEvent_t border_done;  ///< the last pass of the border stream
  cudaEvent_t inner_done;   ///< the last pass of the inner stream

  /// The border stream has priority: when a block of the interior ends, one of the exchange
  /// follows.
  TwoStreams() {
    int low = 0;
    int high = 0;
    HANDLE_ERROR(cudaDeviceGetStreamPriorityRange(&low, &high));
    HANDLE_ERROR(cudaStreamCreateWithPriority(&border, cudaStreamNonBlocking, high));
    HANDLE_ERROR(cudaStreamCreateWithPriority(&inner, cudaStreamNonBlocking, low));
    for (cudaEvent_t* event : {&border_done, &inner_done})
      HANDLE_ERROR(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~TwoStreams() {
    // Not checked: nothing depends on it, and errors of earlier work belong to the code that
    // started it.
    for (cudaStream_t stream : {border, inner}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {border_done, inner_done}) cudaEventDestroy(event);
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
};

}  // namespace heat_multi_gpu
