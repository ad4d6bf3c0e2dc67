#pragma once
// tiny - an A-buffer, for very many tiny circles: a list of fragments per pixel, sorted.
//
// Only a few such circles cover each pixel, and bins do not help. A tile would test thousands of
// circles to find the few that touch it, and no pixel ever becomes opaque. So each circle is sent
// to its tiles (scatter).
//   1. A kernel puts a record of each circle into the list of every tile that it may touch, in any
//      order. A block counts its circles per tile, reserves room with one atomic addition, fills
//      it.
//   2. A block per tile. First each thread takes circles: it finds their pixels, two or three each
//      way, and puts their numbers into the pixels' lists in shared memory. Then each thread takes
//      a pixel: it sorts its list, a handful of numbers, and blends in input order, with the
//      reference's own operations.
//
// Gain over bins on an H200: micro2M 1.44 -> 0.183 ms
// No thread tests a circle that does not cover its pixel.
//
// Needed: circle.h (circles, the image, and the formulas of all rungs), scene.h (what a scene has).

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "circle.h"
#include "scene.h"

namespace circle_renderer {

/// A tile, for this rung: the pixels of a block, one per thread.
struct TileShape {
  static constexpr int width = 32;
  static constexpr int height = 8;
  static constexpr int pixels = width * height;
};

constexpr int tiny_records_per_thread = 3;
constexpr int tiny_max_records = tiny_records_per_thread * TileShape::pixels;  // of a tile
constexpr int tiny_max_depth = 32;  // circles over a pixel

// A key is a circle's number and, in the low bits, its slot: the place of its record in the list.
constexpr int tiny_slot_bits = 11;
static_assert(tiny_max_records < 1 << tiny_slot_bits);
constexpr int tiny_max_circles = 1 << (32 - tiny_slot_bits);

/// The tiles that a circle may touch: at most two each way, because it is much smaller than a tile.
/// The k-th of `count` is at(k).
struct TouchedTiles {
  int first;
  int columns;  // 1 or 2, so k & (columns - 1) is k % columns
  int count;

  __host__ __device__ int at(int k, int tiles_across) const {
    return first + (k & (columns - 1)) + (k >= columns ? tiles_across : 0);
  }
};
__host__ __device__ inline TouchedTiles tiles_touched_by(const CircleShape& shape,
                                                         const Canvas& image, int tiles_across) {
  const PixelRange columns = pixel_range(shape.x, shape.radius, image);
  const PixelRange rows = pixel_range(shape.y, shape.radius, image);
  if (columns.first > columns.last || rows.first > rows.last) return {0, 1, 0};
  const int left = columns.first / TileShape::width;
  const int right = columns.last / TileShape::width;
  const int low = rows.first / TileShape::height;
  const int high = rows.last / TileShape::height;
  const int first = low * tiles_across + left;
  const int tile_columns = right - left + 1;
  const int tile_rows = high - low + 1;
  return {.first = first, .columns = tile_columns, .count = tile_columns * tile_rows};
}

/// A circle as a tile's list has it: 16 bytes, which one access writes or reads.
struct alignas(16) TinyRecord {
  float x;
  float y;
  float radius;
  int number;
};

/// The lists of all tiles: tile t has the records[t * capacity ...], counts[t] of them.
struct TinyLists {
  TinyRecord* records;
  int* counts;  // all 0 before and after a frame
  int capacity;
  int tiles_across;
  int tiles_up;
  float alpha;  // of all circles
};

constexpr int tiny_bin_threads = 1024;
constexpr int tiny_circles_per_thread = 8;

/// A block's circles stay in its registers. counters: one int per tile, in dynamic shared memory.
static __global__ void __launch_bounds__(tiny_bin_threads, 1)
    tiny_bin_kernel(Circles circles, Canvas image, TinyLists lists) {
  extern __shared__ int counters[];
  const int first = threadIdx.x + blockIdx.x * (tiny_bin_threads * tiny_circles_per_thread);
  CircleShape shapes[tiny_circles_per_thread];
#pragma unroll
  for (int k = 0; k < tiny_circles_per_thread; ++k) {
    const int i = first + k * tiny_bin_threads;
    const CircleShape none = {0, 0, -1, 0};  // touches nothing
    shapes[k] = i < circles.count ? circles.shapes[i] : none;
  }

  // The number of circles that may touch each tile.
  const int tiles = lists.tiles_across * lists.tiles_up;
  for (int t = threadIdx.x; t < tiles; t += tiny_bin_threads) counters[t] = 0;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < tiny_circles_per_thread; ++k) {
    const TouchedTiles touched = tiles_touched_by(shapes[k], image, lists.tiles_across);
    for (int t = 0; t < touched.count; ++t)
      atomicAdd(&counters[touched.at(t, lists.tiles_across)], 1);
  }
  __syncthreads();

