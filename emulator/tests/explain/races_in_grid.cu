// Races between the blocks of a grid: counters, locks, flags, look-back, barriers of the grid.
#include "races.h"

namespace {

__device__ unsigned global_thread() { return blockIdx.x * threads + threadIdx.x; }
template <bool right>
__device__ void fence_if() {
  if constexpr (right) __threadfence();
}

// ---- counters ----
template <bool right>
__global__ void sum(Data d) {
  if constexpr (right)
    atomicAdd(d.sums, d.in[global_thread()]);
  else
    *d.sums += d.in[global_thread()];
}
template <bool right>
__global__ void histogram(Data d) {
  int* bin = &d.sums[d.in[global_thread()]];
  if constexpr (right)
    atomicAdd(bin, 1);
  else
    ++*bin;
}
__device__ int total;
template <bool right>
__global__ void device_variable(Data d) {
  if constexpr (right)
    atomicAdd(&total, d.in[global_thread()]);
  else
    total += d.in[global_thread()];
}
template <bool right>
__global__ void slots(Data d) {
  const int at = right ? atomicAdd(d.sums, 1) : (*d.sums)++;
  d.out[at] = static_cast<int>(global_thread());
}
template <bool right>  // starts with a plain look, as programs of before atomicMax for floats do
__global__ void loop_around_cas(Data d) {
  const int mine = d.in[global_thread()];
  int old = *d.sums;
  while (old < mine) {
    if constexpr (right) {
      const int seen = atomicCAS(d.sums, old, mine);
      if (seen == old) break;
      old = seen;
    } else {
      *d.sums = old = mine;
    }
  }
}
template <bool right>
__global__ void found(Data d) {
  if (d.in[global_thread()] != 5) return;
  if constexpr (right)
    atomicExch(d.sums, 1);
  else
    *d.sums = 1;
}
template <bool right>
__global__ void list_of_nodes(Data d) {
  const int node = static_cast<int>(global_thread()) + 1;
  if constexpr (right) {
    d.out[node] = atomicExch(d.sums, node);
  } else {
    d.out[node] = *d.sums;
    *d.sums = node;
  }
}
template <bool right>
__global__ void visited(Data d) {  // a step of a breadth-first search
  int* level = &d.sums[d.in[global_thread()]];
  if constexpr (right)
    atomicCAS(level, 0, 1);
  else if (*level == 0)
    *level = 1;
}

// ---- who writes where ----
template <bool right>
__global__ void stencil_in_place(Data d) {
  const unsigned i = global_thread() + 1;
  (right ? d.out : d.in)[i] = d.in[i - 1] + d.in[i + 1];
}
template <bool right>
__global__ void chunks(Data d) {
  const unsigned count = right ? 2 : 3;
  for (unsigned i = 0; i < count; ++i) d.out[2 * global_thread() + i] = 1;
}
template <bool right>
__global__ void transpose_in_place(Data d) {
  const unsigned x = global_thread() % 16, y = global_thread() / 16;
  if (right && x >= y) return;
  if (y >= 16) return;
  const int kept = d.in[16 * y + x];
  d.in[16 * y + x] = d.in[16 * x + y];
  d.in[16 * x + y] = kept;
}
template <bool right>
__global__ void barrier_of_a_block_only(Data d) {
  d.out[global_thread()] = d.in[global_thread()];
  __syncthreads();
  const unsigned other = right ? global_thread() ^ 1 : threads * blocks - 1 - global_thread();
  d.sums[global_thread()] = d.out[other];
}
template <bool right>
__global__ void barrier_of_the_grid(Data d) {
  d.out[global_thread()] = d.in[global_thread()];
  if constexpr (right) cooperative_groups::this_grid().sync();
  d.sums[global_thread()] = d.out[threads * blocks - 1 - global_thread()];
}
template <bool right, bool first = true, bool second = true>
__global__ void two_halves(Data d) {
  if (first) d.out[global_thread()] = d.in[global_thread()];
  if (second) d.sums[global_thread()] = d.out[(global_thread() + threads) % (threads * blocks)];
}

// ---- locks ----
template <bool right>
__global__ void lock(Data d) {
  if (threadIdx.x != 0) return;
  if constexpr (right) {
    while (atomicCAS(d.flags, 0, 1) != 0) {
    }
    __threadfence();
  }
  d.sums[0] += 1;
  if constexpr (right) {
    __threadfence();
    atomicExch(d.flags, 0);
  }
}
template <bool right>
__global__ void lock_with_fences(Data d) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(d.flags, 0, 1) != 0) {
  }
  fence_if<right>();
  d.sums[0] += 1;
  fence_if<right>();
  atomicExch(d.flags, 0);
}
template <bool right>
__global__ void lock_with_orders(Data d) {
  if (threadIdx.x != 0) return;
  const cuda::atomic_ref<int, cuda::thread_scope_device> held(*d.flags);
  while (held.exchange(1, right ? cuda::memory_order_acquire : cuda::memory_order_relaxed) != 0) {
  }
  d.sums[0] += 1;
  held.store(0, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
}
template <bool right>
__global__ void lock_of_two(Data d) {  // threads of one block, one after the other
  if (threadIdx.x % 64 != 0) return;
  int* mine = right ? d.flags : d.flags + threadIdx.x;
  while (atomicCAS(mine, 0, 1) != 0) {
  }
  __threadfence();
  d.sums[blockIdx.x % 2] += 1;
  __threadfence();
  atomicExch(mine, 0);
}

// ---- flags ----
template <bool right>
__global__ void volatile_flag(Data d) {
  volatile int* flag = d.flags;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d.out[0] = 7;
    fence_if<right>();
    *flag = 1;
  } else {
    while (*flag == 0) __nanosleep(20);
    fence_if<right>();
    d.sums[blockIdx.x] = d.out[0];
  }
}
template <bool right>
__global__ void released_flag(Data d) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> flag(*d.flags);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d.out[0] = 7;
    flag.store(1, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
  } else {
    while (flag.load(right ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0) {
    }
    d.sums[blockIdx.x] = d.out[0];
  }
}
template <bool right>
__global__ void not_waited_for(Data d) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d.out[0] = 7;
    __threadfence();
    atomicExch(d.flags, 1);
  } else {
    if constexpr (right)
      while (atomicAdd(d.flags, 0) == 0) {
      }
    __threadfence();
    d.sums[blockIdx.x] = d.out[0];
  }
}
template <bool right>
__global__ void one_waits_for_all(Data d) {
  if (blockIdx.x == 0) {
    d.out[threadIdx.x] = 7;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(d.flags, 1);
  } else {
    if (threadIdx.x == 0)
      while (atomicAdd(d.flags, 0) == 0) {
      }
    if constexpr (right) __syncthreads();
    d.sums[global_thread()] = d.out[threadIdx.x];
  }
}
template <bool right>
__global__ void last_block(Data d) {  // CUDA's sample threadFenceReduction
  __shared__ bool last;
  if (threadIdx.x == 0) {
    d.out[blockIdx.x] = d.in[blockIdx.x];
    fence_if<right>();
    last = atomicAdd(d.flags, 1) == blocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < blocks) atomicAdd(d.sums, d.out[threadIdx.x]);
}
template <bool right>
__global__ void last_block_by_number(Data d) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    d.out[blockIdx.x] = d.in[blockIdx.x];
    __threadfence();
    last = right ? atomicAdd(d.flags, 1) == blocks - 1 : blockIdx.x == blocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < blocks) atomicAdd(d.sums, d.out[threadIdx.x]);
}
template <bool right>
__global__ void barrier_made_by_hand(Data d) {
  d.out[global_thread()] = d.in[global_thread()];
  fence_if<right>();
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(d.flags, 1);
    while (atomicAdd(d.flags, 0) < blocks) {
    }
  }
  __syncthreads();
  d.sums[global_thread()] = d.out[threads * blocks - 1 - global_thread()];
}

