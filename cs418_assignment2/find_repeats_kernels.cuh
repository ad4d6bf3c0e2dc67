#pragma once
// The kernels of the sample `find_repeats`, from plain to fast; find_repeats_methods.cuh launches them.
// All write the indices i with in[i] == in[i+1] in ascending order and count them. What does not fit into the
// output is counted but not written.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "block_scan.cuh"
#include "lookback.cuh"
#include "warp_rows.cuh"

// ---- scan: flags, their exclusive scan, scatter

__global__ void flag_repeats(const int* in, std::size_t n, int* flags) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = i + 1 < n && in[i] == in[i + 1];
}

// places[i]: how many flags are set before i.
__global__ void scatter_repeats(const int* in, std::size_t n, const int* places, int* out,
                                std::size_t capacity) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i + 1 >= n || in[i] != in[i + 1]) return;
  const std::size_t place = places[i];
  if (place < capacity) out[place] = static_cast<int>(i);
}

// ---- fused: one launch; flags live as bits in registers

constexpr int chunk_rows = 8,
              chunk_items = chunk_rows * row_items;  // what a warp looks at in one go: 1024 numbers

// A warp's chunk, read ahead: lane k holds numbers 4k..4k+3 of each row of 128.
struct RepeatChunk {
  int4 values[chunk_rows];
  int after;  // the number after the chunk

  __device__ void load(const int* in, std::size_t n, std::size_t first, int lane) {
    const int* mine = in + first + 4 * lane;
    if (first + chunk_items < n) {
#pragma unroll
      for (int r = 0; r < chunk_rows; r++) values[r] = *reinterpret_cast<const int4*>(mine + r * row_items);
      after = in[first + chunk_items];
    } else {
      const std::size_t available = left_of(n, first + 4 * lane);
#pragma unroll
      for (int r = 0; r < chunk_rows; r++) {
        const uint4 v = load_4(reinterpret_cast<const unsigned*>(mine) + r * row_items,
                               left_of(available, r * row_items));
        values[r] = {static_cast<int>(v.x), static_cast<int>(v.y), static_cast<int>(v.z),
                     static_cast<int>(v.w)};
      }
      after = 0;
    }
  }

  // Bit 4r + c of the result: is number c of this lane in row r equal to its successor?
  __device__ unsigned flags(std::size_t n, std::size_t first, int lane) const {
    unsigned bits = 0;
#pragma unroll
    for (int r = 0; r < chunk_rows; r++) {
      // The successor of a lane's last number is the next lane's first; lane 31 looks into the next row.
      const int next_row = r + 1 < chunk_rows ? values[r + 1 < chunk_rows ? r + 1 : r].x : after;
      const int successor =
          __shfl_sync(all_lanes, lane == 0 ? next_row : values[r].x, (lane + 1) % warp_lanes);
      const int4 v = values[r];
      bits |= (unsigned{v.x == v.y} | unsigned{v.y == v.z} << 1 | unsigned{v.z == v.w} << 2 |
               unsigned{v.w == successor} << 3)
              << 4 * r;
    }
    if (first + chunk_items >= n) {  // numbers from n - 1 on have no successor
#pragma unroll
      for (int r = 0; r < chunk_rows; r++)
        for (int c = 0; c < 4; c++)
          if (first + r * row_items + 4 * lane + c + 1 >= n) bits &= ~(1u << (4 * r + c));
    }
    return bits;
  }
};

// A warp's room to put a chunk's indices in order before they are written. Two spare numbers after every 32
// keep lanes with many flags from meeting in one bank of shared memory.
struct RepeatStage {
  unsigned short numbers[chunk_items + chunk_items / 32 * 2];
  __device__ unsigned short& at(unsigned i) { return numbers[i + i / 32 * 2]; }
};

// Bit 4r + c of lane k stands for number 128r + 4k + c of the chunk. Returns words in order: bit b of lane k
// for number 32k + b. First the 4-bit pieces are transposed within each 8 lanes (halves, quarters, eighths
// change places), then every lane takes its word.
__device__ inline unsigned in_order(unsigned bits, int lane) {
#pragma unroll
  for (int distance = 4; distance > 0; distance /= 2) {
    const int shift = 4 * distance;
    const unsigned low = distance == 4 ? 0x0000ffffu : distance == 2 ? 0x00ff00ffu : 0x0f0f0f0fu;
    const bool upper = (lane & distance) != 0;
    const unsigned other = __shfl_xor_sync(all_lanes, upper ? bits & low : bits >> shift & low, distance);
    bits = upper ? (bits & ~low) | other : (bits & low) | other << shift;
  }
  return __shfl_sync(all_lanes, bits, lane % 4 * 8 + lane / 4);
}

// Writes the indices of one chunk's flags to out[place ...] and returns how many there were.
__device__ inline unsigned write_repeats(unsigned bits, unsigned first_index, unsigned place, int* out,
                                         unsigned capacity, RepeatStage& stage, int lane) {
  unsigned count;
  unsigned slot = warp_exclusive_scan<unsigned>(__popc(bits), count, lane);
  for (; bits != 0; bits &= bits - 1)
    stage.at(slot++) = static_cast<unsigned short>(32 * lane + __ffs(bits) - 1);
  __syncwarp();
  for (unsigned i = lane; i < count; i += warp_lanes)
    if (place + i < capacity) out[place + i] = static_cast<int>(first_index + stage.at(i));
  __syncwarp();
  return count;
}

// As __syncthreads(), but may stand at several places of a kernel for different warps. CUDA's rule for
// __syncthreads() is that all threads come to the same one; the hardware's barrier asks only that all threads
// of the block come to one with this number. (PTX manual, barrier.sync.)
__device__ inline void round_barrier() {
#ifdef __CUDA_ARCH__
  asm volatile("barrier.sync 1, %0;" ::"r"(blockDim.x) : "memory");
#else
  __syncthreads();
#endif
}

