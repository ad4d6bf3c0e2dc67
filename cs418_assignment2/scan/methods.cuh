#pragma once
// The ladder: one line per rung, from plain to fast. --help, --benchmark, the tests and the benchmark program
// go through this table.

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/method_table.h"
#include "1_sweep.cuh"
#include "2_blocks.cuh"
#include "3_lookback.cuh"
#include "4_exchange.cuh"
#include "5_pipeline.cuh"
#include "best.cuh"
#include "library.cuh"

/// Starts the work in the default stream: out[i] = in[0] + ... + in[i-1] for i < n, modulo 2^32. Unsigned,
/// because the sums may wrap and signed overflow is undefined. `in` and `out` are aligned to 16 bytes, as
/// cudaMalloc returns them, and may be the same array.
using Scan = void(const unsigned* in, unsigned* out, std::size_t n);

inline const MethodTable<Scan>& scan_methods() {
  static const MethodTable<Scan> table{
      method<Scan, SweepScan>("sweep",
                              "a tree of sums, up and down, one launch per level: as the course says"),
      method<Scan, BlocksScan>("blocks",
                               "every block scans a tile; then the tiles' sums are scanned and added"),
      method<Scan, LookbackScan>("lookback", "one launch, decoupled look-back"),
      method<Scan, ExchangeScan>(
          "exchange", "one launch, everything in registers, one exchange of sums; small arrays only"),
      method<Scan, PipelineScan>("pipeline",
                                 "one launch, blocks that stay, the next tiles already under way"),
      method<Scan, BestScan>("best", "exchange or pipeline, whichever is faster for n"),
      gpu_method<Scan, ThrustScan>("thrust", "thrust::exclusive_scan"),
      gpu_method<Scan, CubScan>("cub", "cub::DeviceScan")};
  return table;
}