// ---- look-back ----
template <bool right>
__global__ void chained_scan(Data d) {  // each block waits for the sum of all before
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (atomicAdd(&d.flags[blockIdx.x - 1], 0) == 0) {
    }
    fence_if<right>();
    before = d.sums[blockIdx.x - 1];
  }
  d.sums[blockIdx.x] = before + d.in[blockIdx.x];
  fence_if<right>();
  atomicExch(&d.flags[blockIdx.x], 1);
}
template <bool right>
__global__ void look_back(Data d) {  // 1: the block's own sum is there, 2: the one of all before, too
  if (threadIdx.x != 0) return;
  const auto flag = [&](unsigned block) {
    return cuda::atomic_ref<int, cuda::thread_scope_device>(d.flags[block]);
  };
  constexpr auto release = right ? cuda::memory_order_release : cuda::memory_order_relaxed;
  constexpr auto acquire = right ? cuda::memory_order_acquire : cuda::memory_order_relaxed;
  d.out[blockIdx.x] = d.in[blockIdx.x];
  flag(blockIdx.x).store(1, release);
  int before = 0;
  for (int i = static_cast<int>(blockIdx.x) - 1; i >= 0; --i) {
    int state;
    while ((state = flag(static_cast<unsigned>(i)).load(acquire)) == 0) {
    }
    before += state == 2 ? d.sums[i] : d.out[i];
    if (state == 2) break;
  }
  d.sums[blockIdx.x] = before + d.in[blockIdx.x];
  flag(blockIdx.x).store(2, release);
}
template <bool right>
__global__ void look_back_volatile(Data d) {
  volatile int* flags = d.flags;
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) __nanosleep(20);
    before = d.sums[blockIdx.x - 1];
  }
  d.sums[blockIdx.x] = before + d.in[blockIdx.x];
  fence_if<right>();
  flags[blockIdx.x] = 1;
}
template <bool right>
__global__ void look_back_in_one_word(Data d) {  // flag and value in the same word need no fence
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) do
      before =
          right ? atomicAdd(&d.sums[blockIdx.x - 1], 0) : d.sums[blockIdx.x - 1] + 0 * atomicAdd(d.flags, 0);
    while (before == 0);
  if constexpr (right)
    atomicExch(&d.sums[blockIdx.x], before + 1);
  else
    d.sums[blockIdx.x] = before + 1;
}

}  // namespace

