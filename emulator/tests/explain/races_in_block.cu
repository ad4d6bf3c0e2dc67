// Races between threads of one block: shared memory and the block's own part of global memory.
#include "races.h"

namespace {

__device__ int* own(int* all) { return all + blockIdx.x * threads; }

// ---- one barrier ----
__global__ void reverse(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  if (right) __syncthreads();
  own(d.out)[t] = s[threads - 1 - t];
}
__global__ void left_neighbor_dynamic(Data d, bool right) {
  extern __shared__ int dynamic[];
  const unsigned t = threadIdx.x;
  dynamic[t] = own(d.in)[t];
  if (right) __syncthreads();
  own(d.out)[t] = dynamic[(t + threads - 1) % threads];
}
__global__ void arrays_overlap(Data d, bool right) {
  extern __shared__ int dynamic[];
  const unsigned t = threadIdx.x;
  auto* const low = reinterpret_cast<short*>(dynamic);
  auto* const high = low + (right ? threads : threads / 2);
  low[t] = static_cast<short>(own(d.in)[t]);
  high[t] = low[t];
  own(d.out)[t] = high[t];
}
__global__ void transpose_tile(Data d, bool right) {
  __shared__ int tile[8][17];
  const unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  tile[x][y] = own(d.in)[threadIdx.x];
  if (right) __syncthreads();
  own(d.out)[threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16];
}
__global__ void global_exchange(Data d, bool right) {
  own(d.sums)[threadIdx.x] = own(d.in)[threadIdx.x];
  if (right) __syncthreads();
  own(d.out)[threadIdx.x] = own(d.sums)[threadIdx.x ^ 64];
}
__global__ void shift_in_place(Data d, bool right) {
  const int next = own(d.in)[(threadIdx.x + 1) % threads];
  if (right) __syncthreads();
  own(d.in)[threadIdx.x] = next;
}
__global__ void barrier_of_a_warp_only(Data d, bool right) {
  __shared__ int s[threads];
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  if (right)
    __syncthreads();
  else
    __syncwarp();
  own(d.out)[threadIdx.x] = s[threadIdx.x ^ 32];
}
__global__ void barrier_of_a_tile_only(Data d, bool right) {
  namespace cg = cooperative_groups;
  __shared__ int s[threads];
  const cg::thread_block block = cg::this_thread_block();
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  if (right)
    block.sync();
  else
    cg::tiled_partition<32>(block).sync();
  own(d.out)[threadIdx.x] = s[threads - 1 - threadIdx.x];
}

// ---- loops ----
__global__ void stencil_second_barrier(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  for (int step = 0; step < 3; ++step) {
    const int sum = s[(t + 1) % threads] + s[(t + threads - 1) % threads];
    __syncthreads();
    s[t] = sum;
    if (right) __syncthreads();
  }
  own(d.out)[t] = s[t];
}
__global__ void stencil_two_buffers(Data d, bool right) {
  __shared__ int s[2][threads];
  const unsigned t = threadIdx.x;
  s[0][t] = own(d.in)[t];
  __syncthreads();
  for (int step = 0; step < 4; ++step) {
    s[1 - step % 2][t] = s[step % 2][(t + 1) % threads];
    if (right) __syncthreads();
  }
  own(d.out)[t] = s[0][t];
}
__global__ void tile_used_again(Data d, bool right) {
  __shared__ int tile[threads];
  int sum = 0;
  for (int pass = 0; pass < 3; ++pass) {
    tile[threadIdx.x] = d.in[pass * threads + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += tile[(threadIdx.x + 32 * k) % threads];
    if (right) __syncthreads();
  }
  own(d.out)[threadIdx.x] = sum;
}
__global__ void product_of_tiles(Data d, bool right) {
  __shared__ int a[8][16], b[16][8];
  const unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  int sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    a[y % 8][x + y / 8 * 8] = d.in[pass * 64 + x];
    b[y][x] = d.in[pass * 64 + y];
    if (right) __syncthreads();
    for (int k = 0; k < 16; ++k) sum += a[y % 8][k] * b[k][x];
    __syncthreads();
  }
  own(d.out)[threadIdx.x] = sum;
}

// ---- reductions ----
__global__ void reduce_sequential(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    if (right) __syncthreads();
  }
  if (t == 0) d.sums[blockIdx.x] = s[0];
}
__global__ void reduce_for_all(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
  if (right) __syncthreads();
  own(d.out)[t] = s[0];
}
__global__ void reduce_last_warp(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32)
    for (unsigned half = 32; half > 0; half /= 2) {
      const int sum = s[t] + s[t + half];
      if (right) __syncwarp();
      s[t] = sum;
      if (right) __syncwarp();
    }
  if (t == 0) d.sums[blockIdx.x] = s[0];
}
__global__ void reduce_warps_then_block(Data d, bool right) {
  __shared__ int s[threads / 32];
  int sum = own(d.in)[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  if (right) __syncthreads();
  if (threadIdx.x == 0) d.sums[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}
__global__ void maximum(Data d, bool right) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  const int mine = own(d.in)[threadIdx.x];
  if (right) {
    atomicMax(&most, mine);
  } else {
    if (mine > most) most = mine;
  }
  __syncthreads();
  own(d.out)[threadIdx.x] = most;
}

// ---- scans ----
__global__ void scan_in_place(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned offset = 1; offset < threads; offset *= 2) {
    __syncthreads();
    const int before = t >= offset ? s[t - offset] : 0;
    if (right) __syncthreads();
    s[t] += before;
  }
  own(d.out)[t] = s[t];
}
__global__ void scan_two_buffers(Data d, bool right) {
  __shared__ int s[2][threads];
  const unsigned t = threadIdx.x;
  int now = 0;
  s[0][t] = own(d.in)[t];
  for (unsigned offset = 1; offset < threads; offset *= 2, now = 1 - now) {
    if (right) __syncthreads();
    s[1 - now][t] = s[now][t] + (t >= offset ? s[now][t - offset] : 0);
  }
  own(d.out)[t] = s[now][t];
}
__device__ void sweep(Data d, bool up, bool down) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  for (unsigned stride = 1; stride < threads; stride *= 2) {
    const unsigned i = (t + 1) * stride * 2 - 1;
    if (i < threads) s[i] += s[i - stride];
    if (up) __syncthreads();
  }
  if (t == 0) s[threads - 1] = 0;
  __syncthreads();
  for (unsigned stride = threads / 2; stride > 0; stride /= 2) {
    const unsigned i = (t + 1) * stride * 2 - 1;
    if (i < threads) {
      const int left = s[i - stride];
      s[i - stride] = s[i];
      s[i] += left;
    }
    if (down) __syncthreads();
  }
  own(d.out)[t] = s[t];
}
__global__ void scan_up_sweep(Data d, bool right) { sweep(d, right, true); }
__global__ void scan_down_sweep(Data d, bool right) { sweep(d, true, right); }
__global__ void scan_of_warps(Data d, bool right) {
  __shared__ int sums[threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int x = own(d.in)[threadIdx.x];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(0xffffffff, x, offset);
    if (lane >= offset) x += before;
  }
  if (lane == 31) sums[warp] = x;
  if (right) __syncthreads();
  for (unsigned i = 0; i < warp; ++i) x += sums[i];
  own(d.out)[threadIdx.x] = x;
}

