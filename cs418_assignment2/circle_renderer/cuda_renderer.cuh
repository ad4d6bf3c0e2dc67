#pragma once
// The scene and the image in device memory, and what all CUDA renderers do alike: upload, clear, advance,
// download. A rung of the ladder derives from CudaRenderer and adds render().

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "renderer.h"
#include "scenes/scene.h"

/// The circles as the kernels read them: what decides about coverage in one 16-byte load, the color apart
/// from it, because most circles that are looked at turn out not to cover the pixel. 28 bytes per circle.
struct Circles {
  const float4* shapes;  // x, y, radius, alpha; for snowflakes the fourth is z
  const Rgb* colors;     // snowflakes have none
  int count;
};

/// The image as the kernels write it.
struct Canvas {
  float4* pixels;  // size * size, row 0 at the bottom
  PixelGrid grid;

  __device__ float4& at(int column, int row) const {
    return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(grid.size) +
                  static_cast<std::size_t>(column)];
  }
};

/// One thread per pixel of a 2D grid.
static __global__ void clear_kernel(Canvas canvas, Background background) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= canvas.grid.size || row >= canvas.grid.size) return;
  const Rgb color = background_at(background, canvas.grid.center(row));
  canvas.at(column, row) = make_float4(color.red, color.green, color.blue, 1);
}

/// Moves all `count` circles of an animated scene from step number `step` to the next; `origins` may be null. In
/// advance_circles.cuh, with the scenes' own steps, which are none of the rungs' business.
inline void advance_circles(Animation kind, float4* shapes, float2* velocity, const float2* origins,
                            int count, int step);

/// Keeps the scene and the image in device memory. CUDA errors end the program.
class CudaRenderer : public Renderer {
 public:
  CudaRenderer(const Scene& scene, int size)
      : scene_(scene),
        grid_(PixelGrid::of(size)),
        pixels_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {
    shapes_ = DeviceMemory<float4>(scene_.circles.size());
    colors_ = DeviceMemory<Rgb>(scene_.snowflakes ? 0 : scene_.circles.size());
    velocity_ = DeviceMemory<float2>(scene_.velocity.size());
    origins_ = DeviceMemory<float2>(scene_.origin.size());
    upload();
  }

  void clear() override {
    const dim3 block(32, 8);
    const dim3 grid(div_up(size(), 32), div_up(size(), 8));
    clear_kernel<<<grid, block>>>(canvas(), scene_.background);
    HANDLE_ERROR(cudaGetLastError());
  }

  void advance() override {
    if (scene_.animation == Animation::none || scene_.circles.empty()) return;
    advance_circles(scene_.animation, shapes_.get(), velocity_.get(), origins_.get(), scene_.count(),
                    step_++);
  }

  void restart() override {
    upload();
    step_ = 0;
  }

  std::vector<FloatPixel> image() override {
    std::vector<FloatPixel> pixels(pixels_.size());
    HANDLE_ERROR(cudaMemcpy(pixels.data(), pixels_.get(), pixels_.bytes(), cudaMemcpyDeviceToHost));
    return pixels;
  }

  std::vector<Circle> circles() override {
    std::vector<float4> shapes(shapes_.size());
    if (!shapes.empty())
      HANDLE_ERROR(cudaMemcpy(shapes.data(), shapes_.get(), shapes_.bytes(), cudaMemcpyDeviceToHost));
    std::vector<Circle> now = scene_.circles;
    for (std::size_t i = 0; i < now.size(); ++i) {
      now[i].x = shapes[i].x;
      now[i].y = shapes[i].y;
      now[i].radius = shapes[i].z;
    }
    return now;
  }

  /// The image where it lies: size * size pixels in device memory.
  const float4* device_pixels() const { return pixels_.get(); }
  /// Device memory beyond the image, in bytes.
  virtual std::size_t bytes_beside_image() const {
    return shapes_.bytes() + colors_.bytes() + velocity_.bytes() + origins_.bytes();
  }

 protected:
  Circles device_circles() const { return {shapes_.get(), colors_.get(), scene_.count()}; }
  Canvas canvas() { return {pixels_.get(), grid_}; }
  const Scene& scene() const { return scene_; }
  const PixelGrid& grid() const { return grid_; }
  int size() const { return grid_.size; }

 private:
  void upload() {
    if (scene_.circles.empty()) return;
    std::vector<float4> shapes;
    shapes.reserve(scene_.circles.size());
    for (const Circle& c : scene_.circles)
      shapes.push_back(make_float4(c.x, c.y, c.radius, scene_.snowflakes ? c.z : c.alpha));
    HANDLE_ERROR(cudaMemcpy(shapes_.get(), shapes.data(), shapes_.bytes(), cudaMemcpyHostToDevice));

    if (!scene_.snowflakes) {
      std::vector<Rgb> colors;
      colors.reserve(scene_.circles.size());
      for (const Circle& c : scene_.circles) colors.push_back({c.red, c.green, c.blue});
      HANDLE_ERROR(cudaMemcpy(colors_.get(), colors.data(), colors_.bytes(), cudaMemcpyHostToDevice));
    }
    if (!scene_.velocity.empty()) {
      HANDLE_ERROR(
          cudaMemcpy(velocity_.get(), scene_.velocity.data(), velocity_.bytes(), cudaMemcpyHostToDevice));
    }
    if (!scene_.origin.empty())
      HANDLE_ERROR(
          cudaMemcpy(origins_.get(), scene_.origin.data(), origins_.bytes(), cudaMemcpyHostToDevice));
  }

  Scene scene_;
  PixelGrid grid_;
  int step_ = 0;
  DeviceMemory<float4> pixels_;
  DeviceMemory<float4> shapes_;
  DeviceMemory<Rgb> colors_;
  DeviceMemory<float2> velocity_, origins_;
};
