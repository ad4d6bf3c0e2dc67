// What the rungs of this ladder work on, and the two things of CUDA that all of them own.
#pragma once

#include "../../common/book.h"
#include "part.cuh"

/// A way for halos to go from process to process. Made by all ranks together.
class HaloExchange {
 public:
  virtual ~HaloExchange() = default;
  /// Appends to `stream`: the outermost `rows` own rows of part.grids[grid] go to the neighbors, theirs come into the
  /// halos. All ranks call it, in the same order.
  virtual void append(const Part& part, int grid, int rows, cudaStream_t stream) = 0;
};

/// What a rung is made for, and outlives it. Its run(steps) sets so many time steps going, a frame, and returns at once;
/// part.now tells then where the result will be when the device has done all. It is called when the device is idle.
struct Job {
  Team& team;
  Part& part;
  HaloExchange* exchange;  ///< null where the ranks are threads of one process (--exchange peer)
};

/// A stream that is ended with its scope. The end is not checked: nothing depends on it, and the errors of earlier work
/// belong to the code that started that.
class Stream {
 public:
  enum Priority { usual, high };
  explicit Stream(Priority priority = usual) {
    int least = 0, greatest = 0;
    HANDLE_ERROR(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    HANDLE_ERROR(
        cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority == high ? greatest : least));
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaStream_t stream_ = nullptr;
};

/// A place in a stream that another stream can wait for.
class Event {
 public:
  Event() { HANDLE_ERROR(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaEvent_t event_ = nullptr;
};
