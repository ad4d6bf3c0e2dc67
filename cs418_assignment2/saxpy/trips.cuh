#pragma once
// The ladder of trips: how the arrays get to the device and back. One line per rung, from plain to fast.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "arrays.cuh"
#include "trip_1_pageable.cuh"
#include "trip_2_pinned.cuh"
#include "trip_3_overlapped.cuh"

/// A trip that is ready: the host's arrays, to be filled and read, and the way there and back, which returns
/// when z is there.
struct Trip {
  HostArrays host;
  std::function<void(const std::function<Saxpy>& saxpy, float a, const DeviceArrays& device)> run;
};

struct TripKind {
  std::string name;                         ///< as --trip takes it
  std::function<Trip(std::size_t n)> make;  ///< allocates the host's arrays of n elements
};

template <class Rung>
TripKind trip_kind(std::string name) {
  return {std::move(name), [](std::size_t n) {
            auto rung = std::make_shared<Rung>(n);
            return Trip{rung->host(), [rung](const std::function<Saxpy>& saxpy, float a,
                                             const DeviceArrays& device) { rung->run(saxpy, a, device); }};
          }};
}

inline const std::vector<TripKind>& trip_kinds() {
  static const std::vector<TripKind> table{trip_kind<PageableTrip>("pageable"),
                                           trip_kind<PinnedTrip>("pinned"),
                                           trip_kind<OverlappedTrip>("overlapped")};
  return table;
}
