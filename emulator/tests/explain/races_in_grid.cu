// Races between the blocks of a grid: counters, locks, flags, look-back, barriers of the grid.
#include "races.h"

namespace {

__device__ unsigned global_thread() { return blockIdx.x * threads + threadIdx.x; }

// ---- counters ----
__global__ void sum(Data d, bool right) {
  if (right)
    atomicAdd(d.sums, d.in[global_thread()]);
  else
    *d.sums += d.in[global_thread()];
}
__global__ void histogram(Data d, bool right) {
  int* bin = &d.sums[d.in[global_thread()]];
  if (right)
    atomicAdd(bin, 1);
  else
    ++*bin;
}
__device__ int total;
__global__ void device_variable(Data d, bool right) {
  if (right)
    atomicAdd(&total, d.in[global_thread()]);
  else
    total += d.in[global_thread()];
}
__global__ void slots(Data d, bool right) {
  const int at = right ? atomicAdd(d.sums, 1) : (*d.sums)++;
  d.out[at] = static_cast<int>(global_thread());
}
// Starts with a plain look, as programs of before atomicMax for floats do.
__global__ void loop_around_cas(Data d, bool right) {
  const int mine = d.in[global_thread()];
  int old = *d.sums;
  while (old < mine) {
    if (right) {
      const int seen = atomicCAS(d.sums, old, mine);
      if (seen == old) break;
      old = seen;
    } else {
      *d.sums = old = mine;
    }
  }
}
__global__ void volatile_look(Data d, bool right) {  // before a slot is taken
  int* const slot = &d.sums[threadIdx.x / 2];
  if (*static_cast<volatile int*>(slot) != 0) return;
  if (right)
    atomicCAS(slot, 0, 1);
  else
    *slot = 1;
}
__global__ void found(Data d, bool right) {
  if (d.in[global_thread()] != 5) return;
  if (right)
    atomicExch(d.sums, static_cast<int>(threadIdx.x));
  else
    *d.sums = static_cast<int>(threadIdx.x);
}
__global__ void list_of_nodes(Data d, bool right) {
  const int node = static_cast<int>(global_thread()) + 1;
  if (right) {
    d.out[node] = atomicExch(d.sums, node);
  } else {
    d.out[node] = *d.sums;
    *d.sums = node;
  }
}
__global__ void visited(Data d, bool right) {  // a step of a breadth-first search
  int* level = &d.sums[d.in[global_thread()]];
  if (right)
    atomicCAS(level, 0, 1);
  else if (*level == 0)
    *level = 1;
}

// ---- who writes where ----
__global__ void stencil_in_place(Data d, bool right) {
  const unsigned i = global_thread() + 1;
  (right ? d.out : d.in)[i] = d.in[i - 1] + d.in[i + 1];
}
__global__ void chunks(Data d, bool right) {
  const unsigned count = right ? 2 : 3;
  for (unsigned i = 0; i < count; ++i)
    d.out[2 * global_thread() + i] = d.in[2 * global_thread() + i];
}
__global__ void sieve(Data d, bool right) {  // multiples are marked, each by all of its factors
  const unsigned number = global_thread() + 2;
  for (unsigned i = 2 * number; i < words; i += number) d.out[i] = right ? 1 : number;
}
__global__ void transpose_in_place(Data d, bool right) {
  const unsigned x = global_thread() % 16, y = global_thread() / 16;
  if (right && x >= y) return;
  if (y >= 16) return;
  const int kept = d.in[16 * y + x];
  d.in[16 * y + x] = d.in[16 * x + y];
  d.in[16 * x + y] = kept;
}
__global__ void barrier_of_a_block_only(Data d, bool right) {
  d.out[global_thread()] = d.in[global_thread()];
  __syncthreads();
  const unsigned other = right ? global_thread() ^ 1 : threads * blocks - 1 - global_thread();
  d.sums[global_thread()] = d.out[other];
}
__global__ void barrier_of_the_grid(Data d, bool right) {
  d.out[global_thread()] = d.in[global_thread()];
  if (right) cooperative_groups::this_grid().sync();
  d.sums[global_thread()] = d.out[threads * blocks - 1 - global_thread()];
}
// Who goes on first writes what others have not read yet.
__global__ void second_barrier_of_the_grid(Data d, bool right) {
  d.out[global_thread()] = d.in[global_thread()];
  cooperative_groups::this_grid().sync();
  d.sums[global_thread()] = d.out[threads * blocks - 1 - global_thread()];
  if (right) cooperative_groups::this_grid().sync();
  d.out[global_thread()] = 0;
}
__global__ void two_halves(Data d,
                           bool right) {  // the right one leaves the second half to the next launch
  d.out[global_thread()] = d.in[global_thread()];
  if (!right) d.sums[global_thread()] = d.out[(global_thread() + threads) % (threads * blocks)];
}

// The offset forgets gridDim.x.
__global__ void pixels_of_other_blocks(Data d, bool right) {
  const unsigned x = threadIdx.x % 16 + blockIdx.x * 16, y = threadIdx.x / 16;
  const unsigned offset = x + y * (right ? 16 * blocks : 16);
  unsigned char* const pixels = reinterpret_cast<unsigned char*>(d.out);
  pixels[4 * offset + 0] = static_cast<unsigned char>(x);
  pixels[4 * offset + 1] = static_cast<unsigned char>(y);
}
__global__ void one_writes_what_all_read(Data d, bool right) {
  d.out[global_thread()] = d.in[global_thread()] * d.sums[0];
  __syncthreads();
  if (blockIdx.x == blocks - 1 && threadIdx.x == 0) d.sums[right ? 1 : 0] = 1;
}
__global__ void same_elements_in_all_blocks(Data d, bool right) {
  d.out[right ? global_thread() : threadIdx.x] = 7;
}

__global__ void stride_of_one_block(Data d, bool right) {
  for (unsigned i = global_thread(); i < blocks * threads; i += right ? blocks * threads : threads)
    d.out[i] += 7;
}
// In some threads the number that is read is their own.
__global__ void bins(Data d, bool right) {
  const int bin = d.in[global_thread()];
  if (right)
    atomicAdd(&d.sums[bin], 1);
  else
    d.sums[bin] += 1;
}
// The element that is read is as large as its index.
__global__ void index_without_block(Data d, bool right) {
  __shared__ int own[threads];
  own[threadIdx.x] = static_cast<int>(threadIdx.x);
  d.out[right ? global_thread() : threadIdx.x] = own[threadIdx.x];
}

// ---- scopes ----
__global__ void atomic_of_a_block(Data d, bool right) {
  if (right)
    atomicAdd(d.sums, 1);
  else
    atomicAdd_block(d.sums, 1);
}
__global__ void atomic_ref_of_a_block(Data d, bool right) {
  if (right)
    ++cuda::atomic_ref<int, cuda::thread_scope_device>(*d.sums);
  else
    ++cuda::atomic_ref<int, cuda::thread_scope_block>(*d.sums);
}
__global__ void fence_of_a_block(Data d, bool right) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d.out[0] = 7;
    if (right)
      __threadfence();
    else
      __threadfence_block();
    atomicExch(d.flags, 1);
  } else {
    while (atomicAdd(d.flags, 0) == 0) {
    }
    __threadfence();
    d.sums[blockIdx.x] = d.out[0];
  }
}
// One lane's fence is after what the others wrote only where __syncwarp is between.
__global__ void fence_of_one_lane(Data d, bool right) {
  const unsigned lane = threadIdx.x;
  if (lane >= 32) return;
  if (blockIdx.x == 0) {
    d.out[lane] = 7;
    if (right)
      __syncwarp();
    else
      __shfl_sync(0xffffffff, 0, 0);
    if (lane != 0) return;
    __threadfence();
    atomicExch(d.flags, 1);
  } else if (lane == 0) {
    while (atomicAdd(d.flags, 0) == 0) {
    }
    __threadfence();
    for (unsigned i = 0; i < 32; ++i) d.sums[blockIdx.x] += d.out[i];
  }
}

