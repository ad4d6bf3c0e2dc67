// Streams and events, and what a stream records instead of running it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "cuda_runtime_api.h"

namespace emulated {

using Work = std::function<cudaError_t()>;
using Nodes = std::vector<cudaGraphNode_t>;

// A capture sequence: the stream that began it, and those that joined it by waiting for one of its
// events. The pack of graphs makes nodes of the work.
struct Capture {
  Capture() { ++going_on; }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  virtual ~Capture() { --going_on; }
  // Records work that comes after these pieces.
  virtual cudaGraphNode_t add(const Nodes& after, Work work, cudaGraphNodeType type) = 0;

  cudaStream_t origin = nullptr;
  bool invalidated = false;
  inline static std::atomic<int> going_on = 0;  // without one, no stream has to be asked
};

// True while recorded work runs on this host thread: it asks no stream.
extern thread_local constinit bool running_recorded_work;

/// Those of the device exist no longer.
void destroy_streams(int device);

bool is_default(cudaStream_t stream);
bool valid_stream(cudaStream_t stream);

}  // namespace emulated

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<emulated::Capture> capture;
  int device = 0;
  emulated::Nodes last = {};  // in a capture: what the next piece of work waits for
};

struct CUevent_st {
  unsigned flags = 0;
  int device = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time = {};
  std::uint64_t work = 0;                         // given before it (waits.h)
  const void* recorded_by = nullptr;              // the instruction after the call
  std::weak_ptr<emulated::Capture> capture = {};  // the sequence in which it was recorded last
  emulated::Nodes last = {};  // and what the stream's next piece of work waited for then
};
