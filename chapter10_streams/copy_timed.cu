// copy_timed - how fast copies to the device and back are, from four kinds of host memory.
//
// CUDA by Example, chapter 10 (streams), section 10.2, "Page-Locked Host Memory". A copy from
// pageable memory goes through a small page-locked buffer of the driver, which the CPU fills. The
// device itself reads page-locked memory.
// Terms (docs/glossary.md): page-locked memory, bandwidth and latency, event.
//
//   ./run copy_timed
//   ./run copy_timed --bytes 1000003
//   ./run copy_timed --check
//
// No window. What to see on a GPU: which memory is faster and by how much, and the time to allocate
// it. Small copies are slow, because each has to be started. On the emulated device a copy stays
// within the host.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"

struct HostMemory {
  const char* name;
  unsigned char* bytes;
  double ms;  // to allocate it
};

// Pages of malloc's memory may be moved by the operating system, or written to disk.
HostMemory pageable_memory(size_t bytes) {
  const HostTimer timer;
  auto* const memory = static_cast<unsigned char*>(std::malloc(bytes));
  HANDLE_NULL(memory);
  return {"pageable (malloc)", memory, timer.ms()};
}

// Page-locked memory stays where it is.
HostMemory page_locked_memory(size_t bytes) {
  const HostTimer timer;
  unsigned char* memory;
  HANDLE_ERROR(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault));
  return {"page-locked (cudaHostAlloc)", memory, timer.ms()};
}

// Page-locked afterwards: for memory that another library allocated.
HostMemory registered_memory(size_t bytes) {
  HostMemory memory = pageable_memory(bytes);
  const HostTimer timer;
  HANDLE_ERROR(cudaHostRegister(memory.bytes, bytes, cudaHostRegisterDefault));
  return {"page-locked afterwards (cudaHostRegister)", memory.bytes, timer.ms()};
}

// Not in the CPU's caches, so a copy need not ask the caches. The CPU writes it in whole lines and
// should not read it.
HostMemory write_combined_memory(size_t bytes) {
  const HostTimer timer;
  unsigned char* memory;
  HANDLE_ERROR(cudaHostAlloc(&memory, bytes, cudaHostAllocWriteCombined));
  return {"write-combined (cudaHostAllocWriteCombined)", memory, timer.ms()};
}

// The time of one copy, by events around as many copies as fit in a millisecond.
std::string copy_time(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const Timing timing =
      measure_back_to_back([&] { HANDLE_ERROR(cudaMemcpy(to, from, bytes, kind)); });
  return time_text(timing.median_ms, static_cast<double>(bytes));
}

// The time when the host itself copies the memory elsewhere.
std::string read_time(const unsigned char* host, std::vector<unsigned char>& to, size_t bytes) {
  const Timing timing = measure_host([&] { std::copy_n(host, bytes, to.begin()); }, 3, 1);
  return time_text(timing.median_ms, static_cast<double>(bytes));
}

// One half goes up while the other half comes down, in two streams.
std::string both_ways_time(unsigned char* device, unsigned char* page_locked, size_t half) {
  cudaStream_t up;
  cudaStream_t down;
  HANDLE_ERROR(cudaStreamCreate(&up));
  HANDLE_ERROR(cudaStreamCreate(&down));
  const Timing timing = measure([&] {
    HANDLE_ERROR(cudaMemcpyAsync(device, page_locked, half, cudaMemcpyHostToDevice, up));
    HANDLE_ERROR(
        cudaMemcpyAsync(page_locked + half, device + half, half, cudaMemcpyDeviceToHost, down));
  });
  HANDLE_ERROR(cudaStreamDestroy(up));
  HANDLE_ERROR(cudaStreamDestroy(down));
  return time_text(timing.median_ms, 2 * static_cast<double>(half));
}

// The bytes go up from `host`, `host` is overwritten, and the same bytes must come back down.
bool comes_back(const HostMemory& host, unsigned char* device,
                const std::vector<unsigned char>& pattern) {
  std::copy(pattern.begin(), pattern.end(), host.bytes);
  HANDLE_ERROR(cudaMemcpy(device, host.bytes, pattern.size(), cudaMemcpyHostToDevice));
  std::fill_n(host.bytes, pattern.size(), static_cast<unsigned char>(0));
  HANDLE_ERROR(cudaMemcpy(host.bytes, device, pattern.size(), cudaMemcpyDeviceToHost));
  // Write-combined memory byte by byte would take minutes.
  const std::vector<unsigned char> got(host.bytes, host.bytes + pattern.size());
  return check_equal(host.name, got, pattern);
}

int main(int argc, char** argv) {
  Options options("copy_timed", Common::seed | Common::always_checked | Common::device);
  size_t bytes = is_emulated ? 16 << 20 : 256 << 20;  // on a GPU the book's
  options.add("--bytes", bytes, "the largest copy", 1, size_t{1} << 36);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  unsigned char* device;
  HANDLE_ERROR(cudaMalloc(&device, bytes));
  const HostMemory pageable = pageable_memory(bytes);
  const HostMemory page_locked = page_locked_memory(bytes);
  const HostMemory registered = registered_memory(bytes);
  const HostMemory write_combined = write_combined_memory(bytes);
  const std::array memories{pageable, page_locked, registered, write_combined};

  // This also touches every page. An untouched page does not exist yet, and copies from it would be
  // too fast.
  std::vector<unsigned char> pattern(bytes);
  fill_random_bytes(pattern, options.seed);
  bool passed = true;
  for (const HostMemory& memory : memories) passed = passed && comes_back(memory, device, pattern);

  if (!options.check && passed) {
    say_whose_times();
    std::vector<size_t> sizes;
    for (size_t size = 1024; size < bytes; size *= 8) sizes.push_back(size);
    sizes.push_back(bytes);
    for (const HostMemory& memory : memories) {
      std::printf("\n%s: %zu bytes, ready after %s\n", memory.name, bytes,
                  time_text(memory.ms).c_str());
      std::printf("%12s  %-30s%s\n", "bytes", "up, to the device", "down, to the host");
      for (const size_t size : sizes)
        std::printf("%12zu  %-30s%s\n", size,
                    copy_time(device, memory.bytes, size, cudaMemcpyHostToDevice).c_str(),
                    copy_time(memory.bytes, device, size, cudaMemcpyDeviceToHost).c_str());
      const size_t read_bytes = std::min(bytes, size_t{16} << 20);  // write-combined: slow to read
      std::printf("%12zu  %s, read by the host\n", read_bytes,
                  read_time(memory.bytes, pattern, read_bytes).c_str());
    }
    const size_t half = bytes / 2;
    if (half > 0)
      std::printf("\nup and down at the same time, %zu page-locked bytes each: %s\n", half,
                  both_ways_time(device, page_locked.bytes, half).c_str());
  }

  HANDLE_ERROR(cudaFreeHost(write_combined.bytes));
  HANDLE_ERROR(cudaHostUnregister(registered.bytes));
  std::free(registered.bytes);
  HANDLE_ERROR(cudaFreeHost(page_locked.bytes));
  std::free(pageable.bytes);
  HANDLE_ERROR(cudaFree(device));
  return verdict(options.name(), passed);
}
