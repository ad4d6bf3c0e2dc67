#pragma once
// Trip 1, `pageable`: copy x and y to the device, compute, copy z back, one after the other.
//
//   ./run saxpy -n 20000000 --trip pageable
//
// The host's arrays are ordinary memory, which the operating system may move or swap out. So the driver
// copies everything through a page-locked buffer of its own. 100 million elements take 99 ms there and back
// on an H200, whose kernel needs 0.28 (README.md, "Measured").

#include <cuda_runtime.h>

#include <functional>
#include <vector>

#include "../../common/book.h"
#include "arrays.cuh"

inline void trip_in_order(const std::function<Saxpy>& saxpy, float a, const HostArrays& host,
                          const DeviceArrays& device) {
  const std::size_t n = host.z.size(), bytes = host.z.size_bytes();
  if (n == 0) return;
  HANDLE_ERROR(cudaMemcpy(device.x(), host.x.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(device.y(), host.y.data(), bytes, cudaMemcpyHostToDevice));
  saxpy(n, a, device.x(), device.y(), device.z(), nullptr);
  HANDLE_ERROR(cudaMemcpy(host.z.data(), device.z(), bytes, cudaMemcpyDeviceToHost));
}

class PageableTrip {
 public:
  explicit PageableTrip(std::size_t n) : memory_(3 * n), arrays_(memory_.data(), n) {}

  const HostArrays& host() const { return arrays_; }
  void run(const std::function<Saxpy>& saxpy, float a, const DeviceArrays& device) {
    trip_in_order(saxpy, a, arrays_, device);
  }

 private:
  std::vector<float> memory_;
  HostArrays arrays_;
};
