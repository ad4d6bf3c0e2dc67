// scan: every method at all sizes from 0 to 5000, and around each tile and power of two as far as memory
// (emulated device: a few seconds) allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../../cs418_assignment2/device/tiles.cuh"
#include "../../cs418_assignment2/scan/methods.h"
#include "arrays.cuh"

// ---- device/tiles.cuh

TEST(Rounds, TheLastCountsAsFull) {
  constexpr RoundCosts none{.ends = 0, .per_round = 0};
  EXPECT_EQ(time_of_rounds(0, 8192, 132, none), 0);
  EXPECT_EQ(time_of_rounds(1, 8192, 132, none), 8192);
  EXPECT_EQ(time_of_rounds(132 * 8192, 8192, 132, none), 8192);
  EXPECT_EQ(time_of_rounds(132 * 8192 + 1, 8192, 132, none), 2 * 8192);
  EXPECT_EQ(time_of_rounds(10'000'000, 8192, 132, none), 10 * 8192);
  EXPECT_EQ(time_of_rounds(10'000'000, 8192, 132, {.ends = 2.5, .per_round = 100}), 12.5 * 8192 + 10 * 100);
}

// Of the shapes that take equally long the first; one more number would be another round of the others.
TEST(Rounds, TheShapeWithTheFullestLastRound) {
  constexpr TileShape shapes[] = {{8, 16}, {6, 16}, {6, 11}};
  constexpr RoundCosts none{.ends = 0, .per_round = 0};
  EXPECT_EQ(even_rounds(132 * 8 * 16 * 128, 128, 132, none, shapes).pieces, 8);
  EXPECT_EQ(even_rounds(132 * 6 * 16 * 128, 128, 132, none, shapes).pieces, 6);
  EXPECT_EQ(even_rounds(9 * 132 * 6 * 11 * 128, 128, 132, {.ends = 2.5, .per_round = 24 * 128}, shapes).warps,
            11);
}

// ---- scan methods

class EveryScan : public testing::TestWithParam<std::string> {
 protected:
  const ScanMethod& method() const { return scan_methods()[GetParam()]; }
};

constexpr unsigned untouched = 0xfeedf00d;

// Runs n numbers from `in` and compares with the front of `expected` (sums do not depend on what follows).
void check_scan(const std::function<Scan>& scan, const DeviceMemory<unsigned>& in,
                const DeviceMemory<unsigned>& out, std::size_t n, const std::vector<unsigned>& expected) {
  std::vector<unsigned> before(n + guard, untouched);
  upload(out, before);
  scan(in.get(), out.get(), n);
  const std::vector<unsigned> got = download(out, n + guard);
  const auto wrong = std::mismatch(expected.begin(), expected.begin() + n, got.begin());
  ASSERT_EQ(wrong.first - expected.begin(), static_cast<std::ptrdiff_t>(n)) << "first wrong index, n = " << n;
  for (std::size_t i = n; i < n + guard; ++i)
    ASSERT_EQ(got[i], untouched) << "written behind the end, n = " << n;
}

TEST_P(EveryScan, EverySizeTo5000) {
  const std::vector<unsigned> in = random_numbers<unsigned>(all_sizes_to, 2), expected = exclusive_sums(in);
  const DeviceMemory<unsigned> device_in(all_sizes_to), out(all_sizes_to + guard);
  upload(device_in, in);
  const auto scan = method().make(all_sizes_to);
  for (std::size_t n = 0; n <= all_sizes_to; ++n) {
    check_scan(scan, device_in, out, n, expected);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryScan, AroundTilesAndPowersOfTwo) {
  std::vector<std::size_t> sizes;
  for (const std::size_t tile : {512, 1024, 2048, 4096, 8192, 16384, 32768})
    for (const std::size_t blocks : {1, 2, 3, 5})
      for (const int offset : {-1, 0, 1}) sizes.push_back(tile * blocks + offset);
  for (int power = 13; power <= power_limit; ++power)
    for (const int offset : {-1, 0, 1}) sizes.push_back((std::size_t{1} << power) + offset);
  const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
  const std::vector<unsigned> in = random_numbers<unsigned>(largest, 3), expected = exclusive_sums(in);
  const DeviceMemory<unsigned> device_in(largest), out(largest + guard);
  upload(device_in, in);
  const auto scan = method().make(largest_taken(method(), sizes));
  for (const std::size_t n : sizes) {
    if (method().refusal(n)) continue;
    check_scan(scan, device_in, out, n, expected);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryScan, AroundWholeRounds) {
  const std::vector<unsigned> in = random_numbers<unsigned>(max_around_rounds, 7),
                              expected = exclusive_sums(in);
  const DeviceMemory<unsigned> device_in(in.size()), out(in.size() + guard);
  upload(device_in, in);
  ASSERT_FALSE(sizes_around_rounds({6 * 8 * 128}).empty());
  const std::vector<std::size_t> sizes =
      sizes_around_rounds({6 * 8 * 128, 6 * 11 * 128, 8 * 13 * 128, 8 * 16 * 128});
  const auto scan = method().make(largest_taken(method(), sizes));
  for (const std::size_t n : sizes) {
    if (method().refusal(n)) continue;
    check_scan(scan, device_in, out, n, expected);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryScan, InPlaceAndTwice) {
  const std::vector<unsigned> in = random_numbers<unsigned>(70001, 4), once = exclusive_sums(in),
                              twice = exclusive_sums(once);
  const DeviceMemory<unsigned> data(in.size());
  upload(data, in);
  const auto scan = method().make(in.size());
  scan(data.get(), data.get(), in.size());
  scan(data.get(), data.get(), in.size());
  EXPECT_EQ(download(data, in.size()), twice);
}

INSTANTIATE_TEST_SUITE_P(All, EveryScan, testing::ValuesIn(names_of(scan_methods())),
                         [](const auto& method) { return method.param; });

#ifndef EMULATED_DEVICE
// ---- large arrays: from 2^23 on (GPU only)

class LargeScan : public testing::TestWithParam<std::string> {};

// The sums of a constant, in place: a reference that the device itself can check.
TEST_P(LargeScan, PowersOfTwo) {
  constexpr unsigned value = 2654435761u;  // the sums wrap from the second on
  const ScanMethod& method = scan_methods()[GetParam()];
  const DeviceMemory<unsigned> wrong(1);
  bool any = false;
  for (int power = 23; power <= 31; ++power) {
    for (const int offset : {-1, 0, 1}) {
      const std::size_t n = (std::size_t{1} << power) + offset;
      // sweep needs a copy padded to a power of two
      if (!fits(5 * n * sizeof(unsigned)) || method.refusal(n)) continue;
      any = true;
      const DeviceMemory<unsigned> data(n);
      fill_with<<<1024, 256>>>(data.get(), n, value);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaMemset(wrong.get(), 0, sizeof(unsigned)));
      method.make(n)(data.get(), data.get(), n);
      count_wrong_products<<<1024, 256>>>(data.get(), n, value, wrong.get());
      HANDLE_ERROR(cudaGetLastError());
      unsigned count = 0;
      HANDLE_ERROR(cudaMemcpy(&count, wrong.get(), sizeof count, cudaMemcpyDeviceToHost));
      EXPECT_EQ(count, 0u) << "n = " << n;
    }
  }
  if (!any) GTEST_SKIP() << GetParam() << " takes no array of 2^23 numbers on this device";
}

// The libraries are others' to test at these sizes.
INSTANTIATE_TEST_SUITE_P(All, LargeScan, testing::ValuesIn(names_of(scan_methods(), false)),
                         [](const auto& method) { return method.param; });
#endif
