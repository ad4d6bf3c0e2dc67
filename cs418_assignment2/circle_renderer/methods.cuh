#pragma once
// All CUDA renderers by name, from plain to fast.

#include <memory>
#include <string>
#include <vector>

#include "broken.cuh"
#include "fast.cuh"
#include "pixels.cuh"
#include "tiles.cuh"

struct MethodInfo {
  std::string name, what;
};

inline const std::vector<MethodInfo>& method_list() {
  static const std::vector<MethodInfo> methods = {
      {"broken", "a thread a circle: wrong, on purpose"},
      {"pixels", "a thread a pixel, all circles in order"},
      {"tiles", "16 x 16 tiles, an ordered list in shared memory"},
      {"front", "32 x 32 tiles, newest circle first, stop when opaque"},
      {"bins", "one bit a circle and bin, a warp a tile, newest first"},
      {"tiny", "lists a tile, sorted a pixel; 100,000 tiny circles or more"},
      {"fast", "the best of front, bins and tiny for the scene"}};
  return methods;
}

// Returns null when this method does not suit the scene at this size (tiny), or no method has this name.
inline std::unique_ptr<CudaRenderer> make_cuda_renderer(const std::string& method, const Scene& scene,
                                                        int size) {
  if (method == "broken") return std::make_unique<BrokenRenderer>(scene, size);
  if (method == "pixels") return std::make_unique<PixelsRenderer>(scene, size);
  if (method == "tiles") return std::make_unique<TilesRenderer>(scene, size);
  if (method == "front") return std::make_unique<FrontRenderer>(scene, size);
  if (method == "bins") return std::make_unique<BinsRenderer>(scene, size);
  if (method == "fast") return make_fast_renderer(scene, size);
  if (method == "tiny") {
    if (const std::optional<TinyPlan> plan = TinyPlan::of(scene, size))
      return std::make_unique<TinyRenderer>(scene, size, *plan);
  }
  return nullptr;
}
