// Every rung of hist_fast at awkward sizes and addresses, and the kernel
// of the last rung with any grid.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../../chapter09_atomics/hist_fast/4_replicated.cuh"
#include "../../chapter09_atomics/hist_fast/methods.h"
#include "../../common/device_memory.h"
#include "../../common/random.h"

using namespace hist_fast;

// Not in an unnamed namespace: there nvcc calls the members that GoogleTest adds unused.

std::vector<unsigned char> random_bytes(std::size_t size) {
  std::vector<unsigned char> bytes(size);
  fill_random_bytes(bytes, size + 1);
  return bytes;
}

struct DeviceInput {
  explicit DeviceInput(const std::vector<unsigned char>& host)
      : bytes(host.size()), histogram(bin_count) {
    HANDLE_ERROR(cudaMemcpy(bytes.get(), host.data(), host.size(), cudaMemcpyHostToDevice));
    forget();
  }
  void forget() { HANDLE_ERROR(cudaMemset(histogram.get(), 0xab, histogram.bytes())); }
  Histogram result() {
    Histogram host;
    HANDLE_ERROR(
        cudaMemcpy(host.data(), histogram.get(), histogram.bytes(), cudaMemcpyDeviceToHost));
    forget();
    return host;
  }
  DeviceMemory<unsigned char> bytes;
  DeviceMemory<unsigned> histogram;
};

TEST(HistFast, EveryRungAtAwkwardSizesAndAddresses) {
  const std::vector<unsigned char> host = random_bytes(300'000);
  const std::span<const unsigned char> all(host);
  DeviceInput device(host);
  for (const HistogramMethod& method : methods()) {
    if (!method.built()) continue;
    const auto count = method.make();
    const auto right = [&](std::size_t offset, std::size_t size) {
      count(device.bytes.get() + offset, size, device.histogram.get());
      EXPECT_EQ(device.result(), reference_histogram(all.subspan(offset, size)))
          << method.name << ", " << size << " bytes from " << offset;
    };
    for (const std::size_t size : {1, 2, 255, 300'000}) right(0, size);
    right(7, 100'001);
    right(299'999, 1);
    // The first two rungs read bytes, which lie right anywhere; their many
    // blocks take long when emulated.
    if (method.name == "shared" || method.name == "occupancy") continue;
    for (std::size_t offset = 0; offset <= 16; ++offset)
      for (const std::size_t size : {1, 14, 15, 16, 17, 31, 33, 1000}) right(offset, size);
    for (const std::size_t size : {8191, 8192, 8193, 32767, 32768, 32769, 65535, 131'073})
      right(3, size);
  }
}

TEST(HistFast, SkewedInput) {
  std::vector<unsigned char> host(100'003, 0);
  for (const bool two : {false, true}) {
    for (std::size_t i = 0; two && i < host.size(); ++i) host[i] = i % 3 == 0 ? 7 : 39;
    DeviceInput device(host);
    for (const HistogramMethod& method : methods()) {
      if (!method.built()) continue;
      method.make()(device.bytes.get(), host.size(), device.histogram.get());
      EXPECT_EQ(device.result(), reference_histogram(host)) << method.name;
    }
  }
}

TEST(HistFast, ReplicatedWithAnyGrid) {
  const std::vector<unsigned char> host = random_bytes(300'000);
  DeviceInput device(host);
  const DeviceMemory<BlockSums> sums(1);
  HANDLE_ERROR(cudaMemset(sums.get(), 0, sums.bytes()));
  constexpr std::size_t round = replicated_threads * loads * sizeof(uint4);
  for (const unsigned blocks : {1u, 2u, 3u, 7u}) {
    for (const std::size_t size :
         {std::size_t{1}, round - 1, 3 * round, 4 * round + 1, 7 * round - 16}) {
      ASSERT_LE(size + 5, host.size());
      count_replicated<<<blocks, replicated_threads>>>(device.bytes.get() + 5, size, sums.get(),
                                                       device.histogram.get());
      HANDLE_ERROR(cudaGetLastError());
      EXPECT_EQ(device.result(), reference_histogram(std::span(host).subspan(5, size)))
          << blocks << " blocks, " << size << " bytes";
      std::array<unsigned, sizeof(BlockSums) / sizeof(unsigned)> left;
      HANDLE_ERROR(cudaMemcpy(left.data(), sums.get(), sums.bytes(), cudaMemcpyDeviceToHost));
      for (const unsigned word : left)
        ASSERT_EQ(word, 0u) << "the sums are clear for the next launch";
    }
  }
}
