#pragma once
// Method "bins": which circles may matter here? One bit for each circle and bin, and the order comes for
// free.
//
// The image is cut into at most 16 x 16 bins. A first kernel sets, for each bin, the bits of the circles that
// may touch it: bit n of a bin's row stands for the n-th circle in the order of drawing. So a row of bits
// *is* an ordered list: nothing has to be sorted or scanned, and no list can overflow. It takes at most 32
// bytes a circle. (The idea of the bins is that of S. Laine and T. Karras, "High-performance software
// rasterization on GPUs", 2011.)
//
// A second kernel draws. Each warp has its own tile (warp_tile.cuh), walks along the bits of the bin around
// it, gathers 32 circles at a time, culls them against the tile, blends, and stops when the tile is opaque.
//
// Front to back, most of a long scene is never needed. So it can be done in two passes: the first bins and
// draws only the newest circles, the second does the rest, where pixels are left unfinished. Whether any are,
// the second pass finds out on the device; the host never waits.

#include "../device/block_scan.cuh"
#include "device_scene.cuh"
#include "front.cuh"
#include "shading.cuh"
#include "warp_tile.cuh"

// How the image is cut. A bin's side is a multiple of the tile's, so that each tile lies in one bin.
struct BinGrid {
  static constexpr int most_across = 16, most_bins = most_across * most_across, least_side = 64;
  int side;    // pixels
  int across;  // bins in a row, and rows of bins

  static BinGrid for_image(int size) {
    constexpr int step = 16;
    const int side = std::max(least_side, blocks_for(size, most_across * step) * step);
    return {side, blocks_for(size, side)};
  }
  __host__ __device__ int bins() const { return across * across; }
};

// One pass over a part of the scene. The n-th circle of the pass is the (first + n)-th in the order of
// drawing.
struct BinPass {
  int first, count;
  bool is_first, is_last;
};

// The bits: bin b has the words bits[b * words_a_bin ...]. A step of a walking warp takes 128 circles a lane.
constexpr int circles_a_step = 128 * 32;
struct BinBits {
  unsigned* words;
  int words_a_bin;  // a multiple of the words of a block of bin_kernel

  // Small scenes are binned in small blocks, to have work for all multiprocessors.
  static constexpr int few_words = 8, many_words = 32, many_circles = 131072;
  static int words_a_block(int circles) { return circles <= many_circles ? few_words : many_words; }
  static int words_for(int circles) {
    const int words = words_a_block(circles);
    return blocks_for(circles, 32 * words) * words;
  }
};

// Each block sets the bits of 32 * Words circles, one thread a circle, first in shared memory.
template <class Shading, int Words>
__global__ void __launch_bounds__(32 * Words) bin_kernel(Circles circles, BinPass pass, PixelGrid image,
                                                         BinGrid grid, BinBits bits, int* unfinished_tiles) {
  // set[word][bin], with a little room at the end of each row, so that neither the atomics below (one word,
  // many bins) nor the copy at the end (one bin, many words) meet in the same memory bank.
  constexpr int stride = BinGrid::most_bins + 32 / Words;
  __shared__ unsigned set[Words * stride];
  if (pass.is_first) {
    if (blockIdx.x == 0 && threadIdx.x == 0) *unfinished_tiles = 0;
  } else if (*unfinished_tiles == 0) {
    return;
  }
  const int thread = threadIdx.x, word = thread / 32, n = blockIdx.x * (32 * Words) + thread;
  float4 shape{};
  if (n < pass.count) shape = circles.shapes[nth_circle<Shading>(pass.first + n, circles.count)];
  for (int i = thread; i < Words * stride; i += 32 * Words) set[i] = 0;
  __syncthreads();
  if (n < pass.count) {
    const PixelRange columns = pixel_range(shape.x, shape.z, image),
                     rows = pixel_range(shape.y, shape.z, image);
    if (columns.first <= columns.last && rows.first <= rows.last) {
      const int left = columns.first / grid.side, right = columns.last / grid.side;
      const int low = rows.first / grid.side, high = rows.last / grid.side;
      for (int up = low; up <= high; ++up)
        for (int across = left; across <= right; ++across)
          atomicOr(&set[word * stride + up * grid.across + across], 1u << (thread % 32));
    }
  }
  __syncthreads();
  for (int i = thread; i < grid.bins() * Words; i += 32 * Words) {
    const int bin = i / Words, from = i % Words;
    bits.words[static_cast<std::size_t>(bin) * bits.words_a_bin + blockIdx.x * Words + from] =
        set[from * stride + bin];
  }
}

