// The ladder: one entry per rung, from plain to fast. --help, --benchmark and the tests go through this table.

#include "methods.h"

#include "1_scan.cuh"
#include "2_blocks.cuh"
#include "3_fused.cuh"
#include "library.cuh"

const MethodTable<RepeatsMethod>& find_repeats_methods() {
  static const MethodTable<RepeatsMethod> table{
      {"scan", "flags, their exclusive scan, scatter: as the course says", rung<ScanRepeats>},
      {"blocks", "tiles are counted, their counts scanned, the tiles looked at again", rung<BlocksRepeats>},
      {"fused", "one launch: flags as bits in registers, one exchange per round, indices written in order",
       rung<FusedRepeats>},
      gpu_method<RepeatsMethod, CubRepeats>("cub", "cub::DeviceSelect")};
  return table;
}
