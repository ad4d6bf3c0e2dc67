#pragma once
// What a method of drawing is to the program: a line of the table in methods.cu.

#include <memory>
#include <string>
#include <string_view>

#include "cuda_renderer.cuh"

/// One way to draw. The file of each rung ends with its own.
struct CircleMethod {
  std::string_view name;
  std::string_view help;  ///< one line for --help
  /// Makes the renderer of a scene on an image of size x size pixels. Only where cannot_draw() is empty.
  std::unique_ptr<CudaRenderer> (*make)(const Scene& scene, int size);
  /// Why this method cannot draw the scene at this size, as a clause; empty when it can.
  std::string (*cannot_draw)(const Scene& scene, int size) = [](const Scene&, int) { return std::string(); };
  bool gpu_only = false;
  bool right = true;  ///< false for the one that is wrong on purpose
};

/// CircleMethod::make for a renderer that is constructed from scene and size.
template <class AnyRenderer>
std::unique_ptr<CudaRenderer> make_renderer(const Scene& scene, int size) {
  return std::make_unique<AnyRenderer>(scene, size);
}
