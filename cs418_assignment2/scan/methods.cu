// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_sweep.cuh"
#include "2_blocks.cuh"
#include "3_lookback.cuh"
#include "4_exchange.cuh"
#include "5_pipeline.cuh"
#include "library.cuh"

namespace scan {

// On an H200 `exchange`, as long as the array fits.
static std::function<Scan> make_best(size_t max_n) {
  return methods()[ExchangeScan::refusal(max_n) ? "pipeline" : "exchange"].make(max_n);
}

const MethodTable<ScanMethod>& methods() {
  static const MethodTable<ScanMethod> table{
      {"sweep", ScanMethod::function_of<SweepScan>},
      {"blocks", ScanMethod::function_of<BlocksScan>},
      {"lookback", ScanMethod::function_of<LookbackScan>},
      {"exchange", ScanMethod::function_of<ExchangeScan>, ExchangeScan::refusal},
      {"pipeline", ScanMethod::function_of<PipelineScan>},
      {.name = "best",
       .maker = make_best,
       .help = "exchange or pipeline, whichever is faster for n"},
      gpu_method<ScanMethod, ThrustScan>("thrust", "thrust::exclusive_scan"),
      gpu_method<ScanMethod, CubScan>("cub", "cub::DeviceScan")};
  return table;
}

}  // namespace scan
