// saxpy - z = a x + y: the bandwidth of a kernel, and what the trip over the bus costs.
//
// The first program of the assignment (Stanford CS149 assignment 3, part 1). The kernel does almost
// nothing but move memory; the trip (copy x and y to the device, compute, copy z back) takes dozens
// of times as long, because the bus is that much slower than the device's memory. README.md
// explains the gain of each --method and each --trip.
// Terms (docs/glossary.md): thread, warp, coalescing, bandwidth, page-locked memory, stream.
//
//   ./run saxpy                      n = 100,000,000, three runs; a few seconds without a GPU
//   ./run saxpy -n 20000000 --method simple --trip pageable
//   ./run saxpy --benchmark          every method and every trip; some ten seconds without a GPU
// What to see: times and bandwidths, and PASS if z agrees with the CPU's.

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/method_table.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "1_simple.cuh"
#include "2_vector.cuh"
#include "library.cuh"
#include "trips.cuh"

using namespace saxpy;

constexpr float a = 2.0f;

// ---- CPU reference

void saxpy_cpu(float factor, std::span<const float> x, std::span<const float> y,
               std::span<float> z) {
  for (size_t i = 0; i < z.size(); ++i) z[i] = factor * x[i] + y[i];
}

// ---- the methods, from naive to fast: kernels, and trips around one of them

using Kernel = Method<std::function<Saxpy>>;
using TripMethod = Method<std::function<Trip>>;

const MethodTable<Kernel> kernels{
    {"simple", [] { return run_simple; }},
    {"vector", [] { return run_vector; }},
    gpu_method<Kernel, CublasSaxpy>("cublas", "cublasSaxpy, in place")};
const MethodTable<TripMethod> trips{{"pageable", [] { return trip_in_order; }},
                                    {"pinned", [] { return trip_in_order; }},
                                    {"overlapped", TripMethod::function_of<OverlappedTrip>}};

// ---- a kernel and a trip that are measured, with their arrays

struct Measurement {
  Measurement(const Kernel& method, const TripMethod& trip_method, size_t count)
      : name(method.name + ", " + trip_method.name),
        n(count),
        saxpy(method.make()),
        trip(trip_method.make()),
        pageable(trip_method.name == "pageable" ? 3 * n : 0),
        pinned(3 * n - pageable.size()),
        x(n),
        y(n),
        z(n) {
    float* const start = pageable.empty() ? pinned.get() : pageable.data();
    host = {start, start + n, start + 2 * n};
    for (size_t i = 0; i < n; ++i) {
      host.x[i] = static_cast<float>(i % 10);
      host.y[i] = host.x[i];
    }
    // The library works in place, or it would have to copy y first.
    device = {x.get(), method.gpu_only ? z.get() : y.get(), z.get()};
  }

  Timing time_of_trip(int rounds, int warm_up) const {
    std::fill_n(host.z, n, -1.0f);  // so that the check sees this trip's results
    return measure_host([this] { trip(saxpy, n, a, host, device); }, rounds, warm_up);
  }
  // After a trip: x and y still lie on the device.
  void run_kernel() const { saxpy(n, a, device.x, device.y, device.z, nullptr); }
  // Small whole numbers: the result must be exact.
  bool check() const {
    std::vector<float> expected(n);
    saxpy_cpu(a, {host.x, n}, {host.y, n}, expected);
    return check_equal<float>(name, {host.z, n}, expected);
  }

  std::string name;
  size_t n;
  std::function<Saxpy> saxpy;
  std::function<Trip> trip;
  std::vector<float> pageable;
  PinnedMemory<float> pinned;
  DeviceMemory<float> x;
  DeviceMemory<float> y;
  DeviceMemory<float> z;
  Arrays host;
  Arrays device;
};

// The course's output.
bool run_three_times(const Measurement& measurement) {
  const double bytes = 12.0 * static_cast<double>(measurement.n);
  bool passed = true;
  for (int run = 0; run < 3; ++run) {
    const double trip = measurement.time_of_trip(1, 0).best_ms;
    passed &= measurement.check();
    const double kernel = measure([&] { measurement.run_kernel(); }, 1, 0).best_ms;
    std::printf("Kernel: %s   Overall: %s\n", time_text(kernel, bytes).c_str(),
                time_text(trip, bytes).c_str());
  }
  return passed;
}

// Times every kernel, and every trip with `vector`. Kernels are timed next to the trip `pinned`,
// which makes no streams: the default stream, where kernels run, would wait for them.
bool benchmark(size_t n) {
  const double bytes = 12.0 * static_cast<double>(n);
  bool passed = true;
  BenchmarkTable of_kernels("kernel alone");
  BenchmarkTable of_trips("whole trip (rate: bytes over the bus)");
  for (const TripMethod& trip : trips)
    for (const Kernel& kernel : kernels) {
      const bool for_kernels = trip.name == "pinned";
      const bool for_trips = kernel.name == "vector";
      if (!kernel.built() || !(for_kernels || for_trips)) continue;
      const Measurement measurement(kernel, trip, n);
      const Timing of_trip = measurement.time_of_trip(7, 1);
      passed &= measurement.check();
      if (for_trips) of_trips.add(trip.name, of_trip, bytes);
      if (for_kernels)
        of_kernels.add(kernel.name, measure_back_to_back([&] { measurement.run_kernel(); }), bytes);
      if (for_trips && trip.name == "overlapped" && n > 0)
        of_trips.add("copy of x and y alone",
                     measure_host([&] { upload(n, measurement.host, measurement.device); }, 7, 1),
                     bytes * 2 / 3);
    }
  of_kernels.print();
  of_trips.print();
  return passed;
}

int main(int argc, char** argv) {
  Options options("saxpy", Common::always_checked | Common::benchmark | Common::device);
  size_t n = 100'000'000;
  std::string trip = "overlapped";
  options.add("-n,--arraysize", n, "elements", 0, size_t{1} << 33);
  std::vector<std::string> trip_names;
  for (const TripMethod& entry : trips) trip_names.push_back(entry.name);
  options.add_choice("--trip", trip,
                     "memory and copies (overlapped: pinned, in chunks on several streams)",
                     trip_names);
  options.add_methods(kernels.for_options(), "vector");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (options.benchmark) return verdict("saxpy", benchmark(n));
  const Measurement measurement(kernels[options.method], trips[trip], n);
  if (!options.check) return verdict("saxpy", run_three_times(measurement));
  measurement.time_of_trip(1, 0);
  return verdict("saxpy", measurement.check());
}
