// Operations of a warp's lanes and cooperative groups, against their
// definitions in the programming guide.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <bit>
#include <functional>

#include "semantics_main.h"

namespace cg = cooperative_groups;

namespace {
constexpr unsigned full = 0xffffffffu;

// Runs one warp and returns what each lane wrote.
template <class T, class Kernel>
std::vector<T> warp(Kernel kernel, int argument, int lanes = 32) {
  Device<T> out(lanes);
  kernel<<<1, lanes>>>(out.get(), argument);
  return out.read();
}

template <class T>
std::vector<T> lanes(const std::function<T(int)>& value, int count = 32) {
  std::vector<T> values;
  for (int lane = 0; lane < count; ++lane) values.push_back(value(lane));
  return values;
}
}  // namespace

// ---- shuffles ----
__global__ void shuffle(int* out, int source) {
  out[threadIdx.x] = __shfl_sync(full, static_cast<int>(threadIdx.x) * 10, source);
}
__global__ void shuffle_8(int* out, int source) {
  out[threadIdx.x] = __shfl_sync(full, static_cast<int>(threadIdx.x), source, 8);
}
__global__ void shuffle_width(int* out, int width) {
  out[threadIdx.x] = __shfl_sync(full, static_cast<int>(threadIdx.x), 5, width);
}
__global__ void shuffle_up(int* out, int delta) {
  out[threadIdx.x] = __shfl_up_sync(full, static_cast<int>(threadIdx.x), delta);
}
__global__ void shuffle_up_16(int* out, int delta) {
  out[threadIdx.x] = __shfl_up_sync(full, static_cast<int>(threadIdx.x), delta, 16);
}
__global__ void shuffle_down(int* out, int delta) {
  out[threadIdx.x] = __shfl_down_sync(full, static_cast<int>(threadIdx.x), delta);
}
__global__ void shuffle_down_4(int* out, int delta) {
  out[threadIdx.x] = __shfl_down_sync(full, static_cast<int>(threadIdx.x), delta, 4);
}
__global__ void shuffle_xor(int* out, int bits) {
  out[threadIdx.x] = __shfl_xor_sync(full, static_cast<int>(threadIdx.x), bits);
}
__global__ void shuffle_xor_8(int* out, int bits) {
  out[threadIdx.x] = __shfl_xor_sync(full, static_cast<int>(threadIdx.x), bits, 8);
}
__global__ void shuffle_double(double* out, int source) {
  out[threadIdx.x] = __shfl_sync(full, threadIdx.x * 0.5, source);
}
__global__ void shuffle_own(int* out, int) {
  out[threadIdx.x] = __shfl_sync(full, static_cast<int>(threadIdx.x), threadIdx.x * 7 % 32);
}

TEST(Shuffle, FromALane) {
  EXPECT_EQ(warp<int>(shuffle, 5), std::vector<int>(32, 50));
  EXPECT_EQ(warp<int>(shuffle, 37), std::vector<int>(32, 50));  // modulo the width
  EXPECT_EQ(warp<int>(shuffle_8, 3), lanes<int>([](int lane) { return lane / 8 * 8 + 3; }));
  EXPECT_EQ(warp<int>(shuffle_own, 0), lanes<int>([](int lane) { return lane * 7 % 32; }));
  EXPECT_EQ(warp<double>(shuffle_double, 9), std::vector<double>(32, 4.5));
}

// What an H200 answers; CUDA leaves it undefined.
TEST(Shuffle, WidthsThatAreNoPowerOfTwo) {
  const std::vector<int> three = warp<int>(shuffle_width, 3);
  EXPECT_EQ((std::vector<int>{three[0], three[7], three[8], three[16], three[31]}),
            (std::vector<int>{0, 5, 8, 16, 29}));
  EXPECT_EQ(warp<int>(shuffle_width, 0), std::vector<int>(32, 5));
  EXPECT_EQ(warp<int>(shuffle_width, 64), std::vector<int>(32, 5));
}

TEST(Shuffle, UpAndDown) {
  EXPECT_EQ(warp<int>(shuffle_up, 3),
            lanes<int>([](int lane) { return lane < 3 ? lane : lane - 3; }));
  EXPECT_EQ(warp<int>(shuffle_up_16, 5),
            lanes<int>([](int lane) { return lane % 16 < 5 ? lane : lane - 5; }));
  EXPECT_EQ(warp<int>(shuffle_down, 3),
            lanes<int>([](int lane) { return lane + 3 > 31 ? lane : lane + 3; }));
  EXPECT_EQ(warp<int>(shuffle_down_4, 1),
            lanes<int>([](int lane) { return lane % 4 == 3 ? lane : lane + 1; }));
}

TEST(Shuffle, Xor) {
  EXPECT_EQ(warp<int>(shuffle_xor, 21), lanes<int>([](int lane) { return lane ^ 21; }));
  EXPECT_EQ(warp<int>(shuffle_xor_8, 5), lanes<int>([](int lane) { return lane ^ 5; }));
  // Into another section: earlier ones can be read, later ones cannot.
  EXPECT_EQ(warp<int>(shuffle_xor_8, 8),
            lanes<int>([](int lane) { return lane % 16 < 8 ? lane : lane - 8; }));
}

