#pragma once
// The interface of every drawing method, and their table, which methods.cu fills.

#include <functional>

#include "../../common/method_table.h"
#include "circle.h"
#include "scene.h"

namespace circle_renderer {

/// Draws the circles into the image: starts the work in the stream and does not wait for it. Both
/// are in device memory, the same ones at each call.
using Draw = void(const Circles& circles, const Canvas& image, cudaStream_t stream);

/// One way to draw, made ready for a scene and an image of size x size pixels.
struct CircleMethod : Method<std::function<Draw>, const Scene&, int> {
  bool whole_picture = true;  ///< also draws the background; else draws over the image
  bool right = true;          ///< false for the one that is wrong on purpose
};

/// From naive to fast.
const MethodTable<CircleMethod>& methods();

/// Its entry that takes long to compile, in methods_bins.cu.
CircleMethod bins_method();

}  // namespace circle_renderer
