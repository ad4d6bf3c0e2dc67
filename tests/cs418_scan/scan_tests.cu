// The device code that scan, find_repeats and circle_renderer share, by itself and in every method: all sizes
// from 0 to 5000, and around each tile and power of two as far as memory (emulated device: a few seconds)
// allows.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../common/random.h"
#include "../../cs418_assignment2/find_repeats_methods.cuh"
#include "../../cs418_assignment2/scan_methods.cuh"

// Not in an unnamed namespace: there nvcc calls the members that GoogleTest adds unused.

#ifdef __CUDACC__
constexpr int power_limit = 22;  // TEST_P(LargeScan, ...) goes on from there
constexpr std::size_t most_around_rounds = 8'000'000;
#else
constexpr int power_limit = 19;
constexpr std::size_t most_around_rounds = 1'600'000;  // one round of the emulated device's 255 blocks
#endif
constexpr std::size_t all_sizes_to = 5000;
constexpr std::size_t guard = 64;  // elements behind the output that nobody may touch
constexpr int untouched = -1234567;

std::vector<int> random_numbers(std::size_t n, std::uint64_t seed, unsigned modulus = 0) {
  Random random(seed);
  std::vector<int> numbers(n);
  for (int& number : numbers)
    number = static_cast<int>(static_cast<unsigned>(modulus == 0 ? random.bits() : random.bits() % modulus));
  return numbers;
}

std::vector<int> exclusive_sums(const std::vector<int>& in) {
  std::vector<int> out;
  unsigned sum = 0;
  for (const int number : in) {
    out.push_back(static_cast<int>(sum));
    sum += static_cast<unsigned>(number);
  }
  return out;
}

std::vector<int> repeats(const std::vector<int>& in) {
  std::vector<int> indices;
  for (std::size_t i = 0; i + 1 < in.size(); i++)
    if (in[i] == in[i + 1]) indices.push_back(static_cast<int>(i));
  return indices;
}

void upload(const DeviceMemory<int>& to, const std::vector<int>& from) {
  if (!from.empty())
    HANDLE_ERROR(cudaMemcpy(to.get(), from.data(), from.size() * sizeof(int), cudaMemcpyHostToDevice));
}
std::vector<int> download(const DeviceMemory<int>& from, std::size_t n) {
  std::vector<int> to(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(to.data(), from.get(), n * sizeof(int), cudaMemcpyDeviceToHost));
  return to;
}

// ---- block_scan.cuh

// One block scans n numbers, 256 at a time, and keeps the even ones in order.
__global__ void scan_with_one_block(const int* in, int n, int* sums, int* kept, int* results) {
  constexpr int threads = 256;
  __shared__ BlockScanScratch<threads> sum_scratch;
  __shared__ BlockScanScratch<threads, int> rank_scratch;
  __shared__ ArrivalSum arrivals;
  __shared__ unsigned last_total;
  // A block of 16 x 16: the functions take the thread's number from the caller.
  const int thread = threadIdx.y * 16 + threadIdx.x;
  if (thread == 0) arrivals.clear();
  __syncthreads();
  unsigned before = 0, arrived = 0;
  int kept_before = 0;
  for (int start = 0; start < n; start += threads) {
    const int i = start + thread;
    const unsigned value = i < n ? static_cast<unsigned>(in[i]) : 0;
    unsigned total;
    const unsigned sum = block_exclusive_scan<threads>(value, sum_scratch, total, thread);
    if (i < n) sums[i] = static_cast<int>(before + sum);
    before += total;

    const bool keep = i < n && value % 2 == 0;
    int count;
    const int rank = block_rank<threads>(keep, rank_scratch, count, thread);
    if (keep) kept[kept_before + rank] = i;
    kept_before += count;

    const unsigned of_warp = warp_sum(value);
    unsigned of_block;
    if (thread % warp_lanes == 0 && arrivals.arrive(of_warp, threads / warp_lanes, of_block))
      last_total = of_block;
    __syncthreads();
    arrived += last_total;
    __syncthreads();
  }
  if (thread == 0) {
    results[0] = static_cast<int>(before);
    results[1] = kept_before;
    results[2] = static_cast<int>(arrived);
  }
}

// The emulated device takes its time: there every size up to 1100, and then those next to a multiple of the
// block.
constexpr std::size_t block_scan_step(std::size_t n) {
#ifdef __CUDACC__
  constexpr bool all = true;
#else
  constexpr bool all = false;
#endif
  return all || n < 1100 || n % 256 < 2 ? 1
         : n % 256 == 254               ? 1
         : n % 256 == 255               ? 1
                                        : std::min<std::size_t>(63, 254 - n % 256);
}