  // The place where the block's part of each tile's list begins.
  for (int t = threadIdx.x; t < tiles; t += tiny_bin_threads) {
    const int count = counters[t];
    if (count > 0) counters[t] = atomicAdd(&lists.counts[t], count);
  }
  __syncthreads();

  // The records, each at the next place.
#pragma unroll
  for (int k = 0; k < tiny_circles_per_thread; ++k) {
    const TouchedTiles touched = tiles_touched_by(shapes[k], image, lists.tiles_across);
    for (int t = 0; t < touched.count; ++t) {
      const int tile = touched.at(t, lists.tiles_across);
      const int place = atomicAdd(&counters[tile], 1);
      lists.records[static_cast<size_t>(tile) * lists.capacity + place] = {
          shapes[k].x, shapes[k].y, shapes[k].radius, first + k * tiny_bin_threads};
    }
  }
}

/// Batcher's odd-even merge sort of N numbers in registers: it merges sorted runs of length Run,
/// two at a time, by comparing numbers Distance apart. Which pairs are compared does not depend on
/// the numbers, so with everything unrolled there is no branch and no indexing. (D. Knuth, The Art
/// of Computer Programming, volume 3, algorithm 5.2.2M.)
template <int N, int Run = 1, int Distance = 1>
__device__ inline void sort_in_registers(unsigned (&keys)[N]) {
#pragma unroll
  for (int i = Distance % Run; i < N - Distance; ++i) {
    const bool is_lower = (i - Distance % Run) % (2 * Distance) < Distance;
    const bool in_same_runs = i / (2 * Run) == (i + Distance) / (2 * Run);
    if (is_lower && in_same_runs) {
      const unsigned smaller = min(keys[i], keys[i + Distance]);
      const unsigned larger = max(keys[i], keys[i + Distance]);
      keys[i] = smaller;
      keys[i + Distance] = larger;
    }
  }
  if constexpr (Distance > 1)
    sort_in_registers<N, Run, Distance / 2>(keys);
  else if constexpr (2 * Run < N)
    sort_in_registers<N, 2 * Run, 2 * Run>(keys);
}

/// Sorts the `count` <= N keys of a pixel, list[k * TileShape::pixels], and blends in that order.
template <int N>
__device__ inline void sort_and_blend(const unsigned* list, int count, const float4* paints,
                                      Rgb& pixel) {
  unsigned keys[N];
#pragma unroll
  for (int k = 0; k < N; ++k) keys[k] = k < count ? list[k * TileShape::pixels] : 0xffffffffu;
  sort_in_registers(keys);
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (k >= count) continue;
    const float4 paint = paints[keys[k] & ((1u << tiny_slot_bits) - 1)];
    pixel = {product(paint.w, pixel.red) + paint.x, product(paint.w, pixel.green) + paint.y,
             product(paint.w, pixel.blue) + paint.z};
  }
}

/// The same for a list of any length. The longest one of the warp decides how many keys are sorted.
__device__ inline void sort_and_blend(const unsigned* list, int count, const float4* paints,
                                      Rgb& pixel) {
  if (__all_sync(0xffffffffu, count <= 8))
    sort_and_blend<8>(list, count, paints, pixel);
  else if (__all_sync(0xffffffffu, count <= 16))
    sort_and_blend<16>(list, count, paints, pixel);
  else
    sort_and_blend<tiny_max_depth>(list, count, paints, pixel);
}

