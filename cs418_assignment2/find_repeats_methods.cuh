#pragma once
// Class RepeatFinder: launches the kernels of find_repeats_kernels.cuh, and the library's select beside them.

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "../common/book.h"
#include "../common/device_memory.h"
#include "find_repeats_kernels.cuh"
#include "rounds.h"
#include "scan_methods.cuh"

#ifdef __CUDACC__
#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_select.cuh>
#endif

#ifdef __CUDACC__
// For cub::DeviceSelect.
struct StartsRepeat {
  const int* in;
  std::size_t n;
  __device__ bool operator()(int i) const { return i + std::size_t{1} < n && in[i] == in[i + 1]; }
};
#endif

// Owns the scratch memory of one method for arrays of up to `most` elements, so that run() is the work alone.
class RepeatFinder {
 public:
  // Indices are ints, so that is the largest array.
  static constexpr std::size_t limit = std::numeric_limits<int>::max();

  // `method`: scan, fused; in the gpu build also cub.
  RepeatFinder(const std::string& method, std::size_t most)
      : method_(method),
        processors_(multiprocessors()),
        count_(1),
        done_(1),
        words_(method == "fused" ? divide(most, 4 * chunk_items) : 0),
        scanner_(method == "scan" ? "best" : "none", method == "scan" ? most : 0),
        scratch_(method == "scan" ? most : 0) {
    HANDLE_ERROR(cudaMemset(done_.get(), 0, done_.bytes()));
    for (const FusedKernel kernel :
         {find_repeats_fused<1, false>, find_repeats_fused<1, true>, find_repeats_fused<3, true>})
      HANDLE_ERROR(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        fused_most_warps * sizeof(RepeatStage)));
#ifdef __CUDACC__
    if (method == "cub") {
      HANDLE_ERROR(cub::DeviceSelect::If(nullptr, cub_bytes_, thrust::counting_iterator<int>(0),
                                         static_cast<int*>(nullptr), static_cast<unsigned*>(nullptr),
                                         static_cast<int>(most), StartsRepeat{nullptr, most}));
      cub_scratch_ = DeviceMemory<unsigned char>(cub_bytes_);
      cub_count_ = DeviceMemory<unsigned>(1);
    }
#endif
  }

  // Writes the first `capacity` indices to `out` and returns how many there are in all. `in` is aligned to 16
  // bytes and does not overlap `out`. `cub` does not know a capacity: it needs room for n.
  std::size_t run(const int* in, std::size_t n, int* out, std::size_t capacity) {
    if (n < 2) return 0;
    if (method_ == "scan") {
      constexpr int threads = 256;
      int* places = scratch_.get();
      flag_repeats<<<divide(n, threads), threads>>>(in, n, places);
      HANDLE_ERROR(cudaGetLastError());
      scanner_.run(places, places, n);
      scatter_repeats<<<divide(n, threads), threads>>>(in, n, places, out, capacity);
      HANDLE_ERROR(cudaGetLastError());
      // The last number starts no repeat, so the sum before it is the sum of all.
      HANDLE_ERROR(cudaMemcpyAsync(count_.get(), places + n - 1, sizeof(int), cudaMemcpyDeviceToHost));
    }
    if (method_ == "fused") {
      std::atomic_ref<unsigned>(*count_.get()).store(no_count, std::memory_order_relaxed);
      fused(in, n, out, capacity);
      return wait_for_count();
    }
#ifdef __CUDACC__
    if (method_ == "cub") {
      HANDLE_ERROR(cub::DeviceSelect::If(cub_scratch_.get(), cub_bytes_, thrust::counting_iterator<int>(0),
                                         out, cub_count_.get(), static_cast<int>(n), StartsRepeat{in, n}));
      HANDLE_ERROR(cudaMemcpy(count_.get(), cub_count_.get(), sizeof(unsigned), cudaMemcpyDeviceToHost));
      return *count_.get();
    }
#endif
    HANDLE_ERROR(cudaDeviceSynchronize());
    return *count_.get();
  }

 private:
  // No count: there are fewer indices than that.
  static constexpr unsigned no_count = 0xffffffffu;

  // `fused` writes its count into page-locked host memory. Looking at that word until it changes costs less
  // than cudaDeviceSynchronize(). A kernel that failed never writes it, so the runtime is asked now and then.
  unsigned wait_for_count() const {
    constexpr unsigned looks_between_questions = 1u << 16;
    const std::atomic_ref<unsigned> word(*count_.get());
    for (unsigned looks = 1;; looks++) {
      const unsigned count = word.load(std::memory_order_relaxed);
      if (count != no_count) return count;
      if (looks % looks_between_questions != 0) continue;
      const cudaError_t state = cudaStreamQuery(nullptr);
      if (state == cudaErrorNotReady)
        static_cast<void>(cudaGetLastError());  // it counts as an error; this one is none
      else
        HANDLE_ERROR(state);
    }
  }

  using FusedKernel = void (*)(const int*, std::size_t, int*, unsigned, unsigned, TileWords, std::uint64_t*,
                               unsigned*);
  struct FusedShape {
    int chunks, warps;
    bool messenger;
    FusedKernel kernel;
  };
  // The number of warps is always a multiple of 4: a multiprocessor has four schedulers, and all wait for the
  // one with most.
  FusedShape fused_shape(std::size_t n) const {
    const int share = static_cast<int>(divide(divide(n, processors_), chunk_items));
    if (share <= fused_most_warps) return {1, (share + 3) / 4 * 4, false, find_repeats_fused<1, false>};
    // More: as many warps, of 1 or 3 chunks, as make the rounds come out even.
    const auto [chunks, warps] =
        even_rounds(n, chunk_items, processors_, {.ends = 2, .per_round = 17 * chunk_items},
                    {{1, 16, fused_most_warps}, {3, 16, fused_most_warps}}, 4);
    return {chunks, warps, true, chunks == 1 ? find_repeats_fused<1, true> : find_repeats_fused<3, true>};
  }

  void fused(const int* in, std::size_t n, int* out, std::size_t capacity) {
    const FusedShape shape = fused_shape(n);
    unsigned tiles = static_cast<unsigned>(divide(n, std::size_t(shape.chunks) * shape.warps * chunk_items));
    unsigned room = static_cast<unsigned>(std::min(capacity, limit));
    unsigned* count = count_.get();
    std::uint64_t* done = done_.get();
    TileWords words = words_.next_launch();
    void* arguments[] = {&in, &n, &out, &room, &tiles, &words, &done, &count};
    const unsigned blocks = std::min<unsigned>(tiles, processors_);
    HANDLE_ERROR(cudaLaunchCooperativeKernel(shape.kernel, blocks,
                                             (shape.warps + (shape.messenger ? 1 : 0)) * warp_lanes,
                                             arguments, shape.warps * sizeof(RepeatStage), 0));
  }

  std::string method_;
  int processors_;
  PinnedMemory<unsigned> count_;
  DeviceMemory<std::uint64_t> done_;
  TileWordsMemory words_;
  Scanner scanner_;
  DeviceMemory<int> scratch_;
#ifdef __CUDACC__
  DeviceMemory<unsigned char> cub_scratch_;
  DeviceMemory<unsigned> cub_count_;
  std::size_t cub_bytes_ = 0;
#endif
};
