// The entry of bins (methods.h).

#include "6_bins.cuh"
#include "methods.h"

namespace circle_renderer {

CircleMethod bins_method() { return {{"bins", CircleMethod::function_of<Bins>}}; }

}  // namespace circle_renderer
