#pragma once
// Trip 2, `pinned`: the same calls, but the host's arrays are page-locked.
//
//   ./run saxpy -n 20000000 --trip pinned
//
// Gain over `pageable`: page-locked memory stays where it is, so the device fetches by itself, at the full
// rate of the bus, and nobody copies twice: 21.9 instead of 99 ms for 100 million elements (H200, README.md).
// What binds it now: the bus works in one direction at a time, and the kernel waits for all of x and y.

#include "trip_1_pageable.cuh"

class PinnedTrip {
 public:
  explicit PinnedTrip(std::size_t n) : memory_(3 * n), arrays_(memory_.get(), n) {}

  const HostArrays& host() const { return arrays_; }
  void run(const std::function<Saxpy>& saxpy, float a, const DeviceArrays& device) {
    trip_in_order(saxpy, a, arrays_, device);
  }

 private:
  PinnedMemory<float> memory_;
  HostArrays arrays_;
};
