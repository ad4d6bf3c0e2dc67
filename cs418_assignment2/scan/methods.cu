// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "../shapes.h"
#include "1_sweep.cuh"
#include "2_blocks.cuh"
#include "3_lookback.cuh"
#include "4_exchange.cuh"
#include "5_pipeline.cuh"
#include "best.cuh"
#include "library.cuh"

const MethodTable<ScanMethod>& scan_methods() {
  static const MethodTable<ScanMethod> table{
      {"sweep", "a tree of sums, up and down, one launch per level: as the course says", rung<SweepScan>},
      {"blocks", "every block scans a tile; then the tiles' sums are scanned and added", rung<BlocksScan>},
      {"lookback", "one launch, decoupled look-back", rung<LookbackScan>},
      {"exchange", "one launch, everything in registers, one exchange of sums; small arrays only",
       rung<ExchangeScan>, ExchangeScan::refusal},
      {"pipeline", "one launch, blocks that stay, the next tiles already under way", rung<PipelineScan>},
      {"best", "exchange or pipeline, whichever is faster for n", rung<BestScan>},
      gpu_method<ScanMethod, ThrustScan>("thrust", "thrust::exclusive_scan"),
      gpu_method<ScanMethod, CubScan>("cub", "cub::DeviceScan")};
  return table;
}

// ---- shapes of tiles, for tests and for fitting the constants of the rungs

namespace {

const ExchangeShape& exchange_shape_of(TileShape shape) {
  return *std::find_if(exchange_shapes.begin(), exchange_shapes.end(), [&](const ExchangeShape& one) {
    return one.rows == shape.pieces && one.threads == shape.warps * warp_lanes;
  });
}

ShapedRung<ShapedScan> shaped_exchange() {
  ShapedRung<ShapedScan> rung{.name = "exchange", .shapes = {}, .piece = row_items, .most = {}, .make = {}};
  for (const ExchangeShape& shape : exchange_shapes)
    rung.shapes.push_back({shape.rows, shape.threads / warp_lanes});
  rung.most = [](TileShape shape) { return exchange_shape_of(shape).most(multiprocessors()); };
  rung.make = [](std::size_t n) {
    return [scan = std::make_shared<ExchangeScan>(n)](const unsigned* in, unsigned* out, std::size_t count,
                                                      TileShape shape) {
      scan->run(in, out, count, exchange_shape_of(shape));
    };
  };
  return rung;
}

ShapedRung<ShapedScan> shaped_pipeline() {
  ShapedRung<ShapedScan> rung{.name = "pipeline", .shapes = {}, .piece = row_items, .most = {}, .make = {}};
  for (const int rows : {6, 8}) {
    const TileShapes shapes = PipelineScan::shapes(rows);
    for (int warps = shapes.least; warps <= shapes.most; ++warps) rung.shapes.push_back({rows, warps});
  }
  rung.most = [](TileShape) { return std::numeric_limits<std::size_t>::max(); };
  rung.make = [](std::size_t n) {
    return [scan = std::make_shared<PipelineScan>(n)](const unsigned* in, unsigned* out, std::size_t count,
                                                      TileShape shape) { scan->run(in, out, count, shape); };
  };
  return rung;
}

}  // namespace

[[gnu::used]] const std::vector<ShapedRung<ShapedScan>>& shaped_scans() {
  static const std::vector<ShapedRung<ShapedScan>> rungs{shaped_exchange(), shaped_pipeline()};
  return rungs;
}