int main() {
  const Program programs[] = {PROGRAM(sum),
                              PROGRAM(histogram),
                              PROGRAM(device_variable),
                              PROGRAM(slots),
                              PROGRAM(loop_around_cas),
                              PROGRAM(found),
                              PROGRAM(list_of_nodes),
                              PROGRAM(visited),
                              PROGRAM(stencil_in_place),
                              PROGRAM(chunks),
                              PROGRAM(transpose_in_place),
                              PROGRAM(barrier_of_a_block_only),
                              PROGRAM(lock),
                              PROGRAM(lock_with_fences),
                              PROGRAM(lock_with_orders),
                              PROGRAM(lock_of_two),
                              PROGRAM(volatile_flag),
                              PROGRAM(released_flag),
                              PROGRAM(not_waited_for),
                              PROGRAM(one_waits_for_all),
                              PROGRAM(last_block),
                              PROGRAM(last_block_by_number),
                              PROGRAM(barrier_made_by_hand),
                              PROGRAM(chained_scan),
                              PROGRAM(look_back),
                              PROGRAM(look_back_volatile),
                              PROGRAM(look_back_in_one_word),
                              {"barrier_of_the_grid",
                               [](const Data& d) {
                                 Data data = d;
                                 void* arguments[] = {&data};
                                 cudaLaunchCooperativeKernel(barrier_of_the_grid<true>, dim3(blocks),
                                                             dim3(threads), arguments);
                               },
                               [](const Data& d) { barrier_of_the_grid<false><<<blocks, threads>>>(d); }},
                              {"two_halves",
                               [](const Data& d) {
                                 two_halves<true, true, false><<<blocks, threads>>>(d);
                                 two_halves<true, false, true><<<blocks, threads>>>(d);
                               },
                               [](const Data& d) { two_halves<false><<<blocks, threads>>>(d); }}};
  return run_all(programs);
}
