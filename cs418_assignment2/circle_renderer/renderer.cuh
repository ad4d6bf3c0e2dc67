#pragma once
// A scene on the device with its image, and the method that draws it; the CPU reference as such a
// method; the check.

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../../common/picture/image.h"
#include "advance.h"
#include "cpu_reference.h"
#include "methods.h"
#include "scene.h"

namespace circle_renderer {

/// One thread per pixel of a 2D grid.
static __global__ void clear_kernel(Canvas image, Background background) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= image.size || row >= image.size) return;
  const Rgb color = background_at(background, image.center(row));
  image.at(column, row) = make_float4(color.red, color.green, color.blue, 1);
}

/// One thread per circle.
static __global__ void advance_kernel(Animation kind, CircleShape* shapes, Motion* motion,
                                      int count, int step) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const CircleShape shape = shapes[i];
  Circle circle = {
      .x = shape.x, .y = shape.y, .z = shape.alpha_or_depth, .radius = shape.radius, .color = {}};
  advance(kind, circle, motion[i], i, count, step);
  shapes[i] = {circle.x, circle.y, circle.radius, shape.alpha_or_depth};
}

/// A picture's bytes: clamped to 0..1, 255 times that, truncated. NaN becomes black.
__device__ inline unsigned char to_byte(float channel) {
  float shown = 0;
  if (channel > 0) shown = channel;
  if (channel >= 1) shown = 1;
  return static_cast<unsigned char>(255 * shown);
}

/// One thread per pixel.
static __global__ void to_bytes_kernel(const float4* pixels, uchar4* bytes, size_t count) {
  const size_t i = threadIdx.x + size_t{blockIdx.x} * blockDim.x;
  if (i >= count) return;
  bytes[i] = make_uchar4(to_byte(pixels[i].x), to_byte(pixels[i].y), to_byte(pixels[i].z), 255);
}

