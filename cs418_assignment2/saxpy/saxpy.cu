// saxpy - z = a x + y: the bandwidth of a kernel, and what the trip over the bus costs.
//
// The first program of the assignment (Stanford CS149 assignment 3, part 1). The kernel does almost nothing
// but move memory; the trip (copy x and y to the device, compute, copy z back) takes fifty times as long,
// because the bus is that much slower than the device's memory. So there are two ladders: --method for the
// kernel, --trip for the way there and back. README.md says what each rung gains and why.
// Terms (docs/glossary.md): thread, warp, coalescing, bandwidth, page-locked memory, stream.
//
//   ./run saxpy                      n = 100,000,000, three runs; some ten seconds without a GPU
//   ./run saxpy -n 20000000 --method simple --trip pageable
//   ./run saxpy --benchmark          every method and every trip; half a minute without a GPU
//
// You see times and bandwidths, and PASS when z is that of the CPU.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "methods.h"
#include "trips.cuh"

constexpr float a = 2.0f;

// ---- kernels and their launches: 1_simple.cuh, 2_vector.cuh, listed in methods.cu; trips: trips.cuh

// ---- CPU reference

void saxpy_cpu(float factor, std::span<const float> x, std::span<const float> y, std::span<float> z) {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = factor * x[i] + y[i];
}

// ---- input and check

Trip make_trip(const TripKind& kind, std::size_t n) {
  Trip trip = kind.make(n);
  for (std::size_t i = 0; i < n; ++i) trip.host.x[i] = trip.host.y[i] = static_cast<float>(i % 10);
  return trip;
}

// Small whole numbers: the result must be exact. Forgets z, so that the next check sees what the next trip
// wrote.
bool check_trip(const std::string& what, const HostArrays& host) {
  std::vector<float> expected(host.z.size());
  saxpy_cpu(a, host.x, host.y, expected);
  const bool right = check_equal(what, std::span<const float>(host.z), std::span<const float>(expected));
  std::fill(host.z.begin(), host.z.end(), -1.0f);
  return right;
}

double gigabytes_per_second(std::size_t n, double ms) {
  return ms > 0 ? 12e-6 * static_cast<double>(n) / ms : 0;
}

// One trip, for --check.
bool check_once(const SaxpyMethod& method, const TripKind& kind, std::size_t n) {
  const auto saxpy = method.make(n);
  const DeviceArrays device(n, method.in_place);
  const Trip trip = make_trip(kind, n);
  trip.run(saxpy, a, device);
  return check_trip(method.name + ", " + kind.name, trip.host);
}

// ---- the course's output

bool run_three_times(const SaxpyMethod& method, const TripKind& kind, std::size_t n) {
  const auto saxpy = method.make(n);
  const DeviceArrays device(n, method.in_place);
  const Trip trip = make_trip(kind, n);
  bool passed = true;
  for (int run = 0; run < 3; ++run) {
    const double trip_ms = measure_host([&] { trip.run(saxpy, a, device); }, 1, 0).best_ms;
    // x and y still lie on the device.
    const double kernel_ms =
        measure([&] { saxpy(n, a, device.x(), device.y(), device.z(), nullptr); }, 1, 0).best_ms;
    std::printf("Kernel: %.3f ms [%.3f GB/s]   Overall: %.3f ms [%.3f GB/s]\n", kernel_ms,
                gigabytes_per_second(n, kernel_ms), trip_ms, gigabytes_per_second(n, trip_ms));
    if (!check_trip(method.name + ", " + kind.name, trip.host)) passed = false;
  }
  return passed;
}

// ---- --benchmark

// The limit of every trip: x and y from page-locked memory to the device.
Timing time_of_upload(const HostArrays& pinned, const DeviceArrays& device) {
  return measure_host(
      [&] {
        HANDLE_ERROR(
            cudaMemcpyAsync(device.x(), pinned.x.data(), pinned.x.size_bytes(), cudaMemcpyHostToDevice));
        HANDLE_ERROR(
            cudaMemcpyAsync(device.y(), pinned.y.data(), pinned.y.size_bytes(), cudaMemcpyHostToDevice));
      },
      7, 1);
}

// Every method with every trip is checked; each method's kernel is timed once, and each trip with `vector`.
bool benchmark(std::size_t n) {
  const SaxpyMethod& for_trips = saxpy_methods()["vector"];
  bool passed = true;
  BenchmarkTable kernels("kernel alone"), trips("whole trip (rate: bytes over the bus)");
  for (const TripKind& kind : trip_kinds()) {
    const Trip trip = make_trip(kind, n);
    const bool last = &kind == &trip_kinds().back();
    for (const SaxpyMethod& method : saxpy_methods()) {
      if (!method.built()) continue;
      const auto saxpy = method.make(n);
      const DeviceArrays device(n, method.in_place);
      trip.run(saxpy, a, device);
      if (!check_trip(method.name + ", " + kind.name, trip.host)) {
        passed = false;
        continue;
      }
      const double bytes = 12.0 * static_cast<double>(n);
      if (last)
        kernels.add(method.name, measure([&] { saxpy(n, a, device.x(), device.y(), device.z(), nullptr); }),
                    bytes);
      if (&method == &for_trips) {
        trips.add(kind.name, measure_host([&] { trip.run(saxpy, a, device); }, 7, 1), bytes);
        if (last && n > 0)
          trips.add("copy of x and y alone", time_of_upload(trip.host, device), 8.0 * static_cast<double>(n));
      }
    }
  }
  kernels.print();
  trips.print();
  return passed;
}

int main(int argc, char** argv) {
  Options options("saxpy", "z = a x + y: the bandwidth of the kernel and of the whole trip.",
                  Common::always_checked | Common::benchmark | Common::device);
  std::size_t n = 100'000'000;
  std::string trip = "overlapped";
  std::vector<std::string> trips;
  for (const TripKind& kind : trip_kinds()) trips.push_back(kind.name);
  options.add("-n,--arraysize", n, "elements", 0, std::size_t{1} << 33);
  options.add_choice("--trip", trip,
                     "how the arrays travel: pageable memory, page-locked memory, chunks on streams", trips);
  options.add_methods(saxpy_methods().for_options(), "vector");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (options.benchmark) return verdict("saxpy", benchmark(n));
  const TripKind& kind = trip_kinds()[std::find(trips.begin(), trips.end(), trip) - trips.begin()];
  const SaxpyMethod& method = saxpy_methods()[options.method];
  return verdict("saxpy", options.check ? check_once(method, kind, n) : run_three_times(method, kind, n));
}
