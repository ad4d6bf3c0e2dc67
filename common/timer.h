#pragma once
#include <cuda_runtime.h>

/// Milliseconds on the device between two points of a stream, measured with CUDA events (the book,
/// section 6.3).
class EventTimer {
 public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start(cudaStream_t stream = nullptr);
  /// Waits for the stream to get here and returns the milliseconds since start(). Errors end the program.
  float stop(cudaStream_t stream = nullptr);

 private:
  cudaEvent_t start_, stop_;
};