/// Puts the key into the lists of the pixels that the circle covers, as far as they lie in the tile
/// from column `left` and row `bottom` on. counts[pixel]: how many keys its list has.
__device__ inline void list_in_pixels(const TinyRecord& circle, unsigned key, const Canvas& image,
                                      int left, int bottom, int* counts, unsigned* keys) {
  const PixelRange columns = pixel_range(circle.x, circle.radius, image);
  const PixelRange rows = pixel_range(circle.y, circle.radius, image);
  const int last_row = min(rows.last, bottom + TileShape::height - 1);
  const int last_column = min(columns.last, left + TileShape::width - 1);
  for (int row = max(rows.first, bottom); row <= last_row; ++row)
    for (int column = max(columns.first, left); column <= last_column; ++column) {
      const float dx = image.center(column) - circle.x;
      const float dy = image.center(row) - circle.y;
      if (!(squared_distance(dx, dy) <= circle.radius * circle.radius)) continue;
      const int pixel = (row - bottom) * TileShape::width + column - left;
      const int place = atomicAdd(&counts[pixel], 1);
      keys[place * TileShape::pixels + pixel] = key;
    }
}

/// One block per tile, one thread per pixel. Dynamic shared memory: paints[capacity], then
/// keys[depth][pixels].
static __global__ void __launch_bounds__(TileShape::pixels, 5)
    tiny_tile_kernel(Circles circles, TinyLists lists, Canvas image, Background background) {
  extern __shared__ float4 paints[];
  unsigned* keys = reinterpret_cast<unsigned*>(paints + lists.capacity);
  __shared__ int counts[TileShape::pixels];
  const int thread = threadIdx.x;
  const int tile = blockIdx.x;
  const int left = tile % lists.tiles_across * TileShape::width;
  const int bottom = tile / lists.tiles_across * TileShape::height;
  counts[thread] = 0;
  const int circles_here = lists.counts[tile];

  // First a thread handles a few circles. All their loads are in flight before the first is
  // used.
  TinyRecord records[tiny_records_per_thread];
  Rgb colors[tiny_records_per_thread];
#pragma unroll
  for (int k = 0; k < tiny_records_per_thread; ++k) {
    const int slot = thread + k * TileShape::pixels;
    records[k] = slot < circles_here
                     ? lists.records[static_cast<size_t>(tile) * lists.capacity + slot]
                     : TinyRecord{};
  }
#pragma unroll
  for (int k = 0; k < tiny_records_per_thread; ++k) {
    const int slot = thread + k * TileShape::pixels;
    colors[k] = slot < circles_here ? circles.colors[records[k].number] : Rgb{0, 0, 0};
  }
  __syncthreads();                          // counts are 0, and all have read lists.counts
  if (thread == 0) lists.counts[tile] = 0;  // ready for the next frame

#pragma unroll
  for (int k = 0; k < tiny_records_per_thread; ++k) {
    const int slot = thread + k * TileShape::pixels;
    if (slot >= circles_here) continue;
    paints[slot] = make_float4(lists.alpha * colors[k].red, lists.alpha * colors[k].green,
                               lists.alpha * colors[k].blue, 1 - lists.alpha);
    const unsigned number = static_cast<unsigned>(records[k].number);
    const unsigned key = number << tiny_slot_bits | static_cast<unsigned>(slot);
    list_in_pixels(records[k], key, image, left, bottom, counts, keys);
  }
  __syncthreads();

  // Now a thread handles a pixel.
  const int column = left + thread % TileShape::width;
  const int row = bottom + thread / TileShape::width;
  Rgb pixel = background_at(background, image.center(row));
  sort_and_blend(keys + thread, counts[thread], paints, pixel);
  if (column < image.size && row < image.size)
    image.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);
}

/// The sizes of the lists, so that they cannot overflow.
struct TinyPlan {
  int tiles_across;  ///< tiles in a row
  int tiles_up;      ///< rows of tiles
  int capacity = 0;  ///< records per tile, at most
  int depth = 0;     ///< circles over a pixel, at most

  int tiles() const { return tiles_across * tiles_up; }
};

