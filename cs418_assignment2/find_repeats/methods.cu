// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_scan.cuh"
#include "2_blocks.cuh"
#include "3_fused.cuh"
#include "library.cuh"

namespace find_repeats {

const MethodTable<RepeatsMethod>& methods() {
  static const MethodTable<RepeatsMethod> table{
      {"scan", RepeatsMethod::function_of<ScanRepeats>},
      {"blocks", RepeatsMethod::function_of<BlocksRepeats>},
      {"fused", RepeatsMethod::function_of<FusedRepeats>},
      gpu_method<RepeatsMethod, CubRepeats>("cub", "cub::DeviceSelect")};
  return table;
}

}  // namespace find_repeats