// ---- histograms, counters, queues ----
__global__ void histogram_zeroed(Data d, bool right) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  if (right) __syncthreads();
  atomicAdd(&bins[own(d.in)[threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&d.sums[threadIdx.x], bins[threadIdx.x]);
}
__global__ void histogram_merged(Data d, bool right) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[own(d.in)[threadIdx.x]], 1);
  if (right) __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&d.sums[threadIdx.x], bins[threadIdx.x]);
}
__global__ void compaction(Data d, bool right) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (own(d.in)[threadIdx.x] > 8) {
    const int at = right ? atomicAdd(&count, 1) : count++;
    own(d.out)[at] = static_cast<int>(threadIdx.x);
  }
}
__global__ void queue(Data d, bool right) {
  __shared__ int items[threads], count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (own(d.in)[threadIdx.x] % 2 == 0) items[atomicAdd(&count, 1)] = static_cast<int>(threadIdx.x);
  if (right) __syncthreads();
  if (static_cast<int>(threadIdx.x) < count) own(d.out)[threadIdx.x] = items[threadIdx.x];
}
__global__ void bits_of_a_word(Data d, bool right) {
  __shared__ unsigned bits;
  if (threadIdx.x == 0) bits = 0;
  __syncthreads();
  if (right)
    atomicOr(&bits, 1u << threadIdx.x % 32);
  else
    bits |= 1u << threadIdx.x % 32;
  __syncthreads();
  own(d.out)[threadIdx.x] = static_cast<int>(bits);
}
__global__ void bytes_of_a_word(Data d, bool right) {
  __shared__ unsigned char bytes[threads];
  const unsigned i = right ? threadIdx.x : threadIdx.x / 2;
  bytes[i] = static_cast<unsigned char>(own(d.in)[threadIdx.x]);
  own(d.out)[threadIdx.x] = bytes[i];
}
__global__ void neighbors_write_the_same(Data d, bool right) {
  own(d.out)[threadIdx.x] = 1;
  if (right) __syncthreads();
  if (threadIdx.x + 1 < threads) own(d.out)[threadIdx.x + 1] = 1;
}

