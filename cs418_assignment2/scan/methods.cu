// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_sweep.cuh"
#include "2_blocks.cuh"
#include "3_lookback.cuh"
#include "4_exchange.cuh"
#include "5_pipeline.cuh"
#include "library.cuh"

namespace scan {

const MethodTable<ScanMethod>& methods() {
  static const MethodTable<ScanMethod> table{
      {"sweep", "a tree of sums, up and down, one launch per level, as in the handout",
       rung<SweepScan>},
      {"blocks", "a tile per block; then the tiles' sums are scanned and added", rung<BlocksScan>},
      {"lookback", "one launch, decoupled look-back", rung<LookbackScan>},
      {"exchange", "one launch, everything in registers, one exchange of sums; small arrays only",
       rung<ExchangeScan>, ExchangeScan::refusal},
      {"pipeline", "one launch, persistent blocks, the next tiles in flight", rung<PipelineScan>},
      {"best", "exchange or pipeline, whichever is faster for n",
       // On an H200 `exchange`, as long as the array fits.
       [](std::size_t max_n) {
         return methods()[ExchangeScan::refusal(max_n) ? "pipeline" : "exchange"].make(max_n);
       }},
      gpu_method<ScanMethod, ThrustScan>("thrust", "thrust::exclusive_scan"),
      gpu_method<ScanMethod, CubScan>("cub", "cub::DeviceScan")};
  return table;
}

}  // namespace scan
