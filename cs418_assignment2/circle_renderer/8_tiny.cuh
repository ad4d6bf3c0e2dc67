#pragma once
// Rung 8, "tiny": for very many very small circles, of which only a few lie over each pixel. There the bins
// are of no use: a tile of 16 x 8 pixels would look at thousands of circles to find those few that touch it,
// and no pixel ever becomes opaque. It is better to send each circle where it belongs.
//
//   1. A kernel puts a record of each circle into the list of every tile (32 x 8 pixels) that it may touch, in
//      any order: a block counts its circles per tile, reserves the room with one atomic addition, fills it.
//   2. A block per tile. First each thread takes circles: it finds their pixels, two or three each way, and
//      puts their numbers into the pixels' lists in shared memory. Then each thread takes a pixel: it sorts
//      its list, a handful of numbers, and blends in input order, with the reference's own operations.
//
// What it gains over bins: micro2M 0.174 ms instead of 1.42 on an H200 (README.md, "Results"): nobody looks
// at a circle in vain.

#include <cstddef>
#include <stdexcept>

#include "cuda_renderer.cuh"
#include "method.cuh"
#include "shading.cuh"
#include "sort_in_registers.cuh"
#include "tiny_plan.cuh"
#include "whole_picture.cuh"

constexpr int tiny_bin_threads = 1024, tiny_circles_per_thread = 8;

/// Each block takes 8192 circles, eight per thread, which stay in registers. counters: one int per tile, in
/// dynamic shared memory.
__global__ void __launch_bounds__(tiny_bin_threads, 1)
    tiny_bin_kernel(Circles circles, PixelGrid grid, TinyLists lists) {
  extern __shared__ int counters[];
  const int first = blockIdx.x * (tiny_bin_threads * tiny_circles_per_thread) + threadIdx.x;
  float4 shapes[tiny_circles_per_thread];
#pragma unroll
  for (int k = 0; k < tiny_circles_per_thread; ++k) {
    const int i = first + k * tiny_bin_threads;
    shapes[k] = i < circles.count ? circles.shapes[i] : make_float4(0, 0, -1, 0);  // that one touches nothing
  }
  const int tiles = lists.tiles_across * lists.tiles_up;
  for (int t = threadIdx.x; t < tiles; t += tiny_bin_threads) counters[t] = 0;
  __syncthreads();

#pragma unroll
  for (int k = 0; k < tiny_circles_per_thread; ++k) {
    const TinyTiles touched = tiny_tiles(shapes[k], grid, lists.tiles_across);
    for (int t = 0; t < touched.count; ++t) atomicAdd(&counters[touched.at(t, lists.tiles_across)], 1);
  }
  __syncthreads();

  // From "how many" to "where the block's part of the list begins".
  for (int t = threadIdx.x; t < tiles; t += tiny_bin_threads) {
    const int count = counters[t];
    if (count > 0) counters[t] = atomicAdd(&lists.counts[t], count);
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < tiny_circles_per_thread; ++k) {
    const TinyTiles touched = tiny_tiles(shapes[k], grid, lists.tiles_across);
    for (int t = 0; t < touched.count; ++t) {
      const int tile = touched.at(t, lists.tiles_across);
      const int place = atomicAdd(&counters[tile], 1);
      lists.records[static_cast<std::size_t>(tile) * lists.capacity + place] =
          make_float4(shapes[k].x, shapes[k].y, shapes[k].z, __int_as_float(first + k * tiny_bin_threads));
    }
  }
}

/// Sorts the `count` <= N keys of a pixel (keys[k * TinyTile::pixels]) and blends in that order. The low bits
/// of a key are the place of the circle's paint.
template <int N>
__device__ inline void sort_and_blend(const unsigned* list, int count, const float4* paints, Blend& pixel) {
  unsigned keys[N];
#pragma unroll
  for (int k = 0; k < N; ++k) keys[k] = k < count ? list[k * TinyTile::pixels] : 0xffffffffu;
  sort_in_registers(keys);
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (k >= count) continue;
    Prepared circle{};
    circle.paint = paints[keys[k] & ((1u << tiny_slot_bits) - 1)];
    FlatInOrder::blend(pixel, circle, 0);
  }
}

