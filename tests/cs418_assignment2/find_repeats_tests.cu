// find_repeats: every method at all sizes from 0 to 5000, and around tiles and whole rounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../../cs418_assignment2/find_repeats/methods.h"
#include "arrays.cuh"

std::vector<int> repeats(const std::vector<int>& in) {
  std::vector<int> indices;
  for (std::size_t i = 0; i + 1 < in.size(); ++i)
    if (in[i] == in[i + 1]) indices.push_back(static_cast<int>(i));
  return indices;
}

// ---- find_repeats methods

class RepeatMethod : public testing::TestWithParam<std::string> {
 protected:
  const RepeatsMethod& method() const { return find_repeats_methods()[GetParam()]; }
};

constexpr int untouched = -1234567;

void check_repeats(const std::function<FindRepeats>& find, const std::vector<int>& in, std::size_t capacity) {
  const std::vector<int> expected = repeats(in);
  const DeviceMemory<int> device_in(in.size()), out(capacity + guard);
  upload(device_in, in);
  upload(out, std::vector<int>(capacity + guard, untouched));
  ASSERT_EQ(find(device_in.get(), in.size(), out.get(), capacity), expected.size()) << "n = " << in.size();
  const std::size_t written = std::min(capacity, expected.size());
  const std::vector<int> got = download(out, capacity + guard);
  ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + written, got.begin())) << "n = " << in.size();
  for (std::size_t i = written; i < got.size(); ++i)
    ASSERT_EQ(got[i], untouched) << i << ", n = " << in.size();
}

TEST_P(RepeatMethod, TheCoursesExample) {
  const auto find = method().make(10);
  const std::vector<int> in{1, 2, 2, 1, 1, 1, 3, 5, 3, 3};
  EXPECT_EQ(repeats(in), (std::vector<int>{1, 3, 4, 8}));
  check_repeats(find, in, in.size());
}

TEST_P(RepeatMethod, EverySizeTo5000) {
  const auto find = method().make(all_sizes_to);
  const std::vector<int> in = random_numbers<int>(all_sizes_to, 5, 3);
  for (std::size_t n = 0; n <= all_sizes_to; n += n < 1100 || n % 128 < 3 ? 1 : 5) {
    check_repeats(find, {in.begin(), in.begin() + n}, n);
    if (HasFatalFailure()) return;
  }
}

TEST_P(RepeatMethod, AllEqualNoneEqualAndSizesAroundTiles) {
  constexpr std::size_t most = 300000;
  const auto find = method().make(most);
  for (const std::size_t n : {8191, 8192, 8193, 16385, 40961, 81919, 81921, 131073, 300000}) {
    std::vector<int> none(n);
    for (std::size_t i = 0; i < n; ++i) none[i] = static_cast<int>(i);
    check_repeats(find, std::vector<int>(n, 7), n);
    check_repeats(find, none, n);
    check_repeats(find, random_numbers<int>(n, n, 2), n);
    if (HasFatalFailure()) return;
  }
}

TEST_P(RepeatMethod, AroundWholeRounds) {
  const std::vector<int> in = random_numbers<int>(max_around_rounds, 8, 4);
  const auto find = method().make(in.size());
  ASSERT_FALSE(sizes_around_rounds({4096}).empty());
  for (const std::size_t n : sizes_around_rounds({4096, 16 * 1024, 24 * 1024})) {
    check_repeats(find, {in.begin(), in.begin() + n}, n);
    if (HasFatalFailure()) return;
  }
}

TEST_P(RepeatMethod, WritesNothingBehindTheCapacity) {
  const auto find = method().make(20000);
  for (const std::size_t capacity : {0, 1, 31, 32, 1000, 9999})
    check_repeats(find, random_numbers<int>(20000, 6, 2), capacity);
}

#ifndef EMULATED_DEVICE
TEST_P(RepeatMethod, ManyRounds) {
  constexpr std::size_t most = 150'000'001;  // large enough for the tiles of three chunks
  const auto find = method().make(most);
  for (const std::size_t n : {std::size_t{3'000'001}, std::size_t{20'000'003}, most})
    check_repeats(find, random_numbers<int>(n, n, 10), n);
}
#endif

#ifndef EMULATED_DEVICE
// All equal: every index but the last starts a repeat.
TEST_P(RepeatMethod, TheLargestArray) {
  constexpr std::size_t n = max_with_int_indices;
  if (method().gpu_only) GTEST_SKIP() << "the library is others' to test at this size";
  if (!fits(4 * n * sizeof(int))) GTEST_SKIP() << "this device has too little memory for 2^31 - 1 numbers";
  const DeviceMemory<int> in(n), out(n);
  const DeviceMemory<unsigned> wrong(1);
  HANDLE_ERROR(cudaMemset(in.get(), 7, in.bytes()));
  HANDLE_ERROR(cudaMemset(out.get(), 0xff, out.bytes()));
  HANDLE_ERROR(cudaMemset(wrong.get(), 0, sizeof(unsigned)));
  EXPECT_EQ(method().make(n)(in.get(), n, out.get(), n), n - 1);
  count_wrong_products<<<1024, 256>>>(reinterpret_cast<const unsigned*>(out.get()), n - 1, 1, wrong.get());
  HANDLE_ERROR(cudaGetLastError());
  unsigned count = 0;
  HANDLE_ERROR(cudaMemcpy(&count, wrong.get(), sizeof count, cudaMemcpyDeviceToHost));
  EXPECT_EQ(count, 0u);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, RepeatMethod, testing::ValuesIn(names_of(find_repeats_methods())),
                         [](const auto& method) { return method.param; });
