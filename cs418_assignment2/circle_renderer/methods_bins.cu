// The entry of bins (methods.h).

#include "6_bins.cuh"
#include "methods.h"

namespace circle_renderer {

CircleMethod bins_method() {
  return {{"bins", "one bit per circle and bin, a warp per tile, newest first", rung<Bins>}};
}

}  // namespace circle_renderer