/// One block per tile, one thread per pixel. Dynamic shared memory: paints[capacity], then
/// keys[depth][pixels].
__global__ void __launch_bounds__(TinyTile::pixels, 5)
    tiny_tile_kernel(Circles circles, TinyLists lists, Canvas canvas, Background background) {
  extern __shared__ float4 paints[];
  unsigned* keys = reinterpret_cast<unsigned*>(paints + lists.capacity);
  __shared__ int counts[TinyTile::pixels];
  const int thread = threadIdx.x, tile = blockIdx.x;
  const int left = tile % lists.tiles_across * TinyTile::width,
            bottom = tile / lists.tiles_across * TinyTile::height;
  counts[thread] = 0;
  const int records = lists.counts[tile];

  // Now a thread is up to three circles. Both loads of all three are on their way before the first is used.
  float4 record[tiny_records_per_thread];
  Rgb color[tiny_records_per_thread];
  float alpha[tiny_records_per_thread];
#pragma unroll
  for (int k = 0; k < tiny_records_per_thread; ++k) {
    const int slot = thread + k * TinyTile::pixels;
    record[k] = slot < records ? lists.records[static_cast<std::size_t>(tile) * lists.capacity + slot]
                               : make_float4(0, 0, 0, 0);
  }
#pragma unroll
  for (int k = 0; k < tiny_records_per_thread; ++k) {
    const int slot = thread + k * TinyTile::pixels, i = __float_as_int(record[k].w);
    color[k] = slot < records ? circles.colors[i] : Rgb{0, 0, 0};
    // A record has no room for alpha. Nearly always one is enough for all.
    alpha[k] = lists.alpha >= 0 ? lists.alpha : slot < records ? circles.shapes[i].w : 0;
  }
  __syncthreads();                          // counts are 0, and everybody has read lists.counts
  if (thread == 0) lists.counts[tile] = 0;  // ready for the next frame

#pragma unroll
  for (int k = 0; k < tiny_records_per_thread; ++k) {
    const int slot = thread + k * TinyTile::pixels;
    if (slot >= records) continue;
    const float4 circle = record[k];
    paints[slot] = make_float4(alpha[k] * color[k].red, alpha[k] * color[k].green, alpha[k] * color[k].blue,
                               1 - alpha[k]);
    const unsigned key =
        static_cast<unsigned>(__float_as_int(circle.w)) << tiny_slot_bits | static_cast<unsigned>(slot);
    const PixelRange columns = pixel_range(circle.x, circle.z, canvas.grid);
    const PixelRange rows = pixel_range(circle.y, circle.z, canvas.grid);
    for (int row = max(rows.first, bottom); row <= min(rows.last, bottom + TinyTile::height - 1); ++row)
      for (int column = max(columns.first, left); column <= min(columns.last, left + TinyTile::width - 1);
           ++column) {
        const float dx = canvas.grid.center(column) - circle.x;
        const float dy = canvas.grid.center(row) - circle.y;
        if (!(squared_distance(dx, dy) <= circle.z * circle.z)) continue;
        const int pixel = (row - bottom) * TinyTile::width + column - left;
        keys[atomicAdd(&counts[pixel], 1) * TinyTile::pixels + pixel] = key;
      }
  }
  __syncthreads();

  // Now a thread is a pixel. The longest list of the warp decides how many numbers are sorted.
  const int column = left + thread % TinyTile::width, row = bottom + thread / TinyTile::width;
  const Rgb behind = background_at(background, canvas.grid.center(row));
  Blend pixel = FlatInOrder::start(behind);
  const int count = counts[thread];
  const unsigned* list = keys + thread;
  if (__all_sync(all_lanes, count <= 8))
    sort_and_blend<8>(list, count, paints, pixel);
  else if (__all_sync(all_lanes, count <= 16))
    sort_and_blend<16>(list, count, paints, pixel);
  else
    sort_and_blend<tiny_most_depth>(list, count, paints, pixel);
  if (column < canvas.grid.size && row < canvas.grid.size)
    canvas.at(column, row) = make_float4(pixel.red, pixel.green, pixel.blue, 1);
}

/// How long the lists can get is counted beforehand on the host (tiny_plan.cuh). So they cannot overflow, and
/// scenes that do not suit are refused: animated ones, large circles, many circles over a pixel.
class TinyRenderer : public WholePictureRenderer {
 public:
  TinyRenderer(const Scene& scene, int size) : TinyRenderer(scene, size, TinyPlan::of(scene, size)) {}
  // `plan`: TinyPlan::of(scene, size), without a problem.
  TinyRenderer(const Scene& scene, int size, const TinyPlan& plan)
      : WholePictureRenderer(scene, size),
        plan_(plan),
        across_(div_up(size, TinyTile::width)),
        up_(div_up(size, TinyTile::height)) {
    if (!plan.problem.empty()) throw std::invalid_argument("tiny: " + plan.problem);
    records_ =
        DeviceMemory<float4>(static_cast<std::size_t>(tiles()) * static_cast<std::size_t>(plan.capacity));
    counts_ = DeviceMemory<int>(static_cast<std::size_t>(tiles()));
    HANDLE_ERROR(cudaMemset(counts_.get(), 0, counts_.bytes()));
    HANDLE_ERROR(cudaFuncSetAttribute(tiny_bin_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(bin_shared_bytes())));
    HANDLE_ERROR(cudaFuncSetAttribute(tiny_tile_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(tile_shared_bytes())));
  }

  std::size_t bytes_beside_image() const override {
    return WholePictureRenderer::bytes_beside_image() + records_.bytes() + counts_.bytes();
  }

 protected:
  void enqueue(cudaStream_t stream) override {
    const TinyLists lists{records_.get(), counts_.get(), plan_.capacity, across_, up_, plan_.alpha};
    const int blocks = div_up(scene().count(), tiny_bin_threads * tiny_circles_per_thread);
    tiny_bin_kernel<<<blocks, tiny_bin_threads, bin_shared_bytes(), stream>>>(device_circles(), grid(),
                                                                              lists);
    HANDLE_ERROR(cudaGetLastError());
    tiny_tile_kernel<<<tiles(), TinyTile::pixels, tile_shared_bytes(), stream>>>(
        device_circles(), lists, canvas(), scene().background);
    HANDLE_ERROR(cudaGetLastError());
  }

 private:
  int tiles() const { return across_ * up_; }
  std::size_t bin_shared_bytes() const { return static_cast<std::size_t>(tiles()) * sizeof(int); }
  std::size_t tile_shared_bytes() const {
    return static_cast<std::size_t>(plan_.capacity) * sizeof(float4) +
           static_cast<std::size_t>(plan_.depth) * TinyTile::pixels * sizeof(unsigned);
  }

  TinyPlan plan_;
  int across_, up_;
  DeviceMemory<float4> records_;
  DeviceMemory<int> counts_;
};

inline constexpr CircleMethod tiny_method = {
    .name = "tiny",
    .help = "lists per tile, sorted per pixel; 100,000 tiny circles or more",
    .make = make_renderer<TinyRenderer>,
    .cannot_draw = [](const Scene& scene, int size) { return TinyPlan::of(scene, size).problem; }};