// Walks along a bin's bits and hands out the numbers of the circles, in order. One for each warp.
class BitWalk {
 public:
  static constexpr int capacity = 256;

  // `queue`: `capacity` numbers in shared memory. `row`: the bin's bits, `length` times four words.
  __device__ BitWalk(int* queue, const uint4* row, int length)
      : lane_(threadIdx.x % 32), queue_(queue), row_(row), length_(length), steps_((length + 31) / 32) {
    ahead_ = words_of(0);
    refill();
  }

  __device__ int waiting() const { return end_ - begin_; }
  __device__ int number(int k) const { return queue_[begin_ + k]; }

  // Drops the first `count`. Afterwards 32 wait, or all that are left.
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
        first_number_ = step_ * circles_a_step + lane_ * 128;
        ++step_;
        ahead_ = words_of(step_);  // on its way while these are unpacked
      }
      const int mine = __popc(words_.x) + __popc(words_.y) + __popc(words_.z) + __popc(words_.w);
      unpacking_ = __any_sync(all_lanes, mine > 0);
      if (!unpacking_) continue;
      // As many lanes as find room put their numbers into the queue. The first with any always does: 128 at
      // most.
      const int upto = warp_inclusive_scan(mine, lane_);
      const bool fits = upto <= capacity - end_;
      const int fitting = __popc(__ballot_sync(all_lanes, fits));
      if (fits) {
        int place = end_ + upto - mine;
        unpack(words_.x, first_number_, place);
        unpack(words_.y, first_number_ + 32, place);
        unpack(words_.z, first_number_ + 64, place);
        unpack(words_.w, first_number_ + 96, place);
      }
      if (fitting > 0) end_ += __shfl_sync(all_lanes, upto, fitting - 1);
      unpacking_ = fitting < 32;
    }
    __syncwarp();
  }

  __device__ void unpack(unsigned& word, int number, int& place) {
    while (word != 0) {
      queue_[place++] = number + __ffs(word) - 1;
      word &= word - 1;  // without its lowest bit
    }
  }

  int lane_;
  int* queue_;
  const uint4* row_;
  int length_, steps_, step_ = 0;
  int begin_ = 0, end_ = 0;
  uint4 words_{}, ahead_{};
  int first_number_ = 0;
  bool unpacking_ = false;  // words_ has bits left
};

constexpr int walk_warps = 4;

// Flat circles: 16 x 16 pixels a warp. Snow, whose formula needs more registers: 16 x 8.
template <class Shading>
using WalkTile = WarpTile<Shading, Shading::flat ? 8 : 4>;

