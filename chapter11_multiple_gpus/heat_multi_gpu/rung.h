// What the rungs of this ladder work on.
#pragma once

#include "../../common/book.h"
#include "part.cuh"

namespace heat_multi_gpu {

/// A way for halos to go from process to process. Made by all ranks together.
struct HaloExchange {
  virtual ~HaloExchange() = default;
  /// Appends to `stream`: the outermost `rows` own rows of the part's grid go to the
  /// neighbors, theirs come into the halos. All ranks call it, in the same order and
  /// always with the same number of rows.
  virtual void append(int grid, int rows, cudaStream_t stream) = 0;
};

/// What a rung works on; it outlives the rung. The rung's run(steps) starts the time steps of a
/// frame and returns at once: part.now is then the grid that will hold the result. It is called
/// when the device is idle.
struct Job {
  Team& team;
  Part& part;
  HaloExchange* exchange;  ///< null where the ranks are threads of one process (--exchange peer)
};

/// The streams of rungs 2 and 3: the border rows and their exchange are in
/// one, the interior is in the other.
struct TwoStreams {
  cudaStream_t border;
  cudaStream_t inner;
  ///< the last pass of that stream
  cudaEvent_t border_done;
  cudaEvent_t inner_done;

  /// The border stream has priority: when one of the interior's blocks
  /// ends, one of the exchange follows.
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
    // Not checked: nothing depends on it, and errors of earlier work
    // belong to the code that started it.
    for (cudaStream_t stream : {border, inner}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {border_done, inner_done}) cudaEventDestroy(event);
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
};

}  // namespace heat_multi_gpu