// A few blocks that stay, as in scan_pipeline: block b handles tiles b, b + blocks, ... and must run together
// with all others (cooperative launch). The input is read once. Of each number only the flag stays, one bit,
// so a tile can wait two rounds for its prefix: chunk by chunk the flags of tile i are found, the next chunk
// is asked for, and while that is on its way the indices of tile i-2 are written.
//
// with_messenger: the last warp of a block does nothing but find the prefix of tile i-1 while the others work
// on tile i, a round trip to the L2 cache that would cost the others a microsecond a round. For a single round
// warp 0 does it: there is no other work meanwhile.
//
// `done` counts the blocks that have written everything in its upper half, and carries the number of repeats,
// known to the block with the last tile, in its lower half. The last block to arrive hands that number to the
// host's `count` and leaves 0 for the next launch.
constexpr int fused_most_warps = 24;  // without the messenger

template <int chunks, bool with_messenger>
__global__ void __launch_bounds__((fused_most_warps + 1) * warp_lanes)
    find_repeats_fused(const int* in, std::size_t n, int* out, unsigned capacity, unsigned tile_count,
                       TileWords tiles, std::uint64_t* done, unsigned* count) {
  constexpr int most_warps = fused_most_warps;
  extern __shared__ unsigned stage_memory[];
  RepeatStage* stages = reinterpret_cast<RepeatStage*>(stage_memory);  // one a warp
  // By tile modulo 4: what belongs to tile i is read until the end of round i+2.
  __shared__ unsigned warp_totals[4][most_warps], prefixes[4];
  __shared__ ArrivalSum block_totals[4];
  const int warps = blockDim.x / warp_lanes - (with_messenger ? 1 : 0);
  const int lane = threadIdx.x % warp_lanes;
  // From a shuffle, so that the compiler sees that all lanes agree on it.
  const int warp = __shfl_sync(all_lanes, static_cast<int>(threadIdx.x / warp_lanes), 0);
  const bool asks = warp == (with_messenger ? warps : 0);  // for the prefixes
  const bool messenger = with_messenger && asks;
  const unsigned block = blockIdx.x, blocks = gridDim.x;
  const unsigned mine = block < tile_count ? (tile_count - 1 - block) / blocks + 1 : 0;
  // Where this warp's part of the block's i-th tile begins.
  const auto start_of = [&](unsigned i) {
    return (std::size_t{block + i * blocks} * warps + warp) * (chunks * chunk_items);
  };

  RepeatChunk ahead;
  if (!messenger && mine > 0) ahead.load(in, n, start_of(0), lane);
  if (threadIdx.x < 4) block_totals[threadIdx.x].clear();

  unsigned prefix = 0, in_all = 0;  // of the tile before; of all, if this block has the last tile
  // Adds the totals since this block's last tile, one a block.
  const auto ask = [&](unsigned i) {
    const unsigned tile = block + i * blocks;
    prefix += sum_of_totals(tiles, tile < blocks ? 0 : tile - blocks, tile, lane);
    if (lane == 0) prefixes[i % 4] = prefix;
    if (tile + 1 == tile_count) in_all = prefix + warp_sum(lane < warps ? warp_totals[i % 4][lane] : 0);
  };

  if (messenger) {
    for (unsigned i = 0; i < mine + 2; i++) {
      round_barrier();
      if (i > 0 && i <= mine) ask(i - 1);
    }
  } else {
    unsigned last[chunks] = {}, earlier[chunks] = {};  // flags of tiles i-1 and i-2
    for (unsigned i = 0; i < mine + 2; i++) {
      if (!with_messenger && asks && i >= 2) ask(i - 2);
      round_barrier();
      unsigned place = 0, sum = 0;
      if (i >= 2) place = prefixes[(i - 2) % 4] + warp_sum(lane < warp ? warp_totals[(i - 2) % 4][lane] : 0);
#pragma unroll
      for (int c = 0; c < chunks; c++) {
        unsigned now = 0;
        if (i < mine) {
          const std::size_t first = start_of(i) + c * chunk_items;
          now = ahead.flags(n, first, lane);
          if (c + 1 < chunks || i + 1 < mine)
            ahead.load(in, n, c + 1 < chunks ? first + chunk_items : start_of(i + 1), lane);
          now = in_order(now, lane);
          sum += __popc(now);
        }
        if (i >= 2)
          place += write_repeats(earlier[c], static_cast<unsigned>(start_of(i - 2)) + c * chunk_items, place,
                                 out, capacity, stages[warp], lane);
        earlier[c] = last[c];
        last[c] = now;
      }
      if (i < mine) {
        sum = warp_sum(sum);
        if (lane == 0) {
          unsigned total;
          warp_totals[i % 4][warp] = sum;
          if (block_totals[i % 4].arrive(sum, warps, total))
            tiles.publish(block + i * blocks, TileWords::total, total);
        }
      }
    }
  }
  __syncthreads();
  if (asks && lane == 0) {
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_device> arrivals(*done);
    const std::uint64_t before =
        arrivals.fetch_add((std::uint64_t{1} << 32) + in_all, cuda::memory_order_acq_rel);
    if (before >> 32 == blocks - 1) {
      arrivals.store(0, cuda::memory_order_relaxed);
      // Relaxed is enough: the host takes nothing but this number. The indices stay on the device, written
      // before the arrivals, and reach the host by copies in the stream.
      cuda::atomic_ref<unsigned, cuda::thread_scope_system>(*count).store(
          static_cast<unsigned>(before) + in_all, cuda::memory_order_relaxed);
    }
  }
}