// One warp a tile, blocks of 2 x 2 tiles. tile_unfinished: one byte a tile, handed from the first pass to the
// second.
template <class Shading>
__global__ void __launch_bounds__(32 * walk_warps, WalkTile<Shading>::pixels_a_lane == 8 ? 6 : 8)
    walk_kernel(Circles circles, BinPass pass, BinGrid grid, BinBits bits, Canvas canvas,
                Background background, int* unfinished_tiles, unsigned char* tile_unfinished) {
  using Tile = WalkTile<Shading>;
  __shared__ int queues[walk_warps][BitWalk::capacity];
  __shared__ Prepared prepared[walk_warps][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int across = blockIdx.x * 2 + warp % 2, up = blockIdx.y * 2 + warp / 2;
  if (across * Tile::width >= canvas.grid.size || up * Tile::height >= canvas.grid.size)
    return;  // the whole warp
  const int tile_number = up * (gridDim.x * 2) + across;

  if (!pass.is_first && !tile_unfinished[tile_number]) return;
  Tile tile(across, up, canvas, background);
  if (!pass.is_first) tile.resume(canvas);

  const int bin = up * Tile::height / grid.side * grid.across + across * Tile::width / grid.side;
  const uint4* row =
      reinterpret_cast<const uint4*>(bits.words + static_cast<std::size_t>(bin) * bits.words_a_bin);
  BitWalk walk(queues[warp], row, bits.words_a_bin / 4);
  const auto fetch = [&](int count) {
    if (lane >= count) return Candidate{};
    return Shading::fetch(circles, nth_circle<Shading>(pass.first + walk.number(lane), circles.count));
  };

  bool finished = pass.is_last;
  int count = min(32, walk.waiting());
  Candidate circle = fetch(count);
  while (count > 0) {
    const int found = tile.cull(circle, lane < count, prepared[warp]);
    walk.drop(count);
    count = min(32, walk.waiting());
    circle = fetch(count);  // the next circles are on their way while these are blended
    __syncwarp();
    tile.blend(prepared[warp], found);
    __syncwarp();
    if (tile.opaque()) {
      finished = true;
      break;
    }
  }

  if (finished)
    tile.store(canvas, background);
  else
    tile.save(canvas);
  if (!pass.is_last && lane == 0) {
    tile_unfinished[tile_number] = !finished;
    if (!finished) atomicAdd(unfinished_tiles, 1);
  }
}

class BinsRenderer : public WholePictureRenderer {
 public:
  // newest: how many circles the first of two passes takes; at least as many as there are: one pass takes
  // all.
  BinsRenderer(const Scene& scene, int size, int newest)
      : WholePictureRenderer(scene, size),
        newest_(front_to_back() ? std::min(newest, scene.count()) : scene.count()) {
    allocate();
  }
  BinsRenderer(const Scene& scene, int size) : BinsRenderer(scene, size, scene.count()) {}

  std::size_t bytes_beside_image() const override {
    return WholePictureRenderer::bytes_beside_image() + bits_.bytes() + unfinished_tiles_.bytes() +
           tile_unfinished_.bytes();
  }

 protected:
  void enqueue(cudaStream_t stream) override {
    const int rest = scene().count() - newest_;
    pass({0, newest_, true, rest == 0}, stream);
    if (rest > 0) pass({newest_, rest, false, true}, stream);
  }

 private:
  void allocate() {
    bins_ = BinGrid::for_image(size());
    const int most = std::max(newest_, scene().count() - newest_);
    bits_ = DeviceMemory<unsigned>(std::max<std::size_t>(
        1, static_cast<std::size_t>(bins_.bins()) * static_cast<std::size_t>(BinBits::words_for(most))));
    unfinished_tiles_ = DeviceMemory<int>(1);
    if (newest_ == scene().count()) return;  // one pass hands nothing on
    const dim3 blocks = walk_grid<WalkTile<FlatFrontToBack>>();
    tile_unfinished_ = DeviceMemory<unsigned char>(std::size_t{4} * blocks.x * blocks.y);
  }

  template <class Tile>
  dim3 walk_grid() const {
    return dim3(blocks_for(tiles_across<Tile>(size()), 2), blocks_for(tiles_up<Tile>(size()), 2));
  }

  void pass(const BinPass& pass, cudaStream_t stream) {
    const BinBits bits{bits_.get(), BinBits::words_for(pass.count)};
    with_fastest_shading(scene(), front_to_back(), [&](auto shading) {
      using Shading = decltype(shading);
      constexpr int few = BinBits::few_words, many = BinBits::many_words;
      const int words = BinBits::words_a_block(pass.count), blocks = bits.words_a_bin / words;
      if (pass.count == 0) {
        // No bits to set. The walk still has to draw the background.
      } else if (words == few) {
        bin_kernel<Shading, few><<<blocks, 32 * few, 0, stream>>>(device_circles(), pass, grid(), bins_, bits,
                                                                  unfinished_tiles_.get());
      } else {
        bin_kernel<Shading, many><<<blocks, 32 * many, 0, stream>>>(device_circles(), pass, grid(), bins_,
                                                                    bits, unfinished_tiles_.get());
      }
      HANDLE_ERROR(cudaGetLastError());
      using Tile = WalkTile<Shading>;
      walk_kernel<Shading><<<walk_grid<Tile>(), 32 * walk_warps, 0, stream>>>(
          device_circles(), pass, bins_, bits, canvas(), scene().background, unfinished_tiles_.get(),
          tile_unfinished_.get());
      HANDLE_ERROR(cudaGetLastError());
    });
  }

  int newest_;
  BinGrid bins_{};
  DeviceMemory<unsigned> bits_;
  DeviceMemory<int> unfinished_tiles_;
  DeviceMemory<unsigned char> tile_unfinished_;
};