TEST(BlockScan, AgreesWithTheCpuForEverySizeTo5000) {
  const std::vector<int> in = random_numbers(all_sizes_to, 1);
  std::vector<int> with_end = in;
  with_end.push_back(0);
  const std::vector<int> expected = exclusive_sums(with_end);
  std::vector<int> expected_kept;
  for (std::size_t i = 0; i < in.size(); i++)
    if (in[i] % 2 == 0) expected_kept.push_back(static_cast<int>(i));
  const DeviceMemory<int> device_in(all_sizes_to), sums(all_sizes_to), kept(all_sizes_to), results(3);
  upload(device_in, in);
  for (std::size_t n = 0; n <= all_sizes_to; n += block_scan_step(n)) {
    scan_with_one_block<<<1, dim3(16, 16)>>>(device_in.get(), static_cast<int>(n), sums.get(), kept.get(),
                                             results.get());
    HANDLE_ERROR(cudaGetLastError());
    const std::vector<int> got = download(results, 3);
    const std::size_t count =
        std::lower_bound(expected_kept.begin(), expected_kept.end(), static_cast<int>(n)) -
        expected_kept.begin();
    ASSERT_EQ(got[0], expected[n]) << "total of " << n;
    ASSERT_EQ(got[1], static_cast<int>(count)) << "kept of " << n;
    ASSERT_EQ(got[2], expected[n]) << "sum without a barrier of " << n;
    ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + n, download(sums, n).begin())) << n;
    ASSERT_TRUE(
        std::equal(expected_kept.begin(), expected_kept.begin() + count, download(kept, count).begin()))
        << n;
  }
}

// ---- scan methods

class ScanMethod : public testing::TestWithParam<std::string> {
 protected:
  std::size_t most() const { return GetParam() == "exchange" ? Scanner::exchange_limit() : ~std::size_t{0}; }
};

// Runs n numbers from `in` and compares with the front of `expected` (sums do not depend on what follows).
void check_scan(Scanner& scanner, const DeviceMemory<int>& in, const DeviceMemory<int>& out, std::size_t n,
                const std::vector<int>& expected) {
  std::vector<int> before(n + guard, untouched);
  upload(out, before);
  scanner.run(in.get(), out.get(), n);
  const std::vector<int> got = download(out, n + guard);
  const auto wrong = std::mismatch(expected.begin(), expected.begin() + n, got.begin());
  ASSERT_EQ(wrong.first - expected.begin(), static_cast<std::ptrdiff_t>(n)) << "first wrong index, n = " << n;
  for (std::size_t i = n; i < n + guard; i++)
    ASSERT_EQ(got[i], untouched) << "written behind the end, n = " << n;
}