// ---- votes, match, reductions ----
__global__ void vote(unsigned* out, int modulus) {
  out[threadIdx.x] = __ballot_sync(full, threadIdx.x % modulus == 0);
}
__global__ void halves(unsigned* out, int) {
  // Each half of the warp votes for itself.
  if (threadIdx.x < 16)
    out[threadIdx.x] = __ballot_sync(0x0000ffffu, threadIdx.x & 1);
  else
    out[threadIdx.x] = __ballot_sync(0xffff0000u, threadIdx.x & 2);
}
__global__ void any_all(int* out, int lane) {
  out[threadIdx.x] = __any_sync(full, static_cast<int>(threadIdx.x) == lane) +
                     2 * __all_sync(full, static_cast<int>(threadIdx.x) != lane);
}
__global__ void match(unsigned* out, int modulus) {
  out[threadIdx.x] = __match_any_sync(full, threadIdx.x % modulus);
}
__global__ void match_all(unsigned* out, int value) {
  int same = 7;
  const unsigned mask = __match_all_sync(full, threadIdx.x == 4 ? value : 1, &same);
  out[threadIdx.x] = same == (mask != 0) ? mask : 99;
}
// Reductions in one instruction came with compute capability 8.0.
__global__ void reduce_all(int* out, int) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  out[threadIdx.x] = -1;
#else
  const int v = static_cast<int>(threadIdx.x) - 5;
  const unsigned u = threadIdx.x | 64;
  const bool right = __reduce_add_sync(full, v) == 31 * 16 - 160 &&
                     __reduce_min_sync(full, v) == -5 && __reduce_max_sync(full, v) == 26 &&
                     __reduce_add_sync(full, u) == 31u * 16 + 64 * 32 &&
                     __reduce_and_sync(full, u) == 64 && __reduce_or_sync(full, u) == 95 &&
                     __reduce_xor_sync(full, u) == 0 && __reduce_max_sync(full, u) == 95 &&
                     __reduce_min_sync(full, u) == 64;
  out[threadIdx.x] = right;
#endif
}
__global__ void short_warp(unsigned* out, int) { out[threadIdx.x] = __ballot_sync(full >> 24, 1); }

TEST(Vote, BallotAnyAll) {
  EXPECT_EQ(warp<unsigned>(vote, 4), std::vector<unsigned>(32, 0x11111111u));
  EXPECT_EQ(warp<unsigned>(halves, 0),
            lanes<unsigned>([](int lane) { return lane < 16 ? 0x0000aaaau : 0xcccc0000u; }));
  EXPECT_EQ(warp<int>(any_all, 31), std::vector<int>(32, 1));
  EXPECT_EQ(warp<int>(any_all, 32), std::vector<int>(32, 2));
  EXPECT_EQ(warp<unsigned>(short_warp, 0, 8), std::vector<unsigned>(8, 0xffu));
}

TEST(Vote, Match) {
  EXPECT_EQ(warp<unsigned>(match, 8),
            lanes<unsigned>([](int lane) { return 0x01010101u << lane % 8; }));
  EXPECT_EQ(warp<unsigned>(match_all, 1), std::vector<unsigned>(32, full));
  EXPECT_EQ(warp<unsigned>(match_all, 2), std::vector<unsigned>(32, 0u));
}

TEST(Vote, Reductions) {
  const std::vector<int> right = warp<int>(reduce_all, 0);
  if (right.front() == -1) GTEST_SKIP() << "needs compute capability 8.0";
  EXPECT_EQ(right, std::vector<int>(32, 1));
}

// Many warps at once, with divergence and block barriers in between.
__global__ void block_scan(const int* in, int* out) {
  __shared__ int sums[32];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int value = in[t];
  for (int distance = 1; distance < 32; distance *= 2) {
    const int below = __shfl_up_sync(full, value, distance);
    if (lane >= distance) value += below;
  }
  if (lane == 31) sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < static_cast<int>(blockDim.x) / 32 ? sums[lane] : 0;
    for (int distance = 1; distance < 32; distance *= 2) {
      const int below = __shfl_up_sync(full, sum, distance);
      if (lane >= distance) sum += below;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  out[t] = value + (warp > 0 ? sums[warp - 1] : 0);
}

TEST(Warps, ScanOfABlock) {
  for (const int n : {32, 64, 512, 1024}) {
    Device<int> in(std::vector<int>(n, 3)), out(n);
    block_scan<<<1, n>>>(in.get(), out.get());
    const auto got = out.read();
    for (int i = 0; i < n; ++i) ASSERT_EQ(got[i], 3 * (i + 1));
  }
}

// ---- cooperative groups ----
__global__ void tiles(int* out, int) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int sum = static_cast<int>(tile.thread_rank()) + 100 * static_cast<int>(tile.meta_group_rank());
  for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2)
    sum += tile.shfl_down(sum, distance);
  sum = tile.shfl(sum, 0);
  block.sync();
  out[block.thread_rank()] = sum + static_cast<int>(tile.ballot(tile.thread_rank() == 2) << 16);
}

__global__ void reduced(int* out, int) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[threadIdx.x] = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
}

// The classic use: one atomic for all lanes that have something to add.
__global__ void aggregated(int* out, int modulus) {
  if (threadIdx.x % modulus == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    int first = 0;
    if (group.thread_rank() == 0) first = atomicAdd(&out[0], static_cast<int>(group.size()));
    first = group.shfl(first, 0);
    out[1 + first + group.thread_rank()] = 1;
  }
}

TEST(Groups, Tiles) {
  EXPECT_EQ(warp<int>(tiles, 0),
            lanes<int>([](int lane) { return 28 + 800 * (lane / 8) + (4 << 16); }));
  EXPECT_EQ(warp<int>(reduced, 0), lanes<int>([](int lane) { return lane < 16 ? 120 : 376; }));
}

TEST(Groups, AggregatedAtomics) {
  const auto got = warp<int>(aggregated, 4);
  EXPECT_EQ(got[0], 8);
  for (int i = 1; i < 32; ++i) EXPECT_EQ(got[i], i <= 8);
}
