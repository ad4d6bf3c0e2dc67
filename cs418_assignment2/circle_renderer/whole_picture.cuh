#pragma once
// What the rungs from front on share: they draw the whole picture in one go, background included, and front
// to back (shading.cuh) where that is accurate enough.

#include "cuda_renderer.cuh"
#include "shading.cuh"

/// Front to back adds the same numbers in another order, so it rounds differently. After n circles over a
/// pixel the two differ by about n roundings of 6e-8, more when all go the same way. Circles with little
/// alpha need many to hide what is behind them (with alpha 1/16 it takes 214), and the reference's own
/// rounding adds up, too. So scenes with fainter circles than that are drawn in input order. Circles with
/// alpha 0 change nothing either way.
inline bool front_to_back_is_accurate(const Scene& scene) {
  constexpr float least_alpha = 1.0f / 16;
  if (scene.snowflakes) return false;
  for (const Circle& circle : scene.circles)
    if (circle.alpha > 0 && circle.alpha < least_alpha) return false;
  return true;
}

/// Calls launch(shading) with the shading that is fastest for the scene.
template <class Launch>
void with_fastest_shading(const Scene& scene, bool front_to_back, Launch launch) {
  if (front_to_back)
    launch(FlatFrontToBack{});
  else
    with_shading_in_order(scene, launch);
}

/// A renderer that draws every pixel from the background up, so that clear() has nothing left to do.
class WholePictureRenderer : public CudaRenderer {
 public:
  WholePictureRenderer(const Scene& scene, int size)
      : CudaRenderer(scene, size), front_to_back_(front_to_back_is_accurate(scene)) {}

  void clear() override {}
  void render() override { enqueue(nullptr); }

 protected:
  /// Launches the kernels of a frame on the stream; nothing here waits for the device.
  virtual void enqueue(cudaStream_t stream) = 0;
  bool front_to_back() const { return front_to_back_; }

 private:
  bool front_to_back_;
};
