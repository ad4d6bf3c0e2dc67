#pragma once
// Class Scanner: launches the kernels of scan_kernels.cuh, and the library's scans beside them.
// find_repeats, the tests and the benchmark use it too.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/device.h"
#include "../common/device_memory.h"
#include "rounds.h"
#include "scan_kernels.cuh"

#ifdef __CUDACC__
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <cub/device/device_scan.cuh>
#endif

// Owns the scratch memory of one method for arrays of up to `most` elements, so that run() is the work alone.
// `in` and `out` are aligned to 16 bytes, as cudaMalloc returns them. Work goes to the default stream.
class Scanner {
 public:
  // `method`: sweep, blocks, lookback, exchange, pipeline, best; in the gpu build also thrust and cub.
  Scanner(const std::string& method, std::size_t most)
      : method_(method),
        processors_(multiprocessors()),
        shared_(most_shared_memory()),
        words_(words_wanted(method, most)) {
    if (method == "sweep") {
      std::size_t padded = 1;
      while (padded < most) padded *= 2;
      scratch_ = DeviceMemory<unsigned>(padded);
    } else if (method == "blocks") {
      for (std::size_t count = divide(most, block_tile);; count = divide(count, block_tile)) {
        sums_.emplace_back(std::max<std::size_t>(count, 1));
        if (count <= 1) break;
      }
    } else if (method == "pipeline" || method == "best") {
      for (const int rows : {6, 8})
        HANDLE_ERROR(cudaFuncSetAttribute(pipeline_kernel(rows), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                          most_pipeline_warps(rows) * shared_of_warp(rows)));
    }
#ifdef __CUDACC__
    if (method == "cub") {
      std::size_t bytes = 0;
      HANDLE_ERROR(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const unsigned*>(nullptr),
                                                 static_cast<unsigned*>(nullptr), most));
      scratch_ = DeviceMemory<unsigned>(divide(bytes, sizeof(unsigned)));
      scratch_bytes_ = bytes;
    }
#endif
  }

  // The largest array that `exchange` can take: four tiles for each multiprocessor, in registers.
  static std::size_t exchange_limit() { return std::size_t{32768} * multiprocessors(); }

  void run(const int* in, int* out, std::size_t n) {
    if (n == 0) return;
    // Unsigned, because the sums may wrap and signed overflow is undefined.
    run(reinterpret_cast<const unsigned*>(in), reinterpret_cast<unsigned*>(out), n);
  }

  void run(const unsigned* in, unsigned* out, std::size_t n) {
    if (method_ == "sweep") sweep(in, out, n);
    if (method_ == "blocks") blocks(in, out, n, 0);
    if (method_ == "lookback") lookback(in, out, n);
    if (method_ == "exchange") exchange(in, out, n);
    if (method_ == "pipeline") pipeline(in, out, n);
    if (method_ == "best") n <= exchange_best_below() ? exchange(in, out, n) : pipeline(in, out, n);
#ifdef __CUDACC__
    if (method_ == "thrust") thrust::exclusive_scan(thrust::device, in, in + n, out);
    if (method_ == "cub")
      HANDLE_ERROR(cub::DeviceScan::ExclusiveSum(scratch_.get(), scratch_bytes_, in, out, n));
#endif
  }

 private:
  std::size_t words_wanted(const std::string& method, std::size_t most) const {
    if (method == "lookback") return divide(most, lookback_tile);
    if (method == "exchange" || method == "pipeline" || method == "best")
      return std::max<std::size_t>(4 * processors_, divide(most, least_pipeline_warps(6) * 6 * row_items));
    return 0;
  }

  std::size_t exchange_best_below() const { return std::size_t{32768} * processors_; }

  void sweep(const unsigned* in, unsigned* out, std::size_t n) {
    constexpr int threads = 256;
    std::size_t padded = 1;
    while (padded < n) padded *= 2;
    unsigned* data = scratch_.get();
    HANDLE_ERROR(cudaMemcpyAsync(data, in, n * sizeof *data, cudaMemcpyDeviceToDevice));
    if (padded > n) HANDLE_ERROR(cudaMemsetAsync(data + n, 0, (padded - n) * sizeof *data));
    for (std::size_t half = 1; half < padded; half *= 2) {
      const std::size_t pairs = padded / (2 * half);
      sweep_up<<<divide(pairs, threads), threads>>>(data, pairs, half);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(cudaMemsetAsync(data + padded - 1, 0, sizeof *data));
    for (std::size_t half = padded / 2; half > 0; half /= 2) {
      const std::size_t pairs = padded / (2 * half);
      sweep_down<<<divide(pairs, threads), threads>>>(data, pairs, half);
      HANDLE_ERROR(cudaGetLastError());
    }
    HANDLE_ERROR(cudaMemcpyAsync(out, data, n * sizeof *data, cudaMemcpyDeviceToDevice));
  }

  // Calls itself for the sums of the tiles, a thousandth of the elements, until one tile is left.
  void blocks(const unsigned* in, unsigned* out, std::size_t n, std::size_t level) {
    const std::size_t tiles = divide(n, block_tile);
    unsigned* sums = sums_[level].get();
    scan_blocks<<<tiles, block_threads>>>(in, out, n, sums);
    HANDLE_ERROR(cudaGetLastError());
    if (tiles == 1) return;
    blocks(sums, sums, tiles, level + 1);
    add_to_blocks<<<tiles, block_threads>>>(out, n, sums);
    HANDLE_ERROR(cudaGetLastError());
  }

  static constexpr int lookback_threads = 512, lookback_rows = 8,
                       lookback_tile = lookback_threads * 4 * lookback_rows;
  void lookback(const unsigned* in, unsigned* out, std::size_t n) {
    const std::size_t tiles = divide(n, lookback_tile);
    scan_tiles<lookback_threads, lookback_rows, Across::look_back>
        <<<tiles, lookback_threads>>>(in, out, n, words_.next_launch(tiles));
    HANDLE_ERROR(cudaGetLastError());
  }

  // One tile for each multiprocessor as long as it fits, the smaller the better: the fewer blocks, the fewer
  // to wait for. 192 threads with 10 rows are the most that stays quick. Then two, and up to four, tiles of
  // 128 threads.
  void exchange(const unsigned* in, unsigned* out, std::size_t n) {
    const std::size_t share = divide(n, processors_);
    if (share <= 4 * 256 * 2) return exchange<256, 2>(in, out, n);
    if (share <= 4 * 256 * 4) return exchange<256, 4>(in, out, n);
    if (share <= 4 * 192 * 10) return exchange<192, 10>(in, out, n);
    if (share <= 2 * 4 * 128 * 15) return exchange<128, 15>(in, out, n);
    exchange<128, 16>(in, out, n);
  }
  template <int threads, int rows>
  void exchange(const unsigned* in, unsigned* out, std::size_t n) {
    const unsigned tiles = static_cast<unsigned>(divide(n, threads * 4 * rows));
    TileWords words = words_.next_launch();
    void* arguments[] = {&in, &out, &n, &words};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(scan_tiles<threads, rows, Across::exchange>, tiles, threads,
                                             arguments, 0, 0));
  }

  using PipelineKernel = void (*)(const unsigned*, unsigned*, std::size_t, unsigned, TileWords);
  static PipelineKernel pipeline_kernel(int rows) { return rows == 8 ? scan_pipeline<8> : scan_pipeline<6>; }
  static constexpr int row_bytes = row_items * sizeof(unsigned);

  // Bytes that a block can have, less what the kernel needs beside the buffers.
  static int most_shared_memory() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) - 1024; }
  static constexpr int shared_of_warp(int rows) { return pipeline_stages * rows * row_bytes; }
  int most_pipeline_warps(int rows) const {
    return std::clamp(shared_ / shared_of_warp(rows), 1, pipeline_most_warps);
  }
  int least_pipeline_warps(int rows) const { return std::min(8, most_pipeline_warps(rows)); }
  TileShapes pipeline_shapes(int rows) const {
    return {rows, least_pipeline_warps(rows), most_pipeline_warps(rows)};
  }

  // Takes as many warps, of 6 or 8 rows, as make the rounds come out even.
  void pipeline(const unsigned* in, unsigned* out, std::size_t n) {
    const auto [rows, warps] =
        even_rounds(n, row_items, processors_, {.ends = 2.5, .per_round = 24 * row_items},
                    {pipeline_shapes(8), pipeline_shapes(6)});
    unsigned tiles = static_cast<unsigned>(divide(n, std::size_t(rows) * warps * row_items));
    const unsigned blocks = std::min<unsigned>(tiles, processors_);
    TileWords words = words_.next_launch();
    void* arguments[] = {&in, &out, &n, &tiles, &words};
    HANDLE_ERROR(cudaLaunchCooperativeKernel(pipeline_kernel(rows), blocks, warps * warp_lanes, arguments,
                                             warps * shared_of_warp(rows), 0));
  }

  std::string method_;
  int processors_, shared_;
  TileWordsMemory words_;
  DeviceMemory<unsigned> scratch_;
  [[maybe_unused]] std::size_t scratch_bytes_ = 0;
  std::vector<DeviceMemory<unsigned>> sums_;
};