// ---- locks ----
__global__ void plain_unlock(Data d, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(d.flags, 0, 1) != 0) {
  }
  __threadfence();
  d.sums[0] += 1;
  __threadfence();
  if (right)
    atomicExch(d.flags, 0);
  else
    *d.flags = 0;
}
__device__ void take(int* gate) {
  while (atomicCAS(gate, 0, 1) != 0) {
  }
}
__device__ void give(int* gate) {
  __threadfence();
  atomicExch(gate, 0);
}
__global__ void taken_without_fence(Data d, bool right) {
  if (threadIdx.x != 0) return;
  take(d.flags);
  if (right) __threadfence();
  d.sums[0] += 1;
  give(d.flags);
}
__global__ void taken_without_fence_volatile(Data d, bool right) {
  volatile int* const account = d.sums;
  if (threadIdx.x != 0) return;
  take(d.flags);
  if (right) __threadfence();
  *account = *account + 1;
  give(d.flags);
}
__global__ void taken_with_a_fence_of_a_block(Data d, bool right) {
  if (threadIdx.x != 0) return;
  take(d.flags);
  if (right)
    __threadfence();
  else
    __threadfence_block();
  d.out[blockIdx.x] = d.sums[0]++;
  give(d.flags);
}
__global__ void taken_for_the_block(Data d, bool right) {  // a barrier is a fence for all
  if (threadIdx.x == 0) take(d.flags);
  if (right) __syncthreads();
  if (threadIdx.x == 1) d.sums[0] += 1;
  __syncthreads();
  if (threadIdx.x == 0) give(d.flags);
}
__global__ void written_after_release(Data d, bool right) {
  volatile int* const largest = d.sums;
  if (threadIdx.x != 0) return;
  take(d.flags);
  __threadfence();
  d.out[blockIdx.x] = *largest;
  if (right && blockIdx.x == 0) *largest = 7;
  give(d.flags);
  if (!right && blockIdx.x == 0) *largest = 7;
}
__global__ void written_after_release_plainly(Data d, bool right) {
  if (threadIdx.x != 0) return;
  take(d.flags);
  __threadfence();
  d.out[blockIdx.x] = d.sums[0];
  if (right && blockIdx.x == 1) d.sums[0] = 7;
  give(d.flags);
  if (!right && blockIdx.x == 1) d.sums[0] = 7;
}
__global__ void read_after_release(Data d, bool right) {
  if (threadIdx.x != 0) return;
  take(d.flags);
  __threadfence();
  const int mine = ++d.sums[0];
  give(d.flags);
  d.out[blockIdx.x] = right ? mine : d.sums[0];
}
__global__ void lock(Data d, bool right) {
  if (threadIdx.x != 0) return;
  if (right) {
    while (atomicCAS(d.flags, 0, 1) != 0) {
    }
    __threadfence();
  }
  d.sums[0] += 1;
  if (right) {
    __threadfence();
    atomicExch(d.flags, 0);
  }
}
__global__ void lock_with_fences(Data d, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(d.flags, 0, 1) != 0) {
  }
  if (right) __threadfence();
  d.sums[0] += 1;
  if (right) __threadfence();
  atomicExch(d.flags, 0);
}
__global__ void lock_with_orders(Data d, bool right) {
  if (threadIdx.x != 0) return;
  const cuda::atomic_ref<int, cuda::thread_scope_device> held(*d.flags);
  while (held.exchange(1, right ? cuda::memory_order_acquire : cuda::memory_order_relaxed) != 0) {
  }
  d.sums[0] += 1;
  held.store(0, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
}
__global__ void lock_of_two(Data d, bool right) {  // threads of one block, one after the other
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
__global__ void volatile_flag(Data d, bool right) {
  volatile int* flag = d.flags;
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d.out[0] = 7;
    if (right) __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) __nanosleep(20);
    if (right) __threadfence();
    d.sums[blockIdx.x] = d.out[0];
  }
}
__global__ void volatile_sum(Data d, bool right) {
  volatile int* sum = d.sums;
  if (right)
    atomicAdd(d.sums, 1);
  else
    *sum = *sum + 1;
}
__global__ void two_hand_over(Data d, bool right) {  // one item after the other
  volatile int *full = d.flags, *item = d.out;
  if (threadIdx.x != 0 || blockIdx.x > 1) return;
  for (int i = 0; i < 4; ++i)
    if (blockIdx.x == 0) {
      while (*full != 0) {
      }
      *item = i;
      if (!right) d.in[0] = i;
      __threadfence();
      *full = 1;
    } else {
      while (*full == 0) {
      }
      d.sums[0] += *item;
      if (!right) d.in[0] = -i;
      *full = 0;
    }
}
// A ring of one slot: a block fills it, another one empties it, in turns.
__global__ void ring(Data d, bool right) {
  volatile int *filled = d.flags, *emptied = d.flags + 1;
  const unsigned t = threadIdx.x;
  if (blockIdx.x > 1) return;
  for (int k = 0; k < 3; ++k)
    if (blockIdx.x == 0) {
      if (t == 0) {
        while (k - *emptied >= 1) {
        }
        __threadfence();
      }
      __syncthreads();
      d.out[t] = k + d.in[t];
      __syncthreads();
      if (t == 0) {
        if (right) __threadfence();
        *filled = k + 1;
      }
    } else {
      if (t == 0) {
        while (*filled <= k) {
        }
        __threadfence();
      }
      __syncthreads();
      d.sums[t] += d.out[threads - 1 - t];
      __syncthreads();
      if (t == 0) {
        __threadfence();
        *emptied = k + 1;
      }
    }
}
__global__ void ring_of_atomics(Data d, bool right) {
  int *filled = d.flags, *emptied = d.flags + 1;
  if (blockIdx.x > 1) return;
  for (int k = 0; k < 3; ++k)
    if (blockIdx.x == 0) {
      if (threadIdx.x == 0)
        while (atomicAdd(emptied, 0) < k) continue;
      __threadfence();
      __syncthreads();
      d.out[threadIdx.x] = k + d.in[threadIdx.x];
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) atomicExch(filled, k + 1);
    } else {
      if (threadIdx.x == 0)
        while (atomicAdd(filled, 0) <= k) continue;
      __threadfence();
      __syncthreads();
      d.sums[threadIdx.x] += d.out[threads - 1 - threadIdx.x];
      __threadfence();
      if (right) __syncthreads();
      if (threadIdx.x == 0) atomicExch(emptied, k + 1);
    }
}
// The block that waits for another one's turn keeps a copy of what it counts on its stack.
__global__ void turns(Data d, bool right) {
  volatile int *ping = d.flags, *pong = d.flags + 1;
  if (blockIdx.x > 1) return;
  for (int k = 0; k < 3; ++k)
    if (blockIdx.x == 0) {
      if (threadIdx.x == 0) {
        while (*pong < k) {
        }
        __threadfence();
      }
      __syncthreads();
      d.out[threadIdx.x] = k;
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) {
        __threadfence();
        *ping = k + 1;
      }
    } else {
      if (threadIdx.x == 0) {
        while (*ping <= k) {
        }
        if (right) __threadfence();
        d.sums[k] = d.out[k];
        __threadfence();
        *pong = k + 1;
      }
      __syncthreads();
    }
}
__global__ void released_flag(Data d, bool right) {
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
__global__ void not_waited_for(Data d, bool right) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    d.out[0] = 7;
    __threadfence();
    atomicExch(d.flags, 1);
  } else {
    if (right)
      while (atomicAdd(d.flags, 0) == 0) {
      }
    __threadfence();
    d.sums[blockIdx.x] = d.out[0];
  }
}
__global__ void one_waits_for_all(Data d, bool right) {
  if (blockIdx.x == 0) {
    d.out[threadIdx.x] = 7;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(d.flags, 1);
  } else {
    if (threadIdx.x == 0)
      while (atomicAdd(d.flags, 0) == 0) {
      }
    if (right) __syncthreads();
    d.sums[global_thread()] = d.out[threadIdx.x];
  }
}
// Thread 0's ticket announces what the others did only where a barrier is between.
__device__ bool is_last_block(int* ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) last = atomicAdd(ticket, 1) == static_cast<int>(gridDim.x) - 1;
  __syncthreads();
  return last;
}
__global__ void ticket_before_barrier(Data d, bool right) {
  atomicAdd(&d.sums[threadIdx.x], 1);
  __threadfence();
  if (right) __syncthreads();
  if (is_last_block(d.flags)) d.out[threadIdx.x] = d.sums[threadIdx.x];
}
__global__ void ticket_before_barrier_maximum(Data d, bool right) {
  atomicMax(&d.sums[threadIdx.x], d.in[global_thread()]);
  if (right) __syncthreads();
  if (threadIdx.x == 0) __threadfence();
  if (is_last_block(d.flags)) d.out[threadIdx.x] = d.sums[threadIdx.x];
}
__global__ void ticket_before_barrier_stores(Data d, bool right) {
  d.sums[global_thread()] = d.in[global_thread()];
  __threadfence();
  if (right) __syncthreads();
  if (is_last_block(d.flags))
    for (unsigned i = threadIdx.x; i < gridDim.x * threads; i += threads) d.out[i] = d.sums[i];
}
__global__ void two_tickets(Data d, bool right) {
  atomicAdd(&d.sums[threadIdx.x], 1);
  __threadfence();
  __syncthreads();
  if (is_last_block(d.flags)) d.out[threadIdx.x] = d.sums[threadIdx.x];
  __syncthreads();
  atomicAdd(&d.sums[threads + threadIdx.x], 1);
  __threadfence();
  if (right) __syncthreads();
  if (is_last_block(d.flags + 1)) d.out[threads + threadIdx.x] = d.sums[threads + threadIdx.x];
}
__global__ void last_block(Data d, bool right) {  // CUDA's sample threadFenceReduction
  __shared__ bool last;
  if (threadIdx.x == 0) {
    d.out[blockIdx.x] = d.in[blockIdx.x];
    if (right) __threadfence();
    last = atomicAdd(d.flags, 1) == blocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < blocks) atomicAdd(d.sums, d.out[threadIdx.x]);
}
__global__ void last_block_resets(Data d, bool right) {  // the counter, for the next launch
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(d.flags, 1) == (right ? blocks - 1 : 0)) *d.flags = 0;
}
__global__ void last_block_counts_around(Data d,
                                         bool right) {  // the same with a counter that wraps
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicInc(reinterpret_cast<unsigned*>(d.flags), blocks) == (right ? blocks - 1 : 0))
    *d.flags = 0;
}
__global__ void last_block_by_number(Data d, bool right) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    d.out[blockIdx.x] = d.in[blockIdx.x];
    __threadfence();
    last = right ? atomicAdd(d.flags, 1) == blocks - 1 : blockIdx.x == blocks - 1;
  }
  __syncthreads();
  if (last && threadIdx.x < blocks) atomicAdd(d.sums, d.out[threadIdx.x]);
}
__global__ void barrier_made_by_hand(Data d, bool right) {
  d.out[global_thread()] = d.in[global_thread()];
  if (right) __threadfence();
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
__global__ void chained_scan(Data d, bool right) {  // each block waits for the sum of all before
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (atomicAdd(&d.flags[blockIdx.x - 1], 0) == 0) {
    }
    if (right) __threadfence();
    before = d.sums[blockIdx.x - 1];
  }
  d.sums[blockIdx.x] = before + d.in[blockIdx.x];
  if (right) __threadfence();
  atomicExch(&d.flags[blockIdx.x], 1);
}
// 1: the block's own sum is there, 2: the one of all before, too.
__global__ void look_back(Data d, bool right) {
  if (threadIdx.x != 0) return;
  const auto flag = [&](unsigned block) {
    return cuda::atomic_ref<int, cuda::thread_scope_device>(d.flags[block]);
  };
  const auto release = right ? cuda::memory_order_release : cuda::memory_order_relaxed;
  const auto acquire = right ? cuda::memory_order_acquire : cuda::memory_order_relaxed;
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
__global__ void look_back_volatile(Data d, bool right) {
  volatile int* flags = d.flags;
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) __nanosleep(20);
    __threadfence();
    before = d.sums[blockIdx.x - 1];
  }
  d.sums[blockIdx.x] = before + d.in[blockIdx.x];
  if (right) __threadfence();
  flags[blockIdx.x] = 1;
}
__global__ void look_back_in_one_word(
    Data d, bool right) {  // flag and value in the same word need no fence
  if (threadIdx.x != 0) return;
  int before = 0;
  if (blockIdx.x > 0) do
      before = right ? atomicAdd(&d.sums[blockIdx.x - 1], 0)
                     : d.sums[blockIdx.x - 1] + 0 * atomicAdd(d.flags, 0);
    while (before == 0);
  if (right)
    atomicExch(&d.sums[blockIdx.x], before + 1);
  else
    d.sums[blockIdx.x] = before + 1;
}

}  // namespace

