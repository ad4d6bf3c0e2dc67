// choose_device - which of several devices has what the program needs.
//
// CUDA by Example, chapter 3 (introduction to CUDA C), section 3.4, "Using Device Properties".
// cudaChooseDevice() reads a structure in which only the needed properties are not zero. It returns
// the closest device, even if no device has them all. So the program has to check the result.
// Terms (docs/glossary.md): compute capability, host and device.
//
//   ./run choose_device                        compute capability 1.3, as in the book: doubles
//   ./run choose_device --major 8 --minor 0 --memory 1
//   EMULATED_DEVICES=2 ./run choose_device     two emulated devices
//
// No window. What to see: each device with its capability and memory, and the chosen device.
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/fail.h"
#include "../common/options.h"

// Returns whether the device has at least the needed properties.
bool is_suitable(const cudaDeviceProp& device, const cudaDeviceProp& needed) {
  const bool newer = device.major > needed.major;
  const bool as_new = device.major == needed.major && device.minor >= needed.minor;
  return (newer || as_new) && device.totalGlobalMem >= needed.totalGlobalMem;
}

int main(int argc, char** argv) {
  Options options("choose_device", Common::always_checked);
  int major = 1;
  int minor = 3;
  int gigabytes = 0;
  options.add("--major", major, "compute capability needed, before the point", 0, 99);
  options.add("--minor", minor, "compute capability needed, after the point", 0, 9);
  options.add("--memory", gigabytes, "GiB of device memory needed", 0, 100000);
  options.parse(argc, argv);

  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  std::vector<cudaDeviceProp> devices(count);
  for (int i = 0; i < count; ++i) HANDLE_ERROR(cudaGetDeviceProperties(&devices[i], i));

  cudaDeviceProp needed = {};  // 0: any value will do
  needed.major = major;
  needed.minor = minor;
  needed.totalGlobalMem = static_cast<size_t>(gigabytes) << 30;

  int before;
  int chosen;
  int current;
  HANDLE_ERROR(cudaGetDevice(&before));
  HANDLE_ERROR(cudaChooseDevice(&chosen, &needed));
  HANDLE_ERROR(cudaSetDevice(chosen));  // choosing does not make it current
  HANDLE_ERROR(cudaGetDevice(&current));

  bool any_is_suitable = false;
  for (int i = 0; i < count; ++i) {
    const cudaDeviceProp& device = devices[i];
    const bool suitable = is_suitable(device, needed);
    any_is_suitable = any_is_suitable || suitable;
    if (!options.check)
      std::printf("device %d: %s, compute capability %d.%d, %.1f GiB: %s\n", i, device.name,
                  device.major, device.minor,
                  static_cast<double>(device.totalGlobalMem) / (1 << 30),
                  suitable ? "suitable" : "not suitable");
  }
  if (!options.check) {
    std::printf("current device before: %d\n", before);
    std::printf("chosen device:         %d\n", chosen);
  }
  if (!any_is_suitable) {
    const std::string capability = std::to_string(major) + "." + std::to_string(minor);
    fail(exit_code::cannot_here, "no device here has compute capability " + capability + " and " +
                                     std::to_string(gigabytes) +
                                     " GiB of memory; cudaChooseDevice returns one anyway");
  }
  const bool is_current = check_equal("current device", std::array{current}, std::array{chosen});
  const int chosen_is_suitable = is_suitable(devices[chosen], needed);
  const bool passed = check_equal("suitable", std::array{chosen_is_suitable}, std::array{1});
  return verdict(options.name(), is_current && passed);
}
