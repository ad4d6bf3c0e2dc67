#pragma once
// A scene with its image, and who draws it: a method on the device, or the CPU reference.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "advance.h"
#include "cpu_reference.h"
#include "methods.h"
#include "scene.h"

/// One thread per pixel of a 2D grid.
static __global__ void clear_kernel(Canvas image, Background background) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = threadIdx.y + blockIdx.y * blockDim.y;
  if (column >= image.size || row >= image.size) return;
  const Rgb color = background_at(background, image.center(row));
  image.at(column, row) = make_float4(color.red, color.green, color.blue, 1);
}

/// One thread per circle. `origins` may be null.
static __global__ void advance_kernel(Animation kind, float4* shapes, float2* velocity, const float2* origins,
                                      int count, int step) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const float4 shape = shapes[i];
  Moving moving{shape.x, shape.y, shape.w, shape.z, velocity[i]};
  advance(kind, moving, i, count, step, origins != nullptr ? origins + i : nullptr);
  shapes[i] = make_float4(moving.x, moving.y, moving.radius, shape.w);
  velocity[i] = moving.velocity;
}

/// CUDA errors end the program.
class Renderer {
 public:
  /// `method`: one that can draw the scene, or null for the CPU reference.
  Renderer(Scene scene, const CircleMethod* method, int size)
      : start_(std::move(scene)), method_(method), size_(size), host_pixels_(method ? 0 : pixel_count()) {
    restart();
    if (method == nullptr) return;
    draw_ = method->make(start_, size);
    pixels_ = DeviceMemory<float4>(pixel_count());
  }

  const Scene& scene() const { return start_; }
  const CircleMethod* method() const { return method_; }

  /// Background everywhere, where the method does not draw it itself.
  void clear() {
    if (method_ == nullptr) {
      for (int row = 0; row < size_; ++row) {
        const Rgb color = background_at(start_.background, image().center(row));
        for (int column = 0; column < size_; ++column)
          image().at(column, row) = make_float4(color.red, color.green, color.blue, 1);
      }
    } else if (!method_->whole_picture) {
      const dim3 block(32, 8), grid(div_up(size_, 32), div_up(size_, 8));
      clear_kernel<<<grid, block>>>(image(), start_.background);
      HANDLE_ERROR(cudaGetLastError());
    }
  }

  /// One step of an animated scene.
  void advance() {
    if (start_.animation == Animation::none || start_.circles.empty()) return;
    if (method_ == nullptr) {
      ::advance(now_);
      pack();
    } else {
      constexpr int threads = 256;
      advance_kernel<<<div_up(start_.count(), threads), threads>>>(
          start_.animation, shapes_.get(), velocity_.get(), origins_.get(), start_.count(), now_.step++);
      HANDLE_ERROR(cudaGetLastError());
    }
  }

  /// The circles, in order.
  void render() {
    if (method_ == nullptr) return draw_on_cpu(circles(), image());
    draw_(circles(), image(), nullptr);
    HANDLE_ERROR(cudaGetLastError());
  }

  /// The scene as it is now.
  void draw() {
    clear();
    render();
  }
  /// A frame, as the course has it: cleared, advanced, then drawn. So the first frame of an animated scene
  /// shows it after one step.
  void next_frame() {
    clear();
    advance();
    render();
  }

  /// An animated scene as it was at the start.
  void restart() {
    now_ = start_;
    pack();
    if (method_ == nullptr) return;
    upload(shapes_, host_shapes_);
    upload(colors_, host_colors_);
    upload(velocity_, start_.velocity);
    upload(origins_, start_.origin);
  }

  /// size * size pixels, row 0 at the bottom.
  std::vector<float4> picture() const { return method_ ? download(pixels_) : host_pixels_; }
  /// Where the circles are now: x, y, radius, and a fourth number.
  std::vector<float4> shapes() const { return method_ ? download(shapes_) : host_shapes_; }
  /// The picture where it lies, in device memory.
  const float4* device_pixels() const { return pixels_.get(); }

 private:
  std::size_t pixel_count() const {
    return static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_);
  }

  Circles circles() const {
    return {method_ ? shapes_.get() : host_shapes_.data(), method_ ? colors_.get() : host_colors_.data(),
            start_.count(), start_.snowflakes};
  }
  Canvas image() { return Canvas::of(method_ ? pixels_.get() : host_pixels_.data(), size_); }

  // The circles of now as the kernels read them.
  void pack() {
    host_shapes_.clear();
    host_colors_.clear();
    for (const Circle& c : now_.circles) {
      host_shapes_.push_back(make_float4(c.x, c.y, c.radius, start_.snowflakes ? c.z : c.alpha));
      if (!start_.snowflakes) host_colors_.push_back({c.red, c.green, c.blue});
    }
  }

  template <class T>
  static void upload(DeviceMemory<T>& memory, const std::vector<T>& values) {
    if (memory.size() != values.size()) memory = DeviceMemory<T>(values.size());
    if (!values.empty())
      HANDLE_ERROR(cudaMemcpy(memory.get(), values.data(), memory.bytes(), cudaMemcpyHostToDevice));
  }
  template <class T>
  static std::vector<T> download(const DeviceMemory<T>& memory) {
    std::vector<T> values(memory.size());
    if (!values.empty())
      HANDLE_ERROR(cudaMemcpy(values.data(), memory.get(), memory.bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

  Scene start_, now_;  // on the device only the number of now_'s steps counts
  const CircleMethod* method_;
  int size_;
  std::function<Draw> draw_;
  std::vector<float4> host_pixels_, host_shapes_;
  std::vector<Rgb> host_colors_;
  DeviceMemory<float4> pixels_, shapes_;
  DeviceMemory<Rgb> colors_;
  DeviceMemory<float2> velocity_, origins_;
};

/// The first three numbers of each: of pixels the color, of circles the place and the radius.
inline std::vector<float> first_three(const std::vector<float4>& values) {
  std::vector<float> parts;
  parts.reserve(values.size() * 3);
  for (const float4& value : values) parts.insert(parts.end(), {value.x, value.y, value.z});
  return parts;
}

/// Compares frames with those of the CPU reference: the first, and of an animated scene also a later one with
/// its positions. The renderer must be at the scene's beginning. Says what differs on standard error.
inline bool agrees_with_reference(Renderer& renderer, int size) {
  constexpr float channel_tolerance = 1e-5f, position_tolerance = 1e-4f;
  constexpr int later = 5;
  Renderer reference(renderer.scene(), nullptr, size);
  for (int frame = 0; frame <= (renderer.scene().animation == Animation::none ? 0 : later); ++frame) {
    reference.advance();
    renderer.advance();
    if (frame != 0 && frame != later) continue;
    reference.draw();
    renderer.draw();
    if (!check_near("picture", first_three(renderer.picture()), first_three(reference.picture()),
                    channel_tolerance))
      return false;
    if (frame > 0 && !check_near("position", first_three(renderer.shapes()), first_three(reference.shapes()),
                                 position_tolerance))
      return false;
  }
  return true;
}