TEST_P(ScanMethod, EverySizeTo5000) {
  const std::vector<int> in = random_numbers(all_sizes_to, 2), expected = exclusive_sums(in);
  const DeviceMemory<int> device_in(all_sizes_to), out(all_sizes_to + guard);
  upload(device_in, in);
  Scanner scanner(GetParam(), all_sizes_to);
  for (std::size_t n = 0; n <= all_sizes_to; n++) {
    check_scan(scanner, device_in, out, n, expected);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ScanMethod, AroundTilesAndPowersOfTwo) {
  std::vector<std::size_t> sizes;
  for (const std::size_t tile : {512, 1024, 2048, 4096, 8192, 16384, 32768})
    for (const std::size_t blocks : {1, 2, 3, 5})
      for (const int offset : {-1, 0, 1}) sizes.push_back(tile * blocks + offset);
  for (int power = 13; power <= power_limit; power++)
    for (const int offset : {-1, 0, 1}) sizes.push_back((std::size_t{1} << power) + offset);
  const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
  const std::vector<int> in = random_numbers(largest, 3), expected = exclusive_sums(in);
  const DeviceMemory<int> device_in(largest), out(largest + guard);
  upload(device_in, in);
  Scanner scanner(GetParam(), std::min(largest, most()));
  for (const std::size_t n : sizes) {
    if (n > most()) continue;
    check_scan(scanner, device_in, out, n, expected);
    if (HasFatalFailure()) return;
  }
}

// Sizes next to which the last round gets one tile more, for several of the tiles that the methods choose.
std::vector<std::size_t> sizes_around_rounds(std::initializer_list<std::size_t> tiles) {
  std::vector<std::size_t> sizes;
  for (const std::size_t tile : tiles)
    for (const std::size_t rounds : {1, 2, 3})
      for (const int offset : {-1, 0, 1})
        if (const std::size_t n = rounds * multiprocessors() * tile + offset; n < most_around_rounds)
          sizes.push_back(n);
  return sizes;
}

TEST_P(ScanMethod, AroundWholeRounds) {
  const std::vector<int> in = random_numbers(most_around_rounds, 7), expected = exclusive_sums(in);
  const DeviceMemory<int> device_in(in.size()), out(in.size() + guard);
  upload(device_in, in);
  Scanner scanner(GetParam(), std::min(in.size(), most()));
  ASSERT_FALSE(sizes_around_rounds({6 * 8 * 128}).empty());
  for (const std::size_t n : sizes_around_rounds({6 * 8 * 128, 6 * 11 * 128, 8 * 13 * 128, 8 * 16 * 128})) {
    if (n > most()) continue;
    check_scan(scanner, device_in, out, n, expected);
    if (HasFatalFailure()) return;
  }
}

TEST(Rounds, TheLastCountsAsFull) {
  constexpr RoundCosts none{.ends = 0, .per_round = 0};
  EXPECT_EQ(time_of_rounds(0, 8192, 132, none), 0);
  EXPECT_EQ(time_of_rounds(1, 8192, 132, none), 8192);
  EXPECT_EQ(time_of_rounds(132 * 8192, 8192, 132, none), 8192);
  EXPECT_EQ(time_of_rounds(132 * 8192 + 1, 8192, 132, none), 2 * 8192);
  EXPECT_EQ(time_of_rounds(10'000'000, 8192, 132, none), 10 * 8192);
  EXPECT_EQ(time_of_rounds(10'000'000, 8192, 132, {.ends = 2.5, .per_round = 100}), 12.5 * 8192 + 10 * 100);
}

TEST_P(ScanMethod, InPlaceAndTwice) {
  const std::vector<int> in = random_numbers(70001, 4), once = exclusive_sums(in),
                         twice = exclusive_sums(once);
  const DeviceMemory<int> data(in.size());
  upload(data, in);
  Scanner scanner(GetParam(), in.size());
  scanner.run(data.get(), data.get(), in.size());
  scanner.run(data.get(), data.get(), in.size());
  EXPECT_EQ(download(data, in.size()), twice);
}

INSTANTIATE_TEST_SUITE_P(All, ScanMethod,
                         testing::Values("sweep", "blocks", "lookback", "exchange", "pipeline", "best"),
                         [](const auto& method) { return method.param; });

#ifdef __CUDACC__
// ---- large arrays: from 2^23 on, where CPU references and copies would take too long (GPU only)

// Counts what differs from the scan of a constant.
__global__ void count_wrong_products(const unsigned* sums, std::size_t n, unsigned value, unsigned* wrong) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    if (sums[i] != static_cast<unsigned>(i) * value) atomicAdd(wrong, 1u);
}
__global__ void fill_with(unsigned* data, std::size_t n, unsigned value) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) data[i] = value;
}

bool fits(std::size_t bytes) {
  std::size_t free, all;
  HANDLE_ERROR(cudaMemGetInfo(&free, &all));
  return free >= bytes;
}

class LargeScan : public testing::TestWithParam<std::string> {};

// The sums of a constant, in place: a reference that the device itself can check.
TEST_P(LargeScan, PowersOfTwo) {
  constexpr unsigned value = 2654435761u;  // the sums wrap from the second on
  const DeviceMemory<unsigned> wrong(1);
  for (int power = 23; power <= 31; power++) {
    for (const int offset : {-1, 0, 1}) {
      const std::size_t n = (std::size_t{1} << power) + offset;
      // sweep wants a copy padded to a power of two
      if (!fits(5 * n * sizeof(unsigned))) continue;
      const DeviceMemory<unsigned> data(n);
      fill_with<<<1024, 256>>>(data.get(), n, value);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaMemset(wrong.get(), 0, sizeof(unsigned)));
      Scanner(GetParam(), n).run(data.get(), data.get(), n);
      count_wrong_products<<<1024, 256>>>(data.get(), n, value, wrong.get());
      HANDLE_ERROR(cudaGetLastError());
      unsigned count = 0;
      HANDLE_ERROR(cudaMemcpy(&count, wrong.get(), sizeof count, cudaMemcpyDeviceToHost));
      EXPECT_EQ(count, 0u) << "n = " << n;
    }
  }
}

// All but exchange, which ends below.
INSTANTIATE_TEST_SUITE_P(All, LargeScan, testing::Values("sweep", "blocks", "lookback", "pipeline", "best"),
                         [](const auto& method) { return method.param; });
#endif

// ---- find_repeats methods

class RepeatMethod : public testing::TestWithParam<std::string> {};

