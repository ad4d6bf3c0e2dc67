// Streams and events. Work given to a stream is done before the call returns, which keeps
// every promise that CUDA makes about order. A stream that is being captured records its
// work instead, as nodes of a graph.
#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime_api.h"
#include "device/device.h"
#include "diagnosis/diagnosis.h"
#include "emulated/explain_hooks.h"
#include "emulated/runtime.h"
#include "handles.h"
#include "platform/platform.h"
#include "stream.h"
#include "waits.h"

namespace emulated {

thread_local constinit bool running_recorded_work = false;

bool is_default(cudaStream_t stream) {
  return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool valid_stream(cudaStream_t stream) { return is_default(stream) || exists(stream); }

cudaError_t refuse_in_capture(cudaStream_t stream) {
  if (!is_capturing(stream)) return cudaSuccess;
  stream->capture->invalidated = true;
  return fail(cudaErrorStreamCaptureUnsupported);
}

bool is_capturing(cudaStream_t stream) {
  return Capture::going_on != 0 && !is_default(stream) && exists(stream) &&
         stream->capture != nullptr;
}

// The captures of other devices do not matter: their threads go on.
cudaError_t check_no_capture() {
  if (Capture::going_on == 0) return cudaSuccess;
  const std::lock_guard lock(handles_mutex);
  bool any = false;
  for (const cudaStream_t stream : living<cudaStream_t>())
    if (stream->capture != nullptr && stream->device == current_device()) {
      stream->capture->invalidated = true;
      any = true;
    }
  return any ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

void destroy_streams(int device) {
  const auto destroy_all = [device](const auto& handles) {
    auto all = [&] {
      const std::lock_guard lock(handles_mutex);
      return handles;
    }();
    for (const auto handle : all)
      if (handle->device == device)
        destroy(handle);  // without the lock: a capture's graph takes it
  };
  destroy_all(living<cudaStream_t>());
  destroy_all(living<cudaEvent_t>());
}

cudaError_t check_stream(cudaStream_t stream) {
  if (running_recorded_work) return cudaSuccess;
  if (!valid_stream(stream)) return cudaErrorInvalidResourceHandle;
  if (Capture::going_on == 0) return cudaSuccess;
  if (is_default(stream)) {
    // The default stream waits for all blocking streams, which it cannot
    // while one of them is recorded.
    const std::lock_guard lock(handles_mutex);
    for (const cudaStream_t other : living<cudaStream_t>())
      if (other->capture != nullptr && (other->flags & cudaStreamNonBlocking) == 0) {
        other->capture->invalidated = true;
        return cudaErrorStreamCaptureImplicit;
      }
  }
  return is_capturing(stream) && stream->capture->invalidated ? cudaErrorStreamCaptureInvalidated
                                                              : cudaSuccess;
}

cudaError_t check_kernel_stream(const Launch& launch) {
  const cudaStream_t stream = launch.stream;
  if (const cudaError_t error = check_stream(stream)) {
    report_error(text(launch.at).c_str(), "kernel %s: its stream: %s", launch.name,
                 cudaGetErrorString(error));
    return error;
  }
  if (running_recorded_work || is_default(stream) || stream->device == current_device())
    return cudaSuccess;
  report_error(text(launch.at).c_str(),
               "kernel %s: the stream belongs to device %d, and this is device %d; call "
               "cudaSetDevice",
               launch.name, stream->device, current_device());
  return cudaErrorInvalidResourceHandle;
}

cudaError_t submit(cudaStream_t stream, Work work, cudaGraphNodeType type) {
  if (const cudaError_t error = sticky_error()) return error;
  if (const cudaError_t error = check_stream(stream)) return fail(error);
  if (running_recorded_work || !is_capturing(stream)) {
    note_work();
    explain::work_begins(stream);
    const cudaError_t error = work();
    explain::work_ended();
    return fail(error);
  }
  stream->last = {stream->capture->add(stream->last, std::move(work), type)};
  return cudaSuccess;
}

}  // namespace emulated

using namespace emulated;

// ---- streams ----
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (const cudaError_t error = sticky_error()) return error;
  if (stream == nullptr || flags > cudaStreamNonBlocking) return fail(cudaErrorInvalidValue);
  *stream = new CUstream_st{flags, priority, nullptr, current_device()};
  add(*stream);
  explain::stream_made();
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
  return waits_for(stream, sticky_error());
}

cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  return answer(priority, is_default(stream) ? 0 : stream->priority);
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  return answer(flags, is_default(stream) ? 0 : stream->flags);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  if (!valid_stream(stream) || !exists(event)) return fail(cudaErrorInvalidResourceHandle);
  // Waiting for an event of a capture makes the stream part of that capture.
  if (const auto capture = event->capture.lock(); capture != nullptr) {
    if (is_default(stream)) return fail(cudaErrorStreamCaptureImplicit);
    if (stream->capture != nullptr && stream->capture != capture)
      return fail(cudaErrorStreamCaptureMerge);
    stream->capture = capture;
    for (const cudaGraphNode_t node : event->last)
      if (std::find(stream->last.begin(), stream->last.end(), node) == stream->last.end())
        stream->last.push_back(node);
    return cudaSuccess;
  }
  if (is_capturing(stream) && event->recorded) return fail(cudaErrorStreamCaptureIsolation);
  explain::stream_waits_for(stream, event);
  return sticky_error();
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
  if (callback == nullptr || flags != 0) return fail(cudaErrorInvalidValue);
  if (!valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = refuse_in_capture(stream)) return error;
  waits_for(stream);  // the callback comes after it
  const cudaError_t error = sticky_error();
  const InHostFunction called("cudaStreamAddCallback", __builtin_return_address(0));
  callback(stream, error, data);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return fail(cudaErrorInvalidValue);
  const void* const caller = __builtin_return_address(0);
  return submit(
      stream,
      [=] {
        waits_for(stream);  // it comes after all work
        const InHostFunction called("cudaLaunchHostFunc", caller);
        function(data);
        return cudaSuccess;
      },
      cudaGraphNodeTypeHost);
}