// Two threads blend into one element, whose order matters.
__global__ void blends(Data d, bool right) {
  __shared__ float colors[threads];
  colors[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = right ? threadIdx.x : threadIdx.x / 2;
  colors[i] = 0.5f * static_cast<float>(own(d.in)[threadIdx.x]) + 0.5f * colors[i];
  __syncthreads();
  own(d.out)[threadIdx.x] = static_cast<int>(colors[threadIdx.x]);
}
// Each thread has two elements.
__global__ void pairs_overlap(Data d, bool right) {
  __shared__ int pairs[2 * threads];
  const unsigned place = (right ? 2 : 1) * threadIdx.x;
  pairs[place] = own(d.in)[threadIdx.x];
  pairs[place + 1] = 1;
  __syncthreads();
  own(d.out)[threadIdx.x] = pairs[threadIdx.x];
}

// ---- parts of words ----
__global__ void member_of_a_pixel(Data d, bool right) {  // the book's pictures
  __shared__ uchar4 pixels[threads];
  const unsigned other = (threadIdx.x + 1) % threads;
  pixels[threadIdx.x].x = static_cast<unsigned char>(own(d.in)[threadIdx.x]);
  pixels[threadIdx.x].y = 1;
  if (right) __syncthreads();
  own(d.out)[threadIdx.x] = pixels[other].x;
}
__global__ void halves_of_a_word(Data d, bool right) {
  __shared__ short halves[threads];
  halves[threadIdx.x] = static_cast<short>(own(d.in)[threadIdx.x]);
  halves[right ? threadIdx.x : threadIdx.x ^ 1] = 1;
  own(d.out)[threadIdx.x] = halves[threadIdx.x];
}

// ---- indices ----
__global__ void rows_run_into_each_other(Data d, bool right) {
  const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16, width = 10;
  if (!right || x < width) own(d.out)[y * width + x] = 255 - own(d.in)[y * width + x];
}
__global__ void several_minima(Data d, bool right) {
  __shared__ int least[4];
  if (threadIdx.x < 4) least[threadIdx.x] = 100;
  __syncthreads();
  const int i = static_cast<int>(threadIdx.x) % 4, x = own(d.in)[threadIdx.x];
  if (right)
    atomicMin(&least[i], x);
  else if (x < least[i])
    least[i] = x;
  __syncthreads();
  if (threadIdx.x < 4) own(d.out)[threadIdx.x] = least[threadIdx.x];
}
__global__ void branch_that_others_skip(Data d, bool right) {
  __shared__ int s[threads];
  if (threadIdx.x < 64) {
    s[threadIdx.x] = own(d.in)[threadIdx.x];
    if (!right) own(d.out)[threadIdx.x] = s[63 - threadIdx.x];
  }
  __syncthreads();
  if (right && threadIdx.x < 64) own(d.out)[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void one_statement(Data d, bool right) {
  __shared__ int s[threads];
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  __syncthreads();
  const unsigned other = (threadIdx.x + 1) % threads;
  if (right) {
    const int next = s[other];
    __syncthreads();
    s[threadIdx.x] = next;
  } else {
    s[threadIdx.x] = s[other];
  }
  own(d.out)[threadIdx.x] = s[threadIdx.x];
}

// ---- a lock of a block ----
__global__ void lock_in_shared_memory(Data d, bool right) {
  __shared__ int gate, sum;
  if (threadIdx.x == 0) gate = sum = 0;
  __syncthreads();
  for (bool done = false; !done;)
    if (atomicCAS(&gate, 0, 1) == 0) {
      __threadfence_block();
      sum += own(d.in)[threadIdx.x];
      if (right) __threadfence_block();
      atomicExch(&gate, 0);
      done = true;
    }
  __syncthreads();
  if (threadIdx.x == 0) d.sums[blockIdx.x] = sum;
}

// All write the same: only a note.
__global__ void any_found(Data d, bool) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (own(d.in)[threadIdx.x] == 5) any = 1;
  __syncthreads();
  own(d.out)[threadIdx.x] = any;
}
__global__ void all_marked(Data d, bool) { d.sums[own(d.in)[threadIdx.x]] = 1; }

// ---- sorts ----
__global__ void sort_bitonic(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned size = 2; size <= threads; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      if (right) __syncthreads();
      const unsigned other = t ^ stride;
      if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
        const int kept = s[t];
        s[t] = s[other];
        s[other] = kept;
      }
    }
  __syncthreads();
  own(d.out)[t] = s[t];
}

