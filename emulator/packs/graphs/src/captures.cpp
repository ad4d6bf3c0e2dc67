// Streams that record their work as nodes of a graph.
#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "emulated/runtime.h"
#include "graph.h"
#include "streams/handles.h"

using namespace emulated;

namespace {

struct GraphCapture final : Capture {
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();

  cudaGraphNode_t add(const Nodes& after, Work work, cudaGraphNodeType type) override {
    return add_node(*graph, after, type, std::move(work));
  }
};

// Does the work of all streams of the capture come before what the first one does next?
bool joined(const std::vector<cudaStream_t>& streams, cudaStream_t origin) {
  std::set<cudaGraphNode_t> before(origin->last.begin(), origin->last.end());
  Nodes open = origin->last;
  while (!open.empty()) {
    const cudaGraphNode_t node = open.back();
    open.pop_back();
    for (const cudaGraphNode_t other : node->dependencies)
      if (before.insert(other).second) open.push_back(other);
  }
  return std::all_of(streams.begin(), streams.end(), [&](cudaStream_t stream) {
    return std::all_of(stream->last.begin(), stream->last.end(),
                       [&](cudaGraphNode_t node) { return before.contains(node); });
  });
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (is_default(stream)) return fail(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return fail(cudaErrorIllegalState);
  stream->capture = std::make_shared<GraphCapture>();
  stream->capture->origin = stream;
  stream->last.clear();
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  *graph = nullptr;
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (is_default(stream) || stream->capture == nullptr) return fail(cudaErrorIllegalState);
  if (stream->capture->origin != stream) return fail(cudaErrorStreamCaptureUnmatched);
  const auto capture = std::static_pointer_cast<GraphCapture>(stream->capture);
  std::vector<cudaStream_t> members;
  {
    const std::lock_guard lock(handles_mutex);
    for (const cudaStream_t other : living<cudaStream_t>())
      if (other->capture == capture) members.push_back(other);
  }
  const bool all_joined = joined(members, stream);
  for (const cudaStream_t member : members) {
    member->capture = nullptr;
    member->last.clear();
  }
  if (capture->invalidated) return fail(cudaErrorStreamCaptureInvalidated);
  if (!all_joined) return fail(cudaErrorStreamCaptureUnjoined);
  *graph = capture->graph.release();  // the program owns it now
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (!is_capturing(stream)) return answer(status, cudaStreamCaptureStatusNone);
  if (stream->capture->invalidated) return answer(status, cudaStreamCaptureStatusInvalidated);
  return answer(status, cudaStreamCaptureStatusActive);
}
