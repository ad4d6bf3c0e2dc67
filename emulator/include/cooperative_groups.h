// Cooperative groups: barriers and exchanges for parts of a block, for a warp's tiles, for the
// whole grid. The part of CUDA's header of the same name that programs use, without clusters and
// tiles of several warps.
#pragma once

#include <bit>
#include <type_traits>

#include "cuda_runtime.h"

namespace cooperative_groups {

// All threads of the block.
class thread_block {
 public:
  static void sync(EMULATED_AT) {
    static constexpr emulated::Call call{"thread_block::sync"};
    emulated::barrier(call, at);
  }
  static unsigned thread_rank() { return emulated::thread_rank(); }
  static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned size() { return num_threads(); }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_index() { return blockIdx; }
  static dim3 dim_threads() { return blockDim; }
  static dim3 group_dim() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

// All threads of a grid that was launched cooperatively.
class grid_group {
 public:
  static bool is_valid() { return emulated::is_cooperative(); }
  static void sync(EMULATED_AT) {
    emulated::suspending([=] { emulated::grid_barrier(at); });
  }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::num_threads() + emulated::thread_rank();
  }
  static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  static unsigned long long size() { return num_threads(); }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

// Some lanes of one warp. The base of tiles and coalesced groups: `mask` names the lanes, ranks
// count them from below.
class lanes {
 public:
  unsigned thread_rank() const {
    return static_cast<unsigned>(std::popcount(mask_ & ((1u << emulated::lane()) - 1)));
  }
  unsigned num_threads() const { return static_cast<unsigned>(std::popcount(mask_)); }
  unsigned size() const { return num_threads(); }
  // Which of how many groups this is that its parent was divided into.
  unsigned meta_group_rank() const { return rank_; }
  unsigned meta_group_size() const { return groups_; }
  void sync(EMULATED_AT) const { __syncwarp(mask_, at); }

  template <class T>
  T shfl(T value, int rank, EMULATED_AT) const {
    return emulated::shuffle_any(mask_, value, lane_of(static_cast<unsigned>(rank) % num_threads()),
                                 at);
  }
  // From a lower or higher rank; who has none gets its own value.
  template <class T>
  T shfl_up(T value, unsigned delta, EMULATED_AT) const {
    emulated::look_how_far("shfl_up", delta, num_threads(), at);
    const unsigned rank = thread_rank();
    return emulated::shuffle_any(mask_, value, lane_of(rank < delta ? rank : rank - delta), at);
  }
  template <class T>
  T shfl_down(T value, unsigned delta, EMULATED_AT) const {
    emulated::look_how_far("shfl_down", delta, num_threads(), at);
    const unsigned rank = thread_rank();
    return emulated::shuffle_any(mask_, value,
                                 lane_of(delta < num_threads() - rank ? rank + delta : rank), at);
  }
  template <class T>
  T shfl_xor(T value, unsigned bits, EMULATED_AT) const {
    emulated::look_how_far("shfl_xor", bits, num_threads(), at);
    const unsigned rank = thread_rank(), other = rank ^ bits;
    return emulated::shuffle_any(mask_, value, lane_of(other < num_threads() ? other : rank), at);
  }
  int any(int predicate, EMULATED_AT) const { return __any_sync(mask_, predicate, at); }
  int all(int predicate, EMULATED_AT) const { return __all_sync(mask_, predicate, at); }
  // Votes and matches answer with a set of ranks, not of lanes.
  unsigned ballot(int predicate, EMULATED_AT) const {
    return ranks_of(__ballot_sync(mask_, predicate, at));
  }
  template <class T>
  unsigned match_any(T value, EMULATED_AT) const {
    return ranks_of(__match_any_sync(mask_, value, at));
  }
  template <class T>
  unsigned match_all(T value, int& all_same, EMULATED_AT) const {
    return ranks_of(__match_all_sync(mask_, value, &all_same, at));
  }

  unsigned emulated_mask() const { return mask_; }

 protected:
  lanes(unsigned mask, unsigned rank, unsigned groups)
      : mask_(mask), rank_(rank), groups_(groups) {}

  // The lane of a rank, and the ranks of a set of lanes.
  unsigned lane_of(unsigned rank) const {
    const auto first = static_cast<unsigned>(std::countr_zero(mask_));
    const unsigned run = mask_ >> first;
    if ((run & (run + 1)) == 0) return first + rank;  // no gaps
    unsigned rest = mask_;
    for (; rank > 0; --rank) rest &= rest - 1;
    return static_cast<unsigned>(std::countr_zero(rest));
  }
  unsigned ranks_of(unsigned set) const {
    unsigned ranks = 0, rank = 0;
    emulated::for_lanes(mask_, [&](unsigned lane) { ranks |= (set >> lane & 1) << rank++; });
    return ranks;
  }

