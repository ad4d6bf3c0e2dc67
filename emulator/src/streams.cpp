// Streams, events and graphs. Work given to a stream is done before the call returns, which keeps every
// promise that CUDA makes about order. A stream that is being captured records its work instead, as functions
// to call later.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "../include/cuda_runtime_api.h"
#include "../include/emulated/runtime.h"
#include "device_number.h"

using Work = std::function<cudaError_t()>;

struct CUgraph_st {  // what was recorded, in order
  std::vector<Work> work;
};
struct CUgraphExec_st {
  std::vector<Work> work;
};

namespace {

// A capture sequence: the stream that began it, and those that joined it by waiting for one of its events.
struct Capture {
  cudaStream_t origin = nullptr;
  std::vector<Work> work;
  bool invalidated = false;
};

}  // namespace

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  std::shared_ptr<Capture> capture;
  int device = 0;
  unsigned long long id = 0;
  std::map<cudaStreamAttrID, cudaStreamAttrValue> attributes = {};
};

struct CUevent_st {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point time;
  std::weak_ptr<Capture> capture;  // the sequence in which it was recorded last
};

namespace emulated {

namespace {

// What exists. Never destroyed: static objects of programs may use streams before main() and after it.
template <class Handle>
std::set<Handle>& living() {
  static auto& set = *new std::set<Handle>;
  return set;
}
std::mutex mutex;               // guards the sets
std::atomic<int> captures = 0;  // that are going on

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

template <class Handle>
bool exists(Handle handle) {
  const std::lock_guard lock(mutex);
  return living<Handle>().contains(handle);
}

template <class Handle>
void add(Handle handle) {
  const std::lock_guard lock(mutex);
  living<Handle>().insert(handle);
}

// Forgets and deletes.
template <class Handle>
cudaError_t destroy(Handle handle) {
  {
    const std::lock_guard lock(mutex);
    if (living<Handle>().erase(handle) == 0) return fail(cudaErrorInvalidResourceHandle);
  }
  delete handle;
  return cudaSuccess;
}

bool valid_stream(cudaStream_t stream) { return is_default(stream) || exists(stream); }

// A call that would wait, in the middle of a capture: not allowed, and spoils the capture.
cudaError_t refuse_in_capture(cudaStream_t stream) {
  if (!is_capturing(stream)) return cudaSuccess;
  stream->capture->invalidated = true;
  return fail(cudaErrorStreamCaptureUnsupported);
}

cudaError_t run_all(const std::vector<Work>& work) {
  for (const Work& step : work)
    if (const cudaError_t error = step()) return error;
  return cudaSuccess;
}

}  // namespace

bool is_capturing(cudaStream_t stream) {
  if (captures.load(std::memory_order_relaxed) == 0 || is_default(stream)) return false;
  return exists(stream) && stream->capture != nullptr;
}

cudaError_t check_no_capture() {
  if (captures.load(std::memory_order_relaxed) == 0) return cudaSuccess;
  const std::lock_guard lock(mutex);
  bool any = false;
  for (const cudaStream_t stream : living<cudaStream_t>())
    if (stream->capture != nullptr) {
      stream->capture->invalidated = true;
      any = true;
    }
  return any ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t check_stream(cudaStream_t stream) {
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (captures.load(std::memory_order_relaxed) == 0) return cudaSuccess;
  if (is_default(stream)) {
    // The default stream waits for all blocking streams, which it cannot while one of them is recorded.
    const std::lock_guard lock(mutex);
    for (const cudaStream_t other : living<cudaStream_t>())
      if (other->capture != nullptr && (other->flags & cudaStreamNonBlocking) == 0) {
        other->capture->invalidated = true;
        return cudaErrorStreamCaptureImplicit;
      }
  }
  return is_capturing(stream) && stream->capture->invalidated ? cudaErrorStreamCaptureInvalidated
                                                              : cudaSuccess;
}

cudaError_t submit(cudaStream_t stream, Work work) {
  if (const cudaError_t error = sticky_error()) return error;
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (!is_capturing(stream)) return fail(work());
  stream->capture->work.push_back(std::move(work));
  return cudaSuccess;
}

}  // namespace emulated

using namespace emulated;

// ---- streams ----
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (const cudaError_t error = sticky_error()) return error;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return fail(cudaErrorInvalidValue);
  static std::atomic<unsigned long long> made = 2;  // 1 and 2 are the default streams
  *stream = new CUstream_st{flags, priority, nullptr, current_device(), ++made};
  add(*stream);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) { return destroy(stream); }

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  return sticky_error();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  *priority = is_default(stream) ? 0 : stream->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  *flags = is_default(stream) ? 0 : stream->flags;
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (!valid_stream(stream) || !exists(event)) return fail(cudaErrorInvalidResourceHandle);
  // Waiting for an event of a capture makes the stream part of that capture.
  if (const auto capture = event->capture.lock(); capture != nullptr) {
    if (is_default(stream)) return fail(cudaErrorStreamCaptureImplicit);
    if (stream->capture != nullptr && stream->capture != capture) return fail(cudaErrorStreamCaptureMerge);
    stream->capture = capture;
    return cudaSuccess;
  }
  if (is_capturing(stream) && event->recorded) return fail(cudaErrorStreamCaptureIsolation);
  return sticky_error();
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (id == nullptr) return fail(cudaErrorInvalidValue);
  *id = !is_default(stream) ? stream->id : stream == cudaStreamPerThread ? 2 : 1;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (device == nullptr) return fail(cudaErrorInvalidValue);
  *device = is_default(stream) ? current_device() : stream->device;
  return cudaSuccess;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  if (!is_default(stream)) stream->attributes[attribute] = *value;
  return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (value == nullptr) return fail(cudaErrorInvalidValue);
  *value = {};
  if (!is_default(stream)) *value = stream->attributes[attribute];
  if (attribute == cudaLaunchAttributePriority) value->priority = is_default(stream) ? 0 : stream->priority;
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  if (!valid_stream(to) || !valid_stream(from)) return fail(cudaErrorInvalidResourceHandle);
  if (!is_default(to) && !is_default(from)) to->attributes = from->attributes;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode present = cudaStreamCaptureModeGlobal;
  if (mode == nullptr) return fail(cudaErrorInvalidValue);
  std::swap(*mode, present);
  return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  if (callback == nullptr || flags != 0) return fail(cudaErrorInvalidValue);
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  callback(stream, sticky_error(), data);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return fail(cudaErrorInvalidValue);
  return submit(stream, [=] {
    function(data);
    return cudaSuccess;
  });
}

