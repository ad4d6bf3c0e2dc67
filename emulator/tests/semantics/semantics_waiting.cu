// Threads that wait in loops for each other. On a GPU since Volta every thread makes progress on
// its own, so each of these kernels ends.
#include <cuda/atomic>

#include "semantics_main.h"

namespace {

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;

constexpr int raised =
    0x3f800000;  // not 1: that would be a subnormal float, which atomicAdd() takes for zero

// Thread 0 of block 0 raises the flags, one per word; the last thread of each block waits for all
// of them with wait(), which reads one flag and returns whether it is raised. Before it come
// threads that wait, too: none of them may keep the one who raises the flags from running.
template <class Wait>
__device__ void wait_for_flags(int* flags, int count, int* out, Wait wait) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int last = static_cast<int>(gridDim.x * blockDim.x) - 1;
  if (thread == last) {
    for (int i = 0; i < count; ++i) atomicExch(&flags[i], raised);
    out[thread] = 1;
    return;
  }
  for (int seen = 0; seen < count;) {  // all flags in turn, so that no two looks are alike
    seen = 0;
    for (int i = 0; i < count; ++i) seen += wait(flags + i) ? 1 : 0;
  }
  out[thread] = 1;
}

__global__ void by_atomic_add(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return atomicAdd(flag, 0) == raised; });
}
__global__ void by_float_add(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out,
                 [](int* flag) { return atomicAdd(reinterpret_cast<float*>(flag), 0.f) != 0; });
}
__global__ void by_cas(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return atomicCAS(flag, 2, 2) == raised; });
}
__global__ void by_or(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return atomicOr(flag, 0) == raised; });
}
__global__ void by_max(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return atomicMax(flag, 0) == raised; });
}
__global__ void by_load(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return Flag(*flag).load() == raised; });
}
__global__ void by_fetch_or(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return Flag(*flag).fetch_or(0) == raised; });
}
__global__ void by_fetch_max(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return Flag(*flag).fetch_max(0) == raised; });
}
__global__ void by_fetch_sub(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) { return Flag(*flag).fetch_sub(0) == raised; });
}
__global__ void by_volatile(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) {
    __threadfence();
    return *static_cast<volatile int*>(flag) == raised;
  });
}
__global__ void by_sleep(int* flags, int count, int* out) {
  wait_for_flags(flags, count, out, [](int* flag) {
    __nanosleep(20);
    return *static_cast<volatile int*>(flag) == raised;
  });
}

}  // namespace

using Kernel = void (*)(int*, int, int*);

class WaitingLoop : public testing::TestWithParam<Kernel> {};

TEST_P(WaitingLoop, EndsWhenTheFlagsAreRaised) {
  const Kernel kernel = GetParam();
  for (const int count : {1, 2, 5, 33}) {
    Device<int> flags(128), out(3 * 64);
    kernel<<<3, 64>>>(flags.get(), count, out.get());
    EXPECT_EQ(out.read(), std::vector<int>(3 * 64, 1)) << count;
  }
}

INSTANTIATE_TEST_SUITE_P(Loops, WaitingLoop,
                         testing::Values(by_atomic_add, by_float_add, by_cas, by_or, by_max,
                                         by_load, by_fetch_or, by_fetch_max, by_fetch_sub,
                                         by_volatile, by_sleep));

// 0 stays 0 until another thread writes 1.
__global__ void by_inc(unsigned* flag, int* out) {
  if (threadIdx.x == 0) {
    while (atomicInc(flag, 0) == 0) {
    }
    *out = 5;
  }
  if (threadIdx.x == 40) atomicExch(flag, 1u);
}

TEST(Waiting, ByAtomicInc) {
  Device<unsigned> flag(1);
  Device<int> out(1);
  by_inc<<<1, 64>>>(flag.get(), out.get());
  EXPECT_EQ(out.read()[0], 5);
}

// ---- a barrier of the whole grid, made by hand: all blocks have to run at the same time ----
__global__ void rounds(unsigned* arrived, int* values, int count) {
  const int block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  for (int round = 0; round < count; ++round) {
    if (threadIdx.x == 0) {
      const int left = atomicAdd(&values[(block + blocks - 1) % blocks + round * blocks], 0);
      atomicExch(&values[block + (round + 1) * blocks], left + 1);
      __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < static_cast<unsigned>(blocks * (round + 1))) {
      }
    }
    __syncthreads();
  }
}

TEST(GridBarrier, MadeByHand) {
  const int blocks = 40, count = 5;
  Device<unsigned> arrived(1);
  Device<int> values(blocks * (count + 1));
  rounds<<<blocks, 32>>>(arrived.get(), values.get(), count);
  const auto got = values.read();
  for (int block = 0; block < blocks; ++block) EXPECT_EQ(got[block + count * blocks], count);
}

// Blocks that wait for those after them.
__global__ void wait_for_next(int* done) {
  const int next = static_cast<int>(blockIdx.x) + 1;
  if (next < static_cast<int>(gridDim.x))
    while (atomicAdd(&done[next], 0) == 0) {
    }
  atomicExch(&done[blockIdx.x], 1);
}

TEST(Grid, BlocksWaitForLaterBlocks) {
  Device<int> done(100);
  wait_for_next<<<100, 1>>>(done.get());
  EXPECT_EQ(done.read(), std::vector<int>(100, 1));
}

// ---- locks ----
__global__ void count_with_lock(int* lock, int* counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter += 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

TEST(Locks, EveryThreadGetsItsTurn) {
  Device<int> lock(1), counter(1);
  count_with_lock<<<64, 128>>>(lock.get(), counter.get());
  EXPECT_EQ(counter.read()[0], 64 * 128);
}
