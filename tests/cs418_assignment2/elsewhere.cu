// All rungs' files a second time in one program, and one of them used with nothing but CUDA (README.md of the sample).
#include "elsewhere.h"

#include <cstddef>
#include <vector>

#include "../../cs418_assignment2/circle_renderer/0_broken.cuh"
#include "../../cs418_assignment2/circle_renderer/1_pixels.cuh"
#include "../../cs418_assignment2/circle_renderer/2_cached.cuh"
#include "../../cs418_assignment2/circle_renderer/3_tiles.cuh"
#include "../../cs418_assignment2/circle_renderer/4_front.cuh"
#include "../../cs418_assignment2/circle_renderer/5_few.cuh"
#include "../../cs418_assignment2/circle_renderer/6_bins.cuh"
#include "../../cs418_assignment2/circle_renderer/7_tiny.cuh"
#include "../../cs418_assignment2/circle_renderer/8_fast.cuh"

std::vector<float4> drawn_elsewhere(const Scene& scene, int size) {
  std::vector<float4> shapes;
  std::vector<Rgb> colors;
  for (const Circle& c : scene.circles) {
    shapes.push_back(make_float4(c.x, c.y, c.radius, c.alpha));
    colors.push_back({c.red, c.green, c.blue});
  }
  std::vector<float4> picture(static_cast<std::size_t>(size) * static_cast<std::size_t>(size),
                              make_float4(1, 1, 1, 1));
  float4 *device_shapes, *device_pixels;
  Rgb* device_colors;
  cudaMalloc(&device_shapes, shapes.size() * sizeof(float4));
  cudaMalloc(&device_colors, colors.size() * sizeof(Rgb));
  cudaMalloc(&device_pixels, picture.size() * sizeof(float4));
  cudaMemcpy(device_shapes, shapes.data(), shapes.size() * sizeof(float4), cudaMemcpyHostToDevice);
  cudaMemcpy(device_colors, colors.data(), colors.size() * sizeof(Rgb), cudaMemcpyHostToDevice);
  cudaMemcpy(device_pixels, picture.data(), picture.size() * sizeof(float4), cudaMemcpyHostToDevice);
  draw_tiles({device_shapes, device_colors, scene.count(), false}, Canvas::of(device_pixels, size), nullptr);
  cudaMemcpy(picture.data(), device_pixels, picture.size() * sizeof(float4), cudaMemcpyDeviceToHost);
  cudaFree(device_shapes);
  cudaFree(device_colors);
  cudaFree(device_pixels);
  return picture;
}
