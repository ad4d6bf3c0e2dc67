// scan: every method at all sizes from 0 to 5000, and next to tiles, rounds and powers of two.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "../../cs418_assignment2/scan/methods.h"
#include "arrays.cuh"

using namespace scan;

class EveryScan : public testing::TestWithParam<std::string> {
 protected:
  // Scans the first n of the same random numbers, for every n of `sizes` that the method takes.
  static void check(const std::vector<std::size_t>& sizes) {
    const ScanMethod& method = methods()[GetParam()];
    constexpr unsigned untouched = 0xfeedf00d;
    const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
    const std::vector<unsigned> in = random_numbers<unsigned>(largest, 2);
    std::vector<unsigned> expected(largest);
    std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0u);
    const DeviceMemory<unsigned> device_in(largest), out(largest + guard);
    upload(device_in, in);
    const auto scan = method.make(largest_taken(method, sizes));
    for (const std::size_t n : sizes) {
      if (method.refusal(n)) continue;
      upload(out, std::vector<unsigned>(n + guard, untouched));
      scan(device_in.get(), out.get(), n);
      const std::vector<unsigned> got = download(out, n + guard);
      const auto wrong = std::mismatch(got.begin(), got.begin() + n, expected.begin());
      ASSERT_EQ(static_cast<std::size_t>(wrong.first - got.begin()), n)
          << "first wrong index, n = " << n;
      ASSERT_EQ(std::count(got.begin() + n, got.end(), untouched), guard)
          << "written behind, n = " << n;
    }
  }
};

TEST_P(EveryScan, EverySizeTo5000) {
  std::vector<std::size_t> sizes(5001);
  std::iota(sizes.begin(), sizes.end(), 0);
  check(sizes);
}

TEST_P(EveryScan, AroundTilesAndPowersOfTwo) {
  std::vector<std::size_t> tiles{4096 * 3, 16384 * 5, 32768 * 3};
  for (int power = 13; power <= power_limit; ++power) tiles.push_back(std::size_t{1} << power);
  check(sizes_around(tiles));
}

TEST_P(EveryScan, AroundWholeRounds) {
  check(sizes_around(rounds({6 * 8 * 128, 6 * 11 * 128, 8 * 13 * 128, 8 * 16 * 128})));
}

INSTANTIATE_TEST_SUITE_P(All, EveryScan, testing::ValuesIn(names_of(methods())),
                         [](const auto& method) { return method.param; });

#ifndef EMULATED_DEVICE
// From 2^23 numbers on: the sums of a constant, in place, a reference that
// the device itself can check.
class LargeScan : public testing::TestWithParam<std::string> {};

TEST_P(LargeScan, PowersOfTwo) {
  constexpr unsigned value = 2654435761u;  // the sums wrap from the second on
  const ScanMethod& method = methods()[GetParam()];
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
      method.make(n)(data.get(), data.get(), n);
      EXPECT_EQ(wrong_products(data.get(), n, value), 0u) << "n = " << n;
    }
  }
  if (!any) GTEST_SKIP() << GetParam() << " takes no array of 2^23 numbers on this device";
}

// The libraries are others' to test at these sizes.
INSTANTIATE_TEST_SUITE_P(All, LargeScan, testing::ValuesIn(names_of(methods(), false)),
                         [](const auto& method) { return method.param; });
#endif