template <class T>
void upload(DeviceMemory<T>& memory, const std::vector<T>& values) {
  if (memory.size() != values.size()) memory = DeviceMemory<T>(values.size());
  if (!values.empty())
    HANDLE_ERROR(cudaMemcpy(memory.get(), values.data(), memory.bytes(), cudaMemcpyHostToDevice));
}
template <class T>
std::vector<T> download(const T* memory, size_t count) {
  std::vector<T> values(count);
  if (count > 0)
    HANDLE_ERROR(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

/// The circles in the form that the kernels read.
inline std::vector<CircleShape> shapes_of(const Scene& scene) {
  std::vector<CircleShape> shapes;
  for (const Circle& c : scene.circles)
    shapes.push_back({c.x, c.y, c.radius, scene.snowflakes ? c.z : c.alpha});
  return shapes;
}
inline std::vector<Rgb> colors_of(const Scene& scene) {
  std::vector<Rgb> colors;
  if (!scene.snowflakes)
    for (const Circle& c : scene.circles) colors.push_back(c.color);
  return colors;
}

/// Draws on the host; the data are in device memory.
inline void draw_reference(const Circles& circles, const Canvas& image, cudaStream_t) {
  const size_t count = static_cast<size_t>(circles.count);
  const size_t side = static_cast<size_t>(image.size);
  const std::vector<CircleShape> shapes = download(circles.shapes, count);
  const std::vector<Rgb> colors = download(circles.colors, circles.snow ? 0 : count);
  std::vector<float4> pixels = download(image.pixels, side * side);
  draw_on_cpu({shapes.data(), colors.data(), circles.count, circles.snow},
              Canvas::of(pixels.data(), image.size));
  HANDLE_ERROR(cudaMemcpy(image.pixels, pixels.data(), pixels.size() * sizeof(float4),
                          cudaMemcpyHostToDevice));
}
inline const CircleMethod& cpu_reference() {
  static const CircleMethod method{
      {"CPU reference", [](const Scene&, int) { return std::function<Draw>(draw_reference); }},
      /*whole_picture=*/false};
  return method;
}

/// CUDA errors end the program.
class Renderer {
 public:
  /// A method that cannot draw the scene ends the program.
  Renderer(Scene scene, const CircleMethod& method, int size)
      : scene_(std::move(scene)),
        method_(&method),
        size_(size),
        draw_(method.make(scene_, size)),
        pixels_(static_cast<size_t>(size) * static_cast<size_t>(size)) {
    upload(colors_, colors_of(scene_));
    restart();
  }

  const Scene& scene() const { return scene_; }  ///< as it was at the start
  const CircleMethod& method() const { return *method_; }
  int size() const { return size_; }

  /// Background everywhere, where the method does not draw it itself.
  void clear() {
    if (method_->whole_picture) return;
    const dim3 threads(32, 8);
    const dim3 blocks(div_up(size_, threads.x), div_up(size_, threads.y));
    clear_kernel<<<blocks, threads>>>(image(), scene_.background);
    HANDLE_ERROR(cudaGetLastError());
  }
  /// One step of an animated scene.
  void advance() {
    if (motion_.size() == 0) return;
    constexpr int threads = 256;
    advance_kernel<<<div_up(scene_.count(), threads), threads>>>(
        scene_.animation, shapes_.get(), motion_.get(), scene_.count(), step_);
    HANDLE_ERROR(cudaGetLastError());
    ++step_;
  }
  /// The circles, in order.
  void render() {
    draw_({shapes_.get(), colors_.get(), scene_.count(), scene_.snowflakes}, image(), nullptr);
    HANDLE_ERROR(cudaGetLastError());
  }

  /// The scene as it is now.
  void draw() {
    clear();
    render();
  }
  /// A frame as in the course: the first one of an animated scene shows it after one step.
  void next_frame() {
    advance();
    draw();
  }
  /// An animated scene as it was at the start.
  void restart() {
    upload(shapes_, shapes_of(scene_));
    upload(motion_, scene_.motion);
    step_ = 0;
  }

  /// size * size pixels, row 0 at the bottom.
  std::vector<float4> picture() const { return download(pixels_.get(), pixels_.size()); }
  /// The circles' current positions.
  std::vector<CircleShape> shapes() const { return download(shapes_.get(), shapes_.size()); }
  /// The picture as bytes, in device memory.
  void show(uchar4* bytes) const {
    constexpr int threads = 256;
    to_bytes_kernel<<<static_cast<unsigned>(div_up(pixels_.size(), threads)), threads>>>(
        pixels_.get(), bytes, pixels_.size());
    HANDLE_ERROR(cudaGetLastError());
  }
  Image bytes() const {
    const DeviceMemory<uchar4> shown(pixels_.size());
    show(shown.get());
    Image picture(size_, size_);
    HANDLE_ERROR(
        cudaMemcpy(picture.rgba.data(), shown.get(), shown.bytes(), cudaMemcpyDeviceToHost));
    return picture;
  }

 private:
  Canvas image() const { return Canvas::of(pixels_.get(), size_); }

  Scene scene_;
  const CircleMethod* method_;
  int size_;
  int step_ = 0;
  std::function<Draw> draw_;
  DeviceMemory<float4> pixels_;
  DeviceMemory<CircleShape> shapes_;
  DeviceMemory<Rgb> colors_;
  DeviceMemory<Motion> motion_;
};

/// The numbers in values of four floats each.
template <class Four>
std::span<const float> numbers(const std::vector<Four>& values) {
  return {reinterpret_cast<const float*>(values.data()), 4 * values.size()};
}

/// Compares frames with those of the CPU reference: the first, and of an animated scene also a
/// later one with its positions. The renderer must be at the scene's beginning. Reports
/// differences on standard error.
inline bool agrees_with_reference(Renderer& renderer) {
  constexpr float channel_tolerance = 1e-5f;
  constexpr float position_tolerance = 1e-4f;
  Scene scene = renderer.scene();
  for (const int steps : {1, 5}) {
    for (int step = 0; step < steps; ++step) {
      advance(scene);
      renderer.advance();
    }
    Renderer reference(scene, cpu_reference(), renderer.size());
    reference.draw();
    renderer.draw();
    if (!check_near("picture", numbers(renderer.picture()), numbers(reference.picture()),
                    channel_tolerance) ||
        !check_near("position", numbers(renderer.shapes()), numbers(reference.shapes()),
                    position_tolerance))
      return false;
    if (scene.motion.empty()) break;
  }
  return true;
}

}  // namespace circle_renderer
