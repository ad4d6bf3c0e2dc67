// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_scan.cuh"
#include "2_blocks.cuh"
#include "3_fused.cuh"
#include "library.cuh"

namespace find_repeats {

const MethodTable<RepeatsMethod>& methods() {
  static const MethodTable<RepeatsMethod> table{
      {"scan", "flags, their exclusive scan, scatter, as in the handout", rung<ScanRepeats>},
      {"blocks", "counts per tile, their scan, then the tiles read again", rung<BlocksRepeats>},
      {"fused", "one launch, flags as bits in registers, one exchange per round",
       rung<FusedRepeats>},
      gpu_method<RepeatsMethod, CubRepeats>("cub", "cub::DeviceSelect")};
  return table;
}

}  // namespace find_repeats
