// cudaSaxpy - the course's program for saxpy, with its command line and output.
//
// Stanford CS149 assignment 3, part 1. The work is done by the fastest rung and trip of ../saxpy.
//
//   ./run cudaSaxpy -n 1000000
//
// What to see: three runs, each with the bandwidth of the kernel and of the whole trip over the
// bus.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "../saxpy/2_vector.cuh"
#include "../saxpy/trips.cuh"

int main(int argc, char** argv) {
  Options options("cudaSaxpy", Common::nothing);
  size_t n = 100'000'000;
  options.add("-n,--arraysize", n, "elements", 0, size_t{1} << 33);
  options.parse(argc, argv);

  const float a = 2;
  const PinnedMemory<float> x(n);
  const PinnedMemory<float> y(n);
  const PinnedMemory<float> z(n);
  std::vector<float> expected(n);
  for (size_t i = 0; i < n; ++i) {
    x.get()[i] = static_cast<float>(i % 10);
    y.get()[i] = static_cast<float>(i % 10);
    expected[i] = a * x.get()[i] + y.get()[i];
  }
  const DeviceMemory<float> device_x(n);
  const DeviceMemory<float> device_y(n);
  const DeviceMemory<float> device_z(n);
  const saxpy::Arrays host{x.get(), y.get(), z.get()};
  const saxpy::Arrays device{device_x.get(), device_y.get(), device_z.get()};

  const double bytes = 12.0 * static_cast<double>(n);
  bool passed = true;
  saxpy::OverlappedTrip trip;
  for (int run = 0; run < 3; ++run) {
    std::fill_n(host.z, n, -1.0f);  // so that the check sees this run's results
    const HostTimer overall;
    trip.run(saxpy::run_vector, n, a, host, device);
    const double overall_ms = overall.ms();
    passed = check_equal<float>("saxpy", {host.z, n}, expected) && passed;

    EventTimer kernel;
    kernel.start();
    saxpy::run_vector(n, a, device.x, device.y, device.z, nullptr);
    const double kernel_ms = kernel.stop();
    std::printf("Kernel: %s   Overall: %s\n", time_text(kernel_ms, bytes).c_str(),
                time_text(overall_ms, bytes).c_str());
  }
  return verdict("saxpy", passed);
}
