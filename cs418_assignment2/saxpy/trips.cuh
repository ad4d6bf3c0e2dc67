#pragma once
// The whole trip: copy x and y to the device, compute, copy z back.
//
//   ./run saxpy -n 20000000 --trip pageable
//
// The operating system may move ordinary, pageable memory or swap it out, so the driver copies
// everything through its own page-locked buffer. From pinned (page-locked) memory the device reads
// without the CPU, at the full rate of the bus. Overlapped, both directions of the bus are busy at
// the same time, which takes hardly longer than the copy of x and y alone.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <functional>

#include "../../common/book.h"

namespace saxpy {

/// Starts z[i] = a x[i] + y[i] for i < n in the stream. On the device, aligned to 16 bytes.
using Saxpy = void(size_t n, float a, const float* x, const float* y, float* z,
                   cudaStream_t stream);

/// On the host, or on the device.
struct Arrays {
  float* x;
  float* y;
  float* z;
};
using Trip = void(const std::function<Saxpy>& saxpy, size_t n, float a, Arrays host, Arrays device);

inline void upload(size_t n, Arrays host, Arrays device) {
  HANDLE_ERROR(cudaMemcpy(device.x, host.x, n * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(device.y, host.y, n * sizeof(float), cudaMemcpyHostToDevice));
}

/// One after another: the bus works in one direction at a time, and the kernel waits for all of x
/// and y.
inline void trip_in_order(const std::function<Saxpy>& saxpy, size_t n, float a, Arrays host,
                          Arrays device) {
  if (n == 0) return;
  upload(n, host, device);
  saxpy(n, a, device.x, device.y, device.z, nullptr);
  HANDLE_ERROR(cudaMemcpy(host.z, device.z, n * sizeof(float), cudaMemcpyDeviceToHost));
}

/// In chunks on three streams: one uploads, one computes, one downloads; events hand a chunk from
/// one to the next. Both copy engines work at the same time, so what is left is the time of the
/// larger direction. Needs page-locked memory. Streams and events are created once: that takes as
/// long as a trip of few elements.
class OverlappedTrip {
 public:
  OverlappedTrip() {
    for (cudaStream_t* stream : {&up_, &compute_, &down_}) HANDLE_ERROR(cudaStreamCreate(stream));
    for (cudaEvent_t* event : {&uploaded_, &computed_})
      HANDLE_ERROR(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~OverlappedTrip() {
    for (cudaStream_t stream : {up_, compute_, down_}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {uploaded_, computed_}) cudaEventDestroy(event);
  }
  OverlappedTrip(const OverlappedTrip&) = delete;

  void run(const std::function<Saxpy>& saxpy, size_t n, float a, Arrays host, Arrays device) {
    constexpr size_t chunk = 2 << 20;  // elements: 8 MB per array
    for (size_t i = 0; i < n; i += chunk) {
      const size_t count = std::min(chunk, n - i);
      const size_t bytes = count * sizeof(float);
      HANDLE_ERROR(cudaMemcpyAsync(device.x + i, host.x + i, bytes, cudaMemcpyHostToDevice, up_));
      HANDLE_ERROR(cudaMemcpyAsync(device.y + i, host.y + i, bytes, cudaMemcpyHostToDevice, up_));
      HANDLE_ERROR(cudaEventRecord(uploaded_, up_));
      HANDLE_ERROR(cudaStreamWaitEvent(compute_, uploaded_, 0));
      saxpy(count, a, device.x + i, device.y + i, device.z + i, compute_);
      HANDLE_ERROR(cudaEventRecord(computed_, compute_));
      HANDLE_ERROR(cudaStreamWaitEvent(down_, computed_, 0));
      HANDLE_ERROR(cudaMemcpyAsync(host.z + i, device.z + i, bytes, cudaMemcpyDeviceToHost, down_));
    }
    HANDLE_ERROR(cudaStreamSynchronize(down_));
  }

 private:
  cudaStream_t up_;
  cudaStream_t compute_;
  cudaStream_t down_;
  cudaEvent_t uploaded_;
  cudaEvent_t computed_;
};

}  // namespace saxpy