// ---- events ----
// The time of an event is asked for, and the program has not waited for what precedes it.
static void tell_early_time(const CUevent_st& event, const void* caller) {
  const auto place = [](const void* return_address) {
    char at[1000];
    write_source_line(static_cast<const char*>(return_address) - 1, at, sizeof at);
    return std::string(at);
  };
  const std::string asked = place(caller);
  const std::string recorded = place(event.recorded_by);
  report_mistake(
      asked.empty() ? "" : asked.c_str() + 4,
      "cudaEventElapsedTime asks for the time of an event, recorded%s, that the program has not "
      "waited for: a GPU returns cudaErrorNotReady and no time; call cudaEventSynchronize first",
      recorded.c_str());
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const cudaError_t error = sticky_error()) return error;
  if (event == nullptr || flags > 7) return fail(cudaErrorInvalidValue);
  *event = new CUevent_st{flags, current_device()};
  add(*event);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return destroy(event); }

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (!exists(event) || !valid_stream(stream)) return fail(cudaErrorInvalidResourceHandle);
  if (is_capturing(stream)) {
    event->capture = stream->capture;
    event->last = stream->last;
    return cudaSuccess;
  }
  event->capture.reset();
  event->time = std::chrono::steady_clock::now();
  event->recorded = true;
  event->work = given_work();
  event->recorded_by = __builtin_return_address(0);
  explain::event_recorded(event, stream);
  return sticky_error();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!exists(event)) return fail(cudaErrorInvalidResourceHandle);
  if (!event->capture.expired()) return fail(cudaErrorCapturedEvent);
  return waits_for_event(event, sticky_error());
}

cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (milliseconds == nullptr) return fail(cudaErrorInvalidValue);
  for (const cudaEvent_t event : {start, stop})
    if (!exists(event) || !event->recorded || (event->flags & cudaEventDisableTiming) != 0)
      return fail(cudaErrorInvalidResourceHandle);
  if (const cudaError_t error = sticky_error()) return error;
  for (const cudaEvent_t event : {start, stop})
    if (!waited_for(event->work)) tell_early_time(*event, __builtin_return_address(0));
  explain::time_asked(start, stop);
  *milliseconds = std::chrono::duration<float, std::milli>(stop->time - start->time).count();
  return cudaSuccess;
}