int main(int argc, char**) {
  if (run_all({barrier_of_the_grid, second_barrier_of_the_grid}, argc > 1, true) != 0) return 1;
  return run_all({sum,
                  histogram,
                  device_variable,
                  slots,
                  loop_around_cas,
                  volatile_look,
                  found,
                  list_of_nodes,
                  visited,
                  stencil_in_place,
                  chunks,
                  sieve,
                  transpose_in_place,
                  barrier_of_a_block_only,
                  pixels_of_other_blocks,
                  one_writes_what_all_read,
                  same_elements_in_all_blocks,
                  stride_of_one_block,
                  bins,
                  index_without_block,
                  atomic_of_a_block,
                  atomic_ref_of_a_block,
                  fence_of_a_block,
                  fence_of_one_lane,
                  plain_unlock,
                  taken_without_fence,
                  taken_without_fence_volatile,
                  taken_with_a_fence_of_a_block,
                  taken_for_the_block,
                  written_after_release,
                  written_after_release_plainly,
                  read_after_release,
                  lock,
                  lock_with_fences,
                  lock_with_orders,
                  lock_of_two,
                  volatile_flag,
                  volatile_sum,
                  two_hand_over,
                  ring,
                  ring_of_atomics,
                  turns,
                  released_flag,
                  not_waited_for,
                  one_waits_for_all,
                  ticket_before_barrier,
                  ticket_before_barrier_maximum,
                  ticket_before_barrier_stores,
                  two_tickets,
                  last_block,
                  last_block_resets,
                  last_block_counts_around,
                  last_block_by_number,
                  barrier_made_by_hand,
                  chained_scan,
                  look_back,
                  look_back_volatile,
                  look_back_in_one_word,
                  two_halves},
                 argc > 1);
}
