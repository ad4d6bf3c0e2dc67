#pragma once
// The arrays of a trip, on the host and on the device.

#include <cstddef>
#include <span>

#include "../../common/device_memory.h"
#include "methods.h"

struct HostArrays {
  std::span<float> x, y, z;

  /// Cuts 3 n numbers that begin at `start` into the three arrays.
  HostArrays(float* start, std::size_t n) : x(start, n), y(start + n, n), z(start + 2 * n, n) {}
};

class DeviceArrays {
 public:
  /// `in_place`: y lies where z comes to lie.
  DeviceArrays(std::size_t n, bool in_place) : x_(n), y_(in_place ? 0 : n), z_(n) {}

  float* x() const { return x_.get(); }
  float* y() const { return y_.get() != nullptr ? y_.get() : z_.get(); }
  float* z() const { return z_.get(); }

 private:
  DeviceMemory<float> x_, y_, z_;
};
