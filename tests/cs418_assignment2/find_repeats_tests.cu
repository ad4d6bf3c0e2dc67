// find_repeats: every method at sizes from 0 to 5000, and next to tiles and
// whole rounds; few, all, no repeats.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "../../cs418_assignment2/find_repeats/methods.h"
#include "arrays.cuh"

using namespace find_repeats;

class EveryFindRepeats : public testing::TestWithParam<std::string> {
 protected:
  const RepeatsMethod& method() const { return methods()[GetParam()]; }
};

void check_repeats(const std::function<FindRepeats>& find, const std::vector<int>& in) {
  constexpr int untouched = -1234567;
  std::vector<int> expected;
  for (std::size_t i = 0; i + 1 < in.size(); ++i)
    if (in[i] == in[i + 1]) expected.push_back(static_cast<int>(i));
  const std::size_t count = expected.size();
  expected.resize(in.size() + guard, untouched);
  const DeviceMemory<int> device_in(in.size()), out(expected.size());
  upload(device_in, in);
  upload(out, std::vector<int>(out.size(), untouched));
  ASSERT_EQ(find(device_in.get(), in.size(), out.get()), count) << "n = " << in.size();
  const std::vector<int> got = download(out, out.size());
  const auto wrong = std::mismatch(got.begin(), got.end(), expected.begin());
  ASSERT_TRUE(wrong.first == got.end())
      << "out[" << wrong.first - got.begin() << "], n = " << in.size();
}

TEST_P(EveryFindRepeats, TheCoursesExample) {
  check_repeats(method().make(10), {1, 2, 2, 1, 1, 1, 3, 5, 3, 3});
}

TEST_P(EveryFindRepeats, SizesTo5000) {
  const auto find = method().make(5000);
  const std::vector<int> in = random_numbers<int>(5000, 5, 3);
  for (std::size_t n = 0; n <= in.size() && !HasFatalFailure();
       n += n < 1100 || n % 128 < 3 ? 1 : 5)
    check_repeats(find, {in.begin(), in.begin() + n});
}

TEST_P(EveryFindRepeats, AllEqualNoneEqualAndHalf) {
  const auto find = method().make(300000);
  for (const std::size_t n : {8191, 8192, 8193, 40961, 81919, 131073, 300000}) {
    std::vector<int> none(n);
    std::iota(none.begin(), none.end(), 0);
    check_repeats(find, std::vector<int>(n, 7));
    check_repeats(find, none);
    check_repeats(find, random_numbers<int>(n, n, 2));
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryFindRepeats, AroundWholeRounds) {
  const std::vector<std::size_t> sizes = sizes_around(rounds({4096, 16 * 1024, 24 * 1024}));
  const auto find = method().make(*std::max_element(sizes.begin(), sizes.end()));
  for (const std::size_t n : sizes) {
    check_repeats(find, random_numbers<int>(n, 8, 4));
    if (HasFatalFailure()) return;
  }
}

#ifndef EMULATED_DEVICE
TEST_P(EveryFindRepeats, ManyRounds) {
  constexpr std::size_t most = 150'000'001;  // large enough for the tiles of three chunks
  const auto find = method().make(most);
  for (const std::size_t n : {std::size_t{3'000'001}, std::size_t{20'000'003}, most})
    check_repeats(find, random_numbers<int>(n, n, 10));
}

// All equal: every index but the last starts a repeat.
TEST_P(EveryFindRepeats, TheLargestArray) {
  constexpr std::size_t n = max_with_int_indices;
  if (method().gpu_only) GTEST_SKIP() << "the library is others' to test at this size";
  if (!fits(4 * n * sizeof(int)))
    GTEST_SKIP() << "this device has too little memory for 2^31 - 1 numbers";
  const DeviceMemory<int> in(n), out(n);
  HANDLE_ERROR(cudaMemset(in.get(), 7, in.bytes()));
  HANDLE_ERROR(cudaMemset(out.get(), 0xff, out.bytes()));
  EXPECT_EQ(method().make(n)(in.get(), n, out.get()), n - 1);
  EXPECT_EQ(wrong_products(reinterpret_cast<const unsigned*>(out.get()), n - 1, 1), 0u);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, EveryFindRepeats, testing::ValuesIn(names_of(methods())),
                         [](const auto& method) { return method.param; });