  unsigned mask_, rank_, groups_;
};

namespace details {
// The lanes of the tile of `size` lanes in which the present thread lies.
inline unsigned tile_mask(unsigned size) {
  const unsigned all = size == 32 ? 0xffffffffu : (1u << size) - 1;
  const unsigned warp = emulated::thread_rank() / 32 * 32, threads = thread_block::num_threads();
  const unsigned existing = threads - warp >= 32 ? 0xffffffffu : (1u << (threads - warp)) - 1;
  return all << emulated::lane() / size * size & existing;
}
}  // namespace details

// A tile of Size threads; tiled_partition makes one that knows its parent's type,
// thread_block_tile<32> is one of any.
template <unsigned Size, class Parent = void>
class thread_block_tile : public lanes {
  static_assert(
      Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
      "a tile has 1, 2, 4, 8, 16 or 32 threads (tiles of several warps are not emulated)");

 public:
  thread_block_tile(unsigned rank, unsigned groups)
      : lanes(details::tile_mask(Size), rank, groups) {}
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other>& tile) : lanes(tile) {}
  static constexpr unsigned num_threads() { return Size; }
  static constexpr unsigned size() { return Size; }
  static unsigned thread_rank() { return emulated::thread_rank() % Size; }
};

template <unsigned Size>
thread_block_tile<Size, thread_block> tiled_partition(const thread_block&) {
  return {emulated::thread_rank() / Size, (thread_block::num_threads() + Size - 1) / Size};
}
template <unsigned Size, unsigned Outer, class Parent>
thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(
    const thread_block_tile<Outer, Parent>&) {
  static_assert(Size <= Outer, "a tile cannot be larger than the group that it divides");
  return {emulated::thread_rank() % Outer / Size, Outer / Size};
}

// The lanes that are at this place together.
class coalesced_group : public lanes {
 public:
  explicit coalesced_group(unsigned mask, unsigned rank = 0, unsigned groups = 1)
      : lanes(mask, rank, groups) {}
  coalesced_group(const lanes& group) : lanes(group) {}

 private:
  friend coalesced_group tiled_partition(const coalesced_group& group, unsigned size);
};
inline coalesced_group coalesced_threads(EMULATED_AT) { return coalesced_group(__activemask(at)); }
// Cuts a group into groups of `size` ranks that follow each other; the last may be smaller.
inline coalesced_group tiled_partition(const coalesced_group& group, unsigned size) {
  const unsigned mine = group.thread_rank() / size;
  unsigned mask = 0;
  for (unsigned rank = mine * size; rank < (mine + 1) * size && rank < group.size(); ++rank)
    mask |= 1u << group.lane_of(rank);
  return coalesced_group(mask, mine, (group.size() + size - 1) / size);
}

// A group of any kind: the whole block or lanes of a warp.
class thread_group {
 public:
  thread_group(const thread_block&) {}
  thread_group(const lanes& group) : mask_(group.emulated_mask()) {}

  unsigned num_threads() const {
    return mask_ == 0 ? thread_block::num_threads() : static_cast<unsigned>(std::popcount(mask_));
  }
  unsigned size() const { return num_threads(); }
  unsigned thread_rank() const {
    return mask_ == 0 ? emulated::thread_rank() : coalesced_group(mask_).thread_rank();
  }
  void sync(EMULATED_AT) const {
    if (mask_ == 0)
      thread_block::sync(at);
    else
      __syncwarp(mask_, at);
  }
  unsigned emulated_mask() const { return mask_; }

 private:
  unsigned mask_ = 0;  // the lanes; 0: the whole block
};
// Cuts a group into tiles of `size` threads, a power of two up to 32.
inline thread_group tiled_partition(const thread_group& group, unsigned size) {
  if (group.emulated_mask() != 0)
    return tiled_partition(coalesced_group(group.emulated_mask()), size);
  return coalesced_group(details::tile_mask(size));
}

// The threads of a group with the same answer.
template <class Group>
coalesced_group binary_partition(const Group& group, bool predicate, EMULATED_AT) {
  return coalesced_group(__match_any_sync(group.emulated_mask(), static_cast<int>(predicate), at));
}

template <class Group>
void sync(const Group& group, EMULATED_AT) {
  group.sync(at);
}

}  // namespace cooperative_groups
