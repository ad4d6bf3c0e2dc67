#pragma once
// The interface of a rung, and the table of all rungs, which methods.cu fills.

#include <cuda_runtime.h>

#include <functional>

#include "../../common/method_table.h"
#include "../ray_common.h"

namespace ray_fast {

/// Starts to draw `count` spheres of device memory on the default stream: pixels[x + y * dim] of a
/// dim x dim picture. Every method gives the same bits. count >= 0, 1 <= dim <= 65535.
using TraceSpheres = void(const Sphere* spheres, int count, uchar4* pixels, int dim);

using RayMethod = Method<std::function<TraceSpheres>>;

/// All rungs, from naive to fast.
const MethodTable<RayMethod>& methods();

}  // namespace ray_fast
