// copy_timed - how fast copies to the device and back are, from pageable and from pinned memory.
//
// CUDA by Example, chapter 10 (streams), section 10.2, "Page-Locked Host Memory". A copy from
// pageable memory goes through a small page-locked buffer of the driver's, which the CPU fills;
// from page-locked memory the device fetches it.
// Terms (docs/glossary.md): page-locked memory, bandwidth and latency, event.
//
//   ./run copy_timed
//   ./run copy_timed --bytes 1000003
//   ./run copy_timed --check
//
// No window. What to see: on a GPU, which of the two memories is faster and by how much;
// and that small copies are slow, because each has to be started. On the emulated device
// a copy is one within the host.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"

// What a copy takes, by events around as many as a millisecond holds.
std::string copy_time(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const Timing timing =
      measure_back_to_back([&] { HANDLE_ERROR(cudaMemcpy(to, from, bytes, kind)); });
  return time_text(timing.median_ms, static_cast<double>(bytes));
}

// The bytes must come back as they went: up from `host`, down to it again after it was overwritten.
bool comes_back(unsigned char* host, unsigned char* device,
                const std::vector<unsigned char>& pattern) {
  std::copy(pattern.begin(), pattern.end(), host);
  HANDLE_ERROR(cudaMemcpy(device, host, pattern.size(), cudaMemcpyHostToDevice));
  std::fill_n(host, pattern.size(), static_cast<unsigned char>(0));
  HANDLE_ERROR(cudaMemcpy(host, device, pattern.size(), cudaMemcpyDeviceToHost));
  return check_equal("byte", std::span<const unsigned char>(host, pattern.size()),
                     std::span<const unsigned char>(pattern));
}

int main(int argc, char** argv) {
  Options options("copy_timed", Common::seed | Common::always_checked | Common::device);
#ifdef EMULATED_DEVICE
  size_t bytes = 16 << 20;
#else
  size_t bytes = 256 << 20;  // the book's
#endif
  options.add("--bytes", bytes, "the largest copy", 1, size_t{1} << 36);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  // Page-locked memory stays where it is: the operating system neither
  // moves it nor writes it to disk.
  auto* const pageable = static_cast<unsigned char*>(std::malloc(bytes));
  HANDLE_NULL(pageable);
  unsigned char* pinned;
  unsigned char* device;
  HANDLE_ERROR(cudaHostAlloc(&pinned, bytes, cudaHostAllocDefault));
  HANDLE_ERROR(cudaMalloc(&device, bytes));

  // This also touches every page. An untouched one does not exist yet, and
  // copies from it would be too fast.
  std::vector<unsigned char> pattern(bytes);
  fill_random_bytes(pattern, options.seed);
  const bool passed = comes_back(pageable, device, pattern) && comes_back(pinned, device, pattern);

  if (!options.check && passed) {
    say_whose_times();
    std::printf("%12s  %-30s%-30s%-30s%s\n", "bytes", "pageable, up", "pageable, down",
                "page-locked, up", "page-locked, down");
    std::vector<size_t> sizes{bytes};
    for (size_t size = 1024; size < bytes; size *= 8) sizes.insert(sizes.end() - 1, size);
    for (const size_t size : sizes)
      std::printf("%12zu  %-30s%-30s%-30s%s\n", size,
                  copy_time(device, pageable, size, cudaMemcpyHostToDevice).c_str(),
                  copy_time(pageable, device, size, cudaMemcpyDeviceToHost).c_str(),
                  copy_time(device, pinned, size, cudaMemcpyHostToDevice).c_str(),
                  copy_time(pinned, device, size, cudaMemcpyDeviceToHost).c_str());
  }

  HANDLE_ERROR(cudaFree(device));
  HANDLE_ERROR(cudaFreeHost(pinned));
  std::free(pageable);
  return verdict(options.name(), passed);
}
