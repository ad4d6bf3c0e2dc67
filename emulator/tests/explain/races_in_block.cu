// Races between threads of one block: shared memory and the block's own part of global memory.
#include "races.h"

namespace {

__device__ int* own(int* all) { return all + blockIdx.x * threads; }
template <bool right>
__device__ void barrier_if() {
  if constexpr (right) __syncthreads();
}

// ---- one barrier ----
template <bool right>
__global__ void reverse(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  barrier_if<right>();
  own(d.out)[t] = s[threads - 1 - t];
}
template <bool right>
__global__ void left_neighbor_dynamic(Data d) {
  extern __shared__ int dynamic[];
  const unsigned t = threadIdx.x;
  dynamic[t] = own(d.in)[t];
  barrier_if<right>();
  own(d.out)[t] = dynamic[(t + threads - 1) % threads];
}
template <bool right>
__global__ void transpose_tile(Data d) {
  __shared__ int tile[8][17];
  const unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  tile[x][y] = own(d.in)[threadIdx.x];
  barrier_if<right>();
  own(d.out)[threadIdx.x] = tile[threadIdx.x / 16][threadIdx.x % 16];
}
template <bool right>
__global__ void global_exchange(Data d) {
  own(d.sums)[threadIdx.x] = own(d.in)[threadIdx.x];
  barrier_if<right>();
  own(d.out)[threadIdx.x] = own(d.sums)[threadIdx.x ^ 64];
}
template <bool right>
__global__ void shift_in_place(Data d) {
  const int next = own(d.in)[(threadIdx.x + 1) % threads];
  barrier_if<right>();
  own(d.in)[threadIdx.x] = next;
}
template <bool right>
__global__ void barrier_of_a_warp_only(Data d) {
  __shared__ int s[threads];
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  if constexpr (right)
    __syncthreads();
  else
    __syncwarp();
  own(d.out)[threadIdx.x] = s[threadIdx.x ^ 32];
}
template <bool right>
__global__ void barrier_of_a_tile_only(Data d) {
  namespace cg = cooperative_groups;
  __shared__ int s[threads];
  const cg::thread_block block = cg::this_thread_block();
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  if constexpr (right)
    block.sync();
  else
    cg::tiled_partition<32>(block).sync();
  own(d.out)[threadIdx.x] = s[threads - 1 - threadIdx.x];
}

// ---- loops ----
template <bool right>
__global__ void stencil_second_barrier(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  for (int step = 0; step < 3; ++step) {
    const int sum = s[(t + 1) % threads] + s[(t + threads - 1) % threads];
    __syncthreads();
    s[t] = sum;
    barrier_if<right>();
  }
  own(d.out)[t] = s[t];
}
template <bool right>
__global__ void stencil_two_buffers(Data d) {
  __shared__ int s[2][threads];
  const unsigned t = threadIdx.x;
  s[0][t] = own(d.in)[t];
  __syncthreads();
  for (int step = 0; step < 4; ++step) {
    s[1 - step % 2][t] = s[step % 2][(t + 1) % threads];
    barrier_if<right>();
  }
  own(d.out)[t] = s[0][t];
}
template <bool right>
__global__ void tile_used_again(Data d) {
  __shared__ int tile[threads];
  int sum = 0;
  for (int pass = 0; pass < 3; ++pass) {
    tile[threadIdx.x] = d.in[pass * threads + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += tile[(threadIdx.x + 32 * k) % threads];
    barrier_if<right>();
  }
  own(d.out)[threadIdx.x] = sum;
}
template <bool right>
__global__ void product_of_tiles(Data d) {
  __shared__ int a[8][16], b[16][8];
  const unsigned x = threadIdx.x % 8, y = threadIdx.x / 8;
  int sum = 0;
  for (int pass = 0; pass < 2; ++pass) {
    a[y % 8][x + y / 8 * 8] = d.in[pass * 64 + x];
    b[y][x] = d.in[pass * 64 + y];
    barrier_if<right>();
    for (int k = 0; k < 16; ++k) sum += a[y % 8][k] * b[k][x];
    __syncthreads();
  }
  own(d.out)[threadIdx.x] = sum;
}

// ---- reductions ----
template <bool right>
__global__ void reduce_sequential(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    barrier_if<right>();
  }
  if (t == 0) d.sums[blockIdx.x] = s[0];
}
template <bool right>
__global__ void reduce_for_all(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
  barrier_if<right>();
  own(d.out)[t] = s[0];
}
template <bool right>
__global__ void reduce_last_warp(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  if (t < 64) s[t] += s[t + 64];
  __syncthreads();
  if (t < 32)
    for (unsigned half = 32; half > 0; half /= 2) {
      const int sum = s[t] + s[t + half];
      if constexpr (right) __syncwarp();
      s[t] = sum;
      if constexpr (right) __syncwarp();
    }
  if (t == 0) d.sums[blockIdx.x] = s[0];
}
template <bool right>
__global__ void reduce_warps_then_block(Data d) {
  __shared__ int s[threads / 32];
  int sum = own(d.in)[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  barrier_if<right>();
  if (threadIdx.x == 0) d.sums[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
}
template <bool right>
__global__ void maximum(Data d) {
  __shared__ int most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  const int mine = own(d.in)[threadIdx.x];
  if constexpr (right) {
    atomicMax(&most, mine);
  } else {
    if (mine > most) most = mine;
  }
  __syncthreads();
  own(d.out)[threadIdx.x] = most;
}

// ---- scans ----
template <bool right>
__global__ void scan_in_place(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned offset = 1; offset < threads; offset *= 2) {
    __syncthreads();
    const int before = t >= offset ? s[t - offset] : 0;
    barrier_if<right>();
    s[t] += before;
  }
  own(d.out)[t] = s[t];
}
template <bool right>
__global__ void scan_two_buffers(Data d) {
  __shared__ int s[2][threads];
  const unsigned t = threadIdx.x;
  int now = 0;
  s[0][t] = own(d.in)[t];
  for (unsigned offset = 1; offset < threads; offset *= 2, now = 1 - now) {
    barrier_if<right>();
    s[1 - now][t] = s[now][t] + (t >= offset ? s[now][t - offset] : 0);
  }
  own(d.out)[t] = s[now][t];
}
template <bool up, bool down>
__device__ void sweep(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  __syncthreads();
  for (unsigned stride = 1; stride < threads; stride *= 2) {
    const unsigned i = (t + 1) * stride * 2 - 1;
    if (i < threads) s[i] += s[i - stride];
    barrier_if<up>();
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
    barrier_if<down>();
  }
  own(d.out)[t] = s[t];
}
template <bool right>
__global__ void scan_up_sweep(Data d) {
  sweep<right, true>(d);
}
template <bool right>
__global__ void scan_down_sweep(Data d) {
  sweep<true, right>(d);
}
template <bool right>
__global__ void scan_of_warps(Data d) {
  __shared__ int sums[threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int x = own(d.in)[threadIdx.x];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const int before = __shfl_up_sync(0xffffffff, x, offset);
    if (lane >= offset) x += before;
  }
  if (lane == 31) sums[warp] = x;
  barrier_if<right>();
  for (unsigned i = 0; i < warp; ++i) x += sums[i];
  own(d.out)[threadIdx.x] = x;
}

// ---- histograms, counters, queues ----
template <bool right>
__global__ void histogram_zeroed(Data d) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  barrier_if<right>();
  atomicAdd(&bins[own(d.in)[threadIdx.x]], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&d.sums[threadIdx.x], bins[threadIdx.x]);
}
template <bool right>
__global__ void histogram_merged(Data d) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[own(d.in)[threadIdx.x]], 1);
  barrier_if<right>();
  if (threadIdx.x < 16) atomicAdd(&d.sums[threadIdx.x], bins[threadIdx.x]);
}
template <bool right>
__global__ void compaction(Data d) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (own(d.in)[threadIdx.x] > 8) {
    const int at = right ? atomicAdd(&count, 1) : count++;
    own(d.out)[at] = static_cast<int>(threadIdx.x);
  }
}
template <bool right>
__global__ void queue(Data d) {
  __shared__ int items[threads], count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (own(d.in)[threadIdx.x] % 2 == 0) items[atomicAdd(&count, 1)] = static_cast<int>(threadIdx.x);
  barrier_if<right>();
  if (static_cast<int>(threadIdx.x) < count) own(d.out)[threadIdx.x] = items[threadIdx.x];
}
template <bool right>
__global__ void bits_of_a_word(Data d) {
  __shared__ unsigned bits;
  if (threadIdx.x == 0) bits = 0;
  __syncthreads();
  if constexpr (right)
    atomicOr(&bits, 1u << threadIdx.x % 32);
  else
    bits |= 1u << threadIdx.x % 32;
  __syncthreads();
  own(d.out)[threadIdx.x] = static_cast<int>(bits);
}
template <bool right>
__global__ void bytes_of_a_word(Data d) {
  __shared__ unsigned char bytes[threads];
  const unsigned i = right ? threadIdx.x : threadIdx.x / 2;
  bytes[i] = static_cast<unsigned char>(own(d.in)[threadIdx.x]);
  own(d.out)[threadIdx.x] = bytes[i];
}
template <bool right>
__global__ void neighbors_write_the_same(Data d) {
  own(d.out)[threadIdx.x] = 1;
  barrier_if<right>();
  if (threadIdx.x + 1 < threads) own(d.out)[threadIdx.x + 1] = 1;
}

