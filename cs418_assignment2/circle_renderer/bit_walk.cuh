#pragma once
// A warp of `bins` goes along a row of bits: it turns 1001 0100 ... into the list 0, 3, 5, ...
// (stream compaction), as much of it as needed, and in order.

#include <cuda_runtime.h>

#include "warp_tile.cuh"

namespace circle_renderer {

/// The circles of one step of a walking warp: each lane takes a uint4 of bits.
constexpr int circles_per_lane = 128;
constexpr int circles_per_step = 32 * circles_per_lane;

/// Walks along a bin's bits and hands out the numbers of the circles, in order. One for each warp;
/// all lanes call its functions together. The numbers wait in a queue in shared memory.
class BitWalk {
 public:
  static constexpr int capacity = 2 * circles_per_lane;

  /// `queue`: `capacity` numbers in shared memory. `row`: the bin's bits, `length` x four words.
  __device__ BitWalk(int* queue, const uint4* row, int length)
      : lane_(threadIdx.x % 32),
        queue_(queue),
        row_(row),
        length_(length),
        steps_((length + 31) / 32) {
    ahead_ = words_of(0);
    refill();
  }

  __device__ int waiting() const { return end_ - begin_; }
  __device__ int number(int k) const { return queue_[begin_ + k]; }

  /// Drops the first `count`. Afterwards 32 wait, or all that are left.
  __device__ void drop(int count) {
    begin_ += count;
    if (waiting() < 32) refill();
  }

 private:
  // This lane's four words of a step; 0 beyond the end of the row.
  __device__ uint4 words_of(int step) const {
    const int at = step * 32 + lane_;
    return at < length_ ? row_[at] : uint4{0, 0, 0, 0};
  }

  __device__ void refill() {
    // Fewer than 32 wait: they move to the front.
    __syncwarp();
    const int left = waiting();
    const int moved = lane_ < left ? queue_[begin_ + lane_] : 0;
    __syncwarp();
    if (lane_ < left) queue_[lane_] = moved;
    begin_ = 0;
    end_ = left;

    while (end_ < 32) {
      if (!unpacking_) {
        if (step_ == steps_) break;
        words_ = ahead_;
        first_number_ = step_ * circles_per_step + lane_ * circles_per_lane;
        ++step_;
        ahead_ = words_of(step_);  // in flight while these are unpacked
      }
      const int mine = __popc(words_.x) + __popc(words_.y) + __popc(words_.z) + __popc(words_.w);
      unpacking_ = __any_sync(all_lanes, mine > 0);
      if (!unpacking_) continue;
      // As many lanes as find room put their numbers into the queue. The first with any always
      // does: there is room for all of a lane.
      const int inclusive = warp_inclusive_scan(mine, lane_);
      const bool fits = inclusive <= capacity - end_;
      const int fitting = __popc(__ballot_sync(all_lanes, fits));
      if (fits) {
        int place = end_ + inclusive - mine;
        unpack(words_.x, first_number_, place);
        unpack(words_.y, first_number_ + 32, place);
        unpack(words_.z, first_number_ + 64, place);
        unpack(words_.w, first_number_ + 96, place);
      }
      if (fitting > 0) end_ += __shfl_sync(all_lanes, inclusive, fitting - 1);
      unpacking_ = fitting < 32;
    }
    __syncwarp();
  }

  __device__ void unpack(unsigned& word, int number, int& place) {
    while (word != 0) {
      queue_[place] = number + __ffs(word) - 1;
      ++place;
      word &= word - 1;  // without its lowest bit
    }
  }

  int lane_;
  int* queue_;
  const uint4* row_;
  int length_;
  int steps_;
  int step_ = 0;
  int begin_ = 0;
  int end_ = 0;
  uint4 words_{};
  uint4 ahead_{};
  int first_number_ = 0;
  bool unpacking_ = false;  // words_ has bits left
};

}  // namespace circle_renderer