// ---- events ----
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const cudaError_t error = sticky_error()) return error;
  if (event == nullptr || flags > 7) return fail(cudaErrorInvalidValue);
  *event = new CUevent_st{flags, false, {}, {}};
  add(*event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!exists(event) || !valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (is_capturing(stream)) {
    event->capture = stream->capture;
    return cudaSuccess;
  }
  event->capture.reset();
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  return sticky_error();
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!exists(event)) return fail(cudaErrorInvalidResourceHandle);
  if (!event->capture.expired()) return fail(cudaErrorCapturedEvent);
  return sticky_error();
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (milliseconds == nullptr) return fail(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {start, stop})
    if (!exists(event) || !event->recorded || (event->flags & cudaEventDisableTiming) != 0)
      return fail(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = sticky_error()) return error;
  *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}

// ---- graphs ----
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (is_default(stream)) return fail(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return fail(cudaErrorIllegalState);
  stream->capture = std::make_shared<Capture>();
  stream->capture->origin = stream;
  ++captures;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  *graph = nullptr;
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (is_default(stream) || stream->capture == nullptr) return fail(cudaErrorIllegalState);
  if (stream->capture->origin != stream) return fail(cudaErrorStreamCaptureUnmatched);
  const std::shared_ptr<Capture> capture = stream->capture;
  --captures;
  {
    const std::lock_guard lock(mutex);
    for (const cudaStream_t other : living<cudaStream_t>())
      if (other->capture == capture) other->capture = nullptr;
  }
  if (capture->invalidated) return fail(cudaErrorStreamCaptureInvalidated);
  *graph = new CUgraph_st{std::move(capture->work)};
  add(*graph);
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  *status = !is_capturing(stream)          ? cudaStreamCaptureStatusNone
            : stream->capture->invalidated ? cudaStreamCaptureStatusInvalidated
                                           : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  *graph = new CUgraph_st;
  add(*graph);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy(graph); }

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (!exists(graph) || count == nullptr) return fail(cudaErrorInvalidValue);
  if (nodes != nullptr) return fail(cudaErrorNotSupported);  // only their number is known here
  *count = graph->work.size();
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  if (executable == nullptr || !exists(graph)) return fail(cudaErrorInvalidValue);
  *executable = new CUgraphExec_st{graph->work};
  add(*executable);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                 std::size_t) {
  return cudaGraphInstantiate(executable, graph, 0);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (!exists(executable)) return fail(cudaErrorInvalidValue);
  if (is_capturing(stream))  // a graph within a graph: its work becomes part of the outer one
    return submit(stream, [work = executable->work] { return run_all(work); });
  return submit(stream, [executable] { return run_all(executable->work); });
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return exists(executable) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) { return destroy(executable); }