// ---- sorts ----
template <bool right>
__global__ void sort_bitonic(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned size = 2; size <= threads; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      barrier_if<right>();
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
template <bool right>
__global__ void lanes_exchange(Data d) {
  __shared__ int s[threads];
  s[threadIdx.x] = own(d.in)[threadIdx.x];
  if constexpr (right) __syncwarp();
  own(d.out)[threadIdx.x] = s[threadIdx.x ^ 1];
}
template <bool right>
__global__ void scan_of_a_warp(Data d) {
  __shared__ int s[threads];
  const unsigned t = threadIdx.x;
  s[t] = own(d.in)[t];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    if constexpr (right) __syncwarp();
    const int before = t % 32 >= offset ? s[t - offset] : 0;
    if constexpr (right) __syncwarp();
    s[t] += before;
  }
  own(d.out)[t] = s[t];
}

}  // namespace

int main() {
  const Program programs[] = {
      PROGRAM(reverse),
      PROGRAM(transpose_tile),
      {"left_neighbor_dynamic",
       [](const Data& d) { left_neighbor_dynamic<true><<<blocks, threads, threads * sizeof(int)>>>(d); },
       [](const Data& d) { left_neighbor_dynamic<false><<<blocks, threads, threads * sizeof(int)>>>(d); }},
      PROGRAM(global_exchange),
      PROGRAM(shift_in_place),
      PROGRAM(barrier_of_a_warp_only),
      PROGRAM(barrier_of_a_tile_only),
      PROGRAM(stencil_second_barrier),
      PROGRAM(stencil_two_buffers),
      PROGRAM(tile_used_again),
      PROGRAM(product_of_tiles),
      PROGRAM(reduce_sequential),
      PROGRAM(reduce_for_all),
      PROGRAM(reduce_last_warp),
      PROGRAM(reduce_warps_then_block),
      PROGRAM(maximum),
      PROGRAM(scan_in_place),
      PROGRAM(scan_two_buffers),
      PROGRAM(scan_up_sweep),
      PROGRAM(scan_down_sweep),
      PROGRAM(scan_of_warps),
      PROGRAM(histogram_zeroed),
      PROGRAM(histogram_merged),
      PROGRAM(compaction),
      PROGRAM(queue),
      PROGRAM(bits_of_a_word),
      PROGRAM(bytes_of_a_word),
      PROGRAM(neighbors_write_the_same),
      PROGRAM(sort_bitonic),
      PROGRAM(lanes_exchange),
      PROGRAM(scan_of_a_warp)};
  return run_all(programs);
}