/// Counts the plan of a scene at rest, on the host.
inline TinyPlan tiny_plan(const Scene& scene, int size) {
  TinyPlan plan = {.tiles_across = div_up(size, TileShape::width),
                   .tiles_up = div_up(size, TileShape::height)};
  const Canvas image = Canvas::of(nullptr, size);
  std::vector<float> centers;
  for (int i = 0; i < size; ++i) centers.push_back(image.center(i));
  std::vector<int> records(static_cast<size_t>(plan.tiles()));
  std::vector<int> depths(static_cast<size_t>(size) * static_cast<size_t>(size));
  for (const Circle& circle : scene.circles) {
    const TouchedTiles touched =
        tiles_touched_by({circle.x, circle.y, circle.radius, 0}, image, plan.tiles_across);
    for (int k = 0; k < touched.count; ++k) {
      int& of_tile = records[static_cast<size_t>(touched.at(k, plan.tiles_across))];
      ++of_tile;
      plan.capacity = std::max(plan.capacity, of_tile);
    }
    const PixelRange columns = pixel_range(circle.x, circle.radius, image);
    const PixelRange rows = pixel_range(circle.y, circle.radius, image);
    for (int row = rows.first; row <= rows.last; ++row)
      for (int column = columns.first; column <= columns.last; ++column) {
        const float dx = centers[static_cast<size_t>(column)] - circle.x;
        const float dy = centers[static_cast<size_t>(row)] - circle.y;
        if (!(squared_distance(dx, dy) <= circle.radius * circle.radius)) continue;
        int& of_pixel =
            depths[static_cast<size_t>(row) * centers.size() + static_cast<size_t>(column)];
        ++of_pixel;
        plan.depth = std::max(plan.depth, of_pixel);
      }
  }
  return plan;
}

/// The reason why this rung cannot draw the scene, as a clause; empty if it can.
inline std::string tiny_problem(const Scene& scene, int size) {
  constexpr int max_diameter = 5;      // pixels
  constexpr int min_circles = 100000;  // fewer are as fast with bins
  constexpr int max_size = 2048;       // the counters of its tiles take 64 KiB of shared memory
  bool suits = scene.animation == Animation::none && !scene.snowflakes;
  suits &= scene.count() >= min_circles && scene.count() <= tiny_max_circles;
  suits &= size <= max_size;
  for (const Circle& circle : scene.circles) {
    suits &= 2 * circle.radius * static_cast<float>(size) <= max_diameter;
    suits &= circle.alpha == scene.circles[0].alpha;
  }
  if (!suits)
    return "takes " + std::to_string(min_circles) + " to " + std::to_string(tiny_max_circles) +
           " circles that do not move, all with the same alpha, with diameters of up to " +
           std::to_string(max_diameter) + " pixels, in pictures of up to " +
           std::to_string(max_size) + " pixels per side";
  const TinyPlan plan = tiny_plan(scene, size);
  if (plan.capacity > tiny_max_records || plan.depth > tiny_max_depth)
    return "does not take so many circles over one tile or one pixel";
  return "";
}

class Tiny {
 public:
  /// For a scene without tiny_problem().
  Tiny(const Scene& scene, int size)
      : background_(scene.background),
        plan_(tiny_plan(scene, size)),
        records_(static_cast<size_t>(plan_.tiles()) * static_cast<size_t>(plan_.capacity)),
        counts_(static_cast<size_t>(plan_.tiles())),
        lists_{.records = records_.get(),
               .counts = counts_.get(),
               .capacity = plan_.capacity,
               .tiles_across = plan_.tiles_across,
               .tiles_up = plan_.tiles_up,
               .alpha = scene.circles[0].alpha} {
    HANDLE_ERROR(cudaMemset(counts_.get(), 0, counts_.bytes()));
    HANDLE_ERROR(cudaFuncSetAttribute(tiny_bin_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(bin_shared_bytes())));
    HANDLE_ERROR(cudaFuncSetAttribute(tiny_tile_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(tile_shared_bytes())));
  }

  void run(const Circles& circles, const Canvas& image, cudaStream_t stream) const {
    const int blocks = div_up(circles.count, tiny_bin_threads * tiny_circles_per_thread);
    const size_t shared = bin_shared_bytes();
    tiny_bin_kernel<<<blocks, tiny_bin_threads, shared, stream>>>(circles, image, lists_);
    HANDLE_ERROR(cudaGetLastError());
    tiny_tile_kernel<<<plan_.tiles(), TileShape::pixels, tile_shared_bytes(), stream>>>(
        circles, lists_, image, background_);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  size_t bin_shared_bytes() const { return counts_.bytes(); }  // as many counters
  size_t tile_shared_bytes() const {
    return static_cast<size_t>(plan_.capacity) * sizeof(float4) +
           static_cast<size_t>(plan_.depth) * TileShape::pixels * sizeof(unsigned);
  }

  Background background_;
  TinyPlan plan_;
  DeviceMemory<TinyRecord> records_;
  DeviceMemory<int> counts_;
  TinyLists lists_;
};

}  // namespace circle_renderer
