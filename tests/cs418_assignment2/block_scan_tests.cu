// The device code that scan, find_repeats and circle_renderer share, by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../cs418_assignment2/device/block_scan.cuh"
#include "../../cs418_assignment2/device/rounds.cuh"
#include "arrays.cuh"

// ---- device/warp.cuh, device/block_scan.cuh

// One block scans n numbers, 256 at a time, and keeps the even ones in order.
__global__ void scan_with_one_block(const unsigned* in, int n, unsigned* sums, int* kept, unsigned* results) {
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
    const unsigned value = i < n ? in[i] : 0;
    unsigned total;
    const unsigned sum = block_exclusive_scan<threads>(value, sum_scratch, total, thread);
    if (i < n) sums[i] = before + sum;
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
    results[0] = before;
    results[1] = static_cast<unsigned>(kept_before);
    results[2] = arrived;
  }
}

// The emulated device takes its time: there every size up to 1100, and then those next to a multiple of the
// block.
constexpr std::size_t block_scan_step(std::size_t n) {
#ifndef EMULATED_DEVICE
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
  const std::vector<unsigned> in = random_numbers<unsigned>(all_sizes_to, 1);
  std::vector<unsigned> with_end = in;
  with_end.push_back(0);
  const std::vector<unsigned> expected = exclusive_sums(with_end);
  std::vector<int> expected_kept;
  for (std::size_t i = 0; i < in.size(); ++i)
    if (in[i] % 2 == 0) expected_kept.push_back(static_cast<int>(i));
  const DeviceMemory<unsigned> device_in(all_sizes_to), sums(all_sizes_to), results(3);
  const DeviceMemory<int> kept(all_sizes_to);
  upload(device_in, in);
  for (std::size_t n = 0; n <= all_sizes_to; n += block_scan_step(n)) {
    scan_with_one_block<<<1, dim3(16, 16)>>>(device_in.get(), static_cast<int>(n), sums.get(), kept.get(),
                                             results.get());
    HANDLE_ERROR(cudaGetLastError());
    const std::vector<unsigned> got = download(results, 3);
    const std::size_t count =
        std::lower_bound(expected_kept.begin(), expected_kept.end(), static_cast<int>(n)) -
        expected_kept.begin();
    ASSERT_EQ(got[0], expected[n]) << "total of " << n;
    ASSERT_EQ(got[1], static_cast<unsigned>(count)) << "kept of " << n;
    ASSERT_EQ(got[2], expected[n]) << "sum without a barrier of " << n;
    ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + n, download(sums, n).begin())) << n;
    ASSERT_TRUE(
        std::equal(expected_kept.begin(), expected_kept.begin() + count, download(kept, count).begin()))
        << n;
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