// ---- warps ----
__global__ void lanes_exchange(Data d, bool right) {
  __shared__ int s[threads];
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  if (right) __syncwarp();
  own(d.out)[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void shuffle_orders_nothing(Data d, bool right) {
  __shared__ int s[threads];
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  const int sum = __shfl_xor_sync(0xffffffff, s[threadIdx.x], 1);
  if (right) __syncwarp();
  own(d.out)[threadIdx.x] = sum + s[threadIdx.x ^ 1];
}
extern __shared__ volatile int in_step[];
__global__ void volatile_lanes(Data d, bool) {  // only a note
  if (threadIdx.x >= 32) return;
  in_step[threadIdx.x] = own(d.in)[threadIdx.x];
  in_step[threadIdx.x + 32] = 0;
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const int other = in_step[threadIdx.x + offset];
    in_step[threadIdx.x] += other;
  }
  if (threadIdx.x == 0) d.sums[blockIdx.x] = in_step[0];
}
__global__ void scan_of_a_warp(Data d, bool right) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    if (right) __syncwarp();
    const int before = t % 32 >= offset ? s[t - offset] : 0;
    if (right) __syncwarp();
    s[t] += before;
  }
  own(d.out)[t] = s[t];
}

// ---- a function with a barrier, called twice ----
__device__ int sum_of_block(int value) {
  __shared__ int parts[threads / 32];
  const unsigned t = threadIdx.x;
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  if (t % 32 == 0) parts[t / 32] = value;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < threads / 32; ++i) sum += parts[i];
  return sum;
}
__global__ void sum_by_helper(Data d, bool right) {
  const int value = own(d.in)[threadIdx.x];
  const int sum = sum_of_block(value);
  if (right) __syncthreads();
  own(d.out)[threadIdx.x] = sum_of_block(value * value) - sum;
}

}  // namespace

int main(int argc, char**) {
  return run_all({reverse,
                  transpose_tile,
                  left_neighbor_dynamic,
                  arrays_overlap,
                  pairs_overlap,
                  blends,
                  global_exchange,
                  shift_in_place,
                  barrier_of_a_warp_only,
                  barrier_of_a_tile_only,
                  stencil_second_barrier,
                  stencil_two_buffers,
                  tile_used_again,
                  product_of_tiles,
                  reduce_sequential,
                  reduce_for_all,
                  reduce_last_warp,
                  reduce_warps_then_block,
                  maximum,
                  scan_in_place,
                  scan_two_buffers,
                  scan_up_sweep,
                  scan_down_sweep,
                  scan_of_warps,
                  histogram_zeroed,
                  histogram_merged,
                  compaction,
                  queue,
                  bits_of_a_word,
                  bytes_of_a_word,
                  neighbors_write_the_same,
                  member_of_a_pixel,
                  halves_of_a_word,
                  rows_run_into_each_other,
                  several_minima,
                  branch_that_others_skip,
                  one_statement,
                  lock_in_shared_memory,
                  any_found,
                  all_marked,
                  sort_bitonic,
                  sum_by_helper,
                  shuffle_orders_nothing,
                  volatile_lanes,
                  lanes_exchange,
                  scan_of_a_warp},
                 argc > 1);
}