void check_repeats(RepeatFinder& finder, const std::vector<int>& in, std::size_t capacity) {
  const std::vector<int> expected = repeats(in);
  const DeviceMemory<int> device_in(in.size()), out(capacity + guard);
  upload(device_in, in);
  upload(out, std::vector<int>(capacity + guard, untouched));
  ASSERT_EQ(finder.run(device_in.get(), in.size(), out.get(), capacity), expected.size())
      << "n = " << in.size();
  const std::size_t written = std::min(capacity, expected.size());
  const std::vector<int> got = download(out, capacity + guard);
  ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + written, got.begin())) << "n = " << in.size();
  for (std::size_t i = written; i < got.size(); i++)
    ASSERT_EQ(got[i], untouched) << i << ", n = " << in.size();
}

TEST_P(RepeatMethod, TheCoursesExample) {
  RepeatFinder finder(GetParam(), 10);
  const std::vector<int> in{1, 2, 2, 1, 1, 1, 3, 5, 3, 3};
  EXPECT_EQ(repeats(in), (std::vector<int>{1, 3, 4, 8}));
  check_repeats(finder, in, in.size());
}

TEST_P(RepeatMethod, EverySizeTo5000) {
  RepeatFinder finder(GetParam(), all_sizes_to);
  const std::vector<int> in = random_numbers(all_sizes_to, 5, 3);
  for (std::size_t n = 0; n <= all_sizes_to; n += n < 1100 || n % 128 < 3 ? 1 : 5) {
    check_repeats(finder, {in.begin(), in.begin() + n}, n);
    if (HasFatalFailure()) return;
  }
}

TEST_P(RepeatMethod, AllEqualNoneEqualAndSizesAroundTiles) {
  constexpr std::size_t most = 300000;
  RepeatFinder finder(GetParam(), most);
  for (const std::size_t n : {8191, 8192, 8193, 16385, 40961, 81919, 81921, 131073, 300000}) {
    std::vector<int> none(n);
    for (std::size_t i = 0; i < n; i++) none[i] = static_cast<int>(i);
    check_repeats(finder, std::vector<int>(n, 7), n);
    check_repeats(finder, none, n);
    check_repeats(finder, random_numbers(n, n, 2), n);
    if (HasFatalFailure()) return;
  }
}

TEST_P(RepeatMethod, AroundWholeRounds) {
  const std::vector<int> in = random_numbers(most_around_rounds, 8, 4);
  RepeatFinder finder(GetParam(), in.size());
  ASSERT_FALSE(sizes_around_rounds({4096}).empty());
  for (const std::size_t n : sizes_around_rounds({4096, 16 * 1024, 24 * 1024})) {
    check_repeats(finder, {in.begin(), in.begin() + n}, n);
    if (HasFatalFailure()) return;
  }
}

TEST_P(RepeatMethod, WritesNothingBehindTheCapacity) {
  RepeatFinder finder(GetParam(), 20000);
  for (const std::size_t capacity : {0, 1, 31, 32, 1000, 9999})
    check_repeats(finder, random_numbers(20000, 6, 2), capacity);
}

#ifdef __CUDACC__
TEST_P(RepeatMethod, ManyRounds) {
  constexpr std::size_t most = 150'000'001;  // large enough for the tiles of three chunks
  RepeatFinder finder(GetParam(), most);
  for (const std::size_t n : {std::size_t{3'000'001}, std::size_t{20'000'003}, most})
    check_repeats(finder, random_numbers(n, n, 10), n);
}
#endif

#ifdef __CUDACC__
// All equal: every index but the last starts a repeat.
TEST_P(RepeatMethod, TheLargestArray) {
  constexpr std::size_t n = RepeatFinder::limit;
  if (!fits(4 * n * sizeof(int))) GTEST_SKIP() << "this device has too little memory for 2^31 - 1 numbers";
  const DeviceMemory<int> in(n), out(n);
  const DeviceMemory<unsigned> wrong(1);
  HANDLE_ERROR(cudaMemset(in.get(), 7, in.bytes()));
  HANDLE_ERROR(cudaMemset(out.get(), 0xff, out.bytes()));
  HANDLE_ERROR(cudaMemset(wrong.get(), 0, sizeof(unsigned)));
  EXPECT_EQ(RepeatFinder(GetParam(), n).run(in.get(), n, out.get(), n), n - 1);
  count_wrong_products<<<1024, 256>>>(reinterpret_cast<const unsigned*>(out.get()), n - 1, 1, wrong.get());
  HANDLE_ERROR(cudaGetLastError());
  unsigned count = 0;
  HANDLE_ERROR(cudaMemcpy(&count, wrong.get(), sizeof count, cudaMemcpyDeviceToHost));
  EXPECT_EQ(count, 0u);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, RepeatMethod, testing::Values("scan", "fused"),
                         [](const auto& method) { return method.param; });
