#pragma once
// Trip 3, `overlapped`: in chunks on three streams: one uploads, one computes, one downloads.
//
//   ./run saxpy --trip overlapped
//
// Events hand a chunk from one stream to the next, and both copy engines work at the same time. Needs
// page-locked memory.
//
// Gain over `pinned`: the way back costs almost nothing: 15.26 instead of 21.9 ms for 100 million elements;
// the copy of x and y alone takes 14.41 (H200, README.md). What binds it: the larger direction of the bus.

#include <cuda_runtime.h>

#include <algorithm>
#include <functional>

#include "../../common/book.h"
#include "arrays.cuh"

class OverlappedTrip {
 public:
  explicit OverlappedTrip(std::size_t n) : memory_(3 * n), arrays_(memory_.get(), n) {
    for (cudaStream_t* stream : {&up_, &compute_, &down_}) HANDLE_ERROR(cudaStreamCreate(stream));
    for (cudaEvent_t* event : {&uploaded_, &computed_})
      HANDLE_ERROR(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~OverlappedTrip() {
    for (cudaStream_t stream : {up_, compute_, down_}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {uploaded_, computed_}) cudaEventDestroy(event);
  }
  OverlappedTrip(const OverlappedTrip&) = delete;
  OverlappedTrip& operator=(const OverlappedTrip&) = delete;

  const HostArrays& host() const { return arrays_; }
  void run(const std::function<Saxpy>& saxpy, float a, const DeviceArrays& device) {
    constexpr std::size_t chunk = 2 << 20;  // elements: 8 MB per array
    const std::size_t n = arrays_.z.size();
    for (std::size_t first = 0; first < n; first += chunk) {
      const std::size_t count = std::min(chunk, n - first), bytes = count * sizeof(float);
      float *x = device.x() + first, *y = device.y() + first, *z = device.z() + first;
      HANDLE_ERROR(cudaMemcpyAsync(x, arrays_.x.data() + first, bytes, cudaMemcpyHostToDevice, up_));
      HANDLE_ERROR(cudaMemcpyAsync(y, arrays_.y.data() + first, bytes, cudaMemcpyHostToDevice, up_));
      HANDLE_ERROR(cudaEventRecord(uploaded_, up_));
      HANDLE_ERROR(cudaStreamWaitEvent(compute_, uploaded_, 0));
      saxpy(count, a, x, y, z, compute_);
      HANDLE_ERROR(cudaEventRecord(computed_, compute_));
      HANDLE_ERROR(cudaStreamWaitEvent(down_, computed_, 0));
      HANDLE_ERROR(cudaMemcpyAsync(arrays_.z.data() + first, z, bytes, cudaMemcpyDeviceToHost, down_));
    }
    HANDLE_ERROR(cudaStreamSynchronize(down_));
  }

 private:
  PinnedMemory<float> memory_;
  HostArrays arrays_;
  cudaStream_t up_, compute_, down_;
  cudaEvent_t uploaded_, computed_;
};
