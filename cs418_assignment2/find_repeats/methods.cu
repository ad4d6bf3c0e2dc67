// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include <memory>

#include "../shapes.h"
#include "1_scan.cuh"
#include "2_fused.cuh"
#include "library.cuh"

const MethodTable<RepeatsMethod>& find_repeats_methods() {
  static const MethodTable<RepeatsMethod> table{
      {"scan", "flags, their exclusive scan, scatter: as the course says", rung<ScanRepeats>},
      {"fused", "one launch: flags as bits in registers, one exchange per round, indices written in order",
       rung<FusedRepeats>},
      gpu_method<RepeatsMethod, CubRepeats>("cub", "cub::DeviceSelect")};
  return table;
}

// ---- shapes of tiles, for tests and for fitting the constants of the rung

[[gnu::used]] const ShapedRung<ShapedRepeats>& shaped_repeats() {
  static const ShapedRung<ShapedRepeats> rung = [] {
    ShapedRung<ShapedRepeats> fused{
        .name = "fused", .shapes = {}, .piece = chunk_items, .most = {}, .make = {}};
    for (const auto [chunks, least, most] : FusedRepeats::shapes)
      for (int warps = least; warps <= most; warps += 4) fused.shapes.push_back({chunks, warps});
    fused.most = [](TileShape) { return most_with_int_indices; };
    fused.make = [](std::size_t n) {
      return [finder = std::make_shared<FusedRepeats>(n)](const int* in, std::size_t count, int* out,
                                                          std::size_t capacity, TileShape shape) {
        return finder->run(in, count, out, capacity, shape, true);
      };
    };
    return fused;
  }();
  return rung;
}
