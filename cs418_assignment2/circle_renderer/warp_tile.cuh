#pragma once
// A warp's own piece of the image, its tile: each lane has a few pixels above each other, their
// state in registers. How a circle changes a pixel is a template parameter: FrontToBack for flat
// circles, SnowInOrder for snowflakes.
//
// In input order a pixel becomes  a3 c3 + (1-a3) (a2 c2 + (1-a2) (a1 c1 + (1-a1) background)), or
// a3 c3 + (1-a3) a2 c2 + (1-a3)(1-a2) a1 c1 + ...: a sum that can be taken from the newest circle
// on, if one keeps the transmittance, the part of the light from farther back that still gets
// through: the product of the (1-a) so far. What is left out weighs less than the transmittance
// times the largest color.
//
// Why a warp and not a block: the 32 lanes need no barrier, each warp stops as soon as *its* pixels
// are opaque, and the pixels of a lane share the load of a circle and its dx * dx. The tile's size
// was found by trial: more circles miss a smaller one, but more tiles must test each circle.

#include <algorithm>
#include <cmath>
#include <limits>

#include "circle.h"
#include "scene.h"

namespace circle_renderer {

/// With less transmittance than this a pixel counts as opaque. Colors reach 1.2, so stopping
/// changes no channel by more than 1.2e-6.
constexpr float opaque_below = 1e-6f;

/// The average number of circles, newest first, that a pixel in the middle of the image needs until
/// it is opaque; the circles' size and alpha are averages over the scene. Infinite if nothing would
/// ever be opaque.
inline double circles_until_opaque(const Scene& scene) {
  double covered = 0;
  double alpha = 0;
  for (const Circle& circle : scene.circles) {
    covered += std::min(1.0, 3.14159265 * circle.radius * circle.radius);
    alpha += circle.alpha;
  }
  const double count = static_cast<double>(scene.circles.size());
  covered /= count;
  // Snow is drawn in input order: its flakes get fainter toward their rims.
  if (!(alpha > 0) || !(covered > 0) || scene.snowflakes)
    return std::numeric_limits<double>::infinity();
  alpha = std::min(alpha / count, 0.999);
  return std::log(opaque_below) / std::log(1 - alpha) / covered;
}

constexpr unsigned all_lanes = 0xffffffffu;

/// Ordered compaction of one flag per lane: the number of lanes before this one that have `keep`,
/// which is the place of this lane's item. `count` becomes the number of flags in the warp.
__device__ inline int warp_rank(bool keep, int& count, int lane) {
  const unsigned kept = __ballot_sync(all_lanes, keep);
  count = __popc(kept);
  return __popc(kept & ((1u << lane) - 1));
}

/// Returns value[0] + ... + value[lane]: after the step with distance d a lane
/// holds the sum of the last 2d.
__device__ inline int warp_inclusive_scan(int value, int lane) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const int before = __shfl_up_sync(all_lanes, value, distance);
    if (lane >= distance) value += before;
  }
  return value;
}

/// Does the circle cover every pixel center of the box? Exact, as may_touch() is.
__host__ __device__ inline bool covers_all(const CircleShape& shape, const Box& box) {
  const float farthest_x = fmaxf(fabsf(box.left - shape.x), fabsf(box.right - shape.x));
  const float farthest_y = fmaxf(fabsf(box.bottom - shape.y), fabsf(box.top - shape.y));
  return squared_distance(farthest_x, farthest_y) <= shape.radius * shape.radius;
}

/// The state of one pixel.
struct Blend {
  float red;
  float green;
  float blue;
  float transmittance;  ///< front to back: the visible share of the light from farther back
};

/// A circle as it comes from memory.
struct Candidate {
  CircleShape shape;
  Rgb color;
};

/// Flat circles, newest first.
struct FrontToBack {
  using Shape = FlatCircle;
  static constexpr bool snow = false;

  static __device__ Blend start(const Rgb& /*background*/) { return {0, 0, 0, 1}; }
  static __device__ void blend(Blend& pixel, const FlatCircle& circle, float /*distance_squared*/) {
    pixel.red = fmaf(pixel.transmittance, circle.paint.red, pixel.red);
    pixel.green = fmaf(pixel.transmittance, circle.paint.green, pixel.green);
    pixel.blue = fmaf(pixel.transmittance, circle.paint.blue, pixel.blue);
    pixel.transmittance *= circle.transmittance;
  }
  static __device__ Rgb finish(const Blend& pixel, const Rgb& background) {
    return {fmaf(pixel.transmittance, background.red, pixel.red),
            fmaf(pixel.transmittance, background.green, pixel.green),
            fmaf(pixel.transmittance, background.blue, pixel.blue)};
  }
};

/// 2^x and the square root, good to a few units in the last place: one instruction of the special
/// function unit each, where the exact ones take ten and more. Only the snow's color needs them,
/// and may differ by 1e-5. PTX, as exp2f and sqrtf become this only under -use_fast_math.
#if defined(__CUDA_ARCH__) && !defined(EMULATED_DEVICE)
__device__ inline float fast_exp2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
__device__ inline float fast_sqrt(float x) {
  float result;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
#else
__device__ inline float fast_exp2(float x) { return exp2f(x); }
__device__ inline float fast_sqrt(float x) { return sqrtf(x); }
#endif

/// Snowflakes, oldest first, each laid over what is there.
struct SnowInOrder {
  using Shape = Snowflake;
  static constexpr bool snow = true;

  static __device__ Blend start(const Rgb& background) {
    return {background.red, background.green, background.blue, 1};
  }
  static __device__ Rgb finish(const Blend& pixel, const Rgb&) {
    return {pixel.red, pixel.green, pixel.blue};
  }
  // The stages of layer() in circle.h.
  static __device__ void blend(Blend& pixel, const Snowflake& flake, float distance_squared) {
    const float alpha = flake.alpha * fast_exp2(flake.fading * distance_squared);
    const float along = fast_sqrt(flake.stages * distance_squared);  // 0 to 4
    const float second = __saturatef(along - 1);
    const float fourth = __saturatef(along - 3);
    pixel.red = fmaf(alpha, fmaf(-0.2f, second, 1.0f) - pixel.red, pixel.red);
    pixel.green = fmaf(alpha, fmaf(-0.1f, second + fourth, 1.0f) - pixel.green, pixel.green);
    pixel.blue = fmaf(alpha, 1 - pixel.blue, pixel.blue);
  }
};

template <class Shading>
__device__ inline Candidate fetch(const Circles& circles, int i) {
  return {circles.shapes[i], Shading::snow ? Rgb{} : circles.colors[i]};
}

template <class Shading, int PixelsPerLane = 4>
class WarpTile {
 public:
  using Shape = typename Shading::Shape;
  static constexpr int width = 16;
  static constexpr int pixels_per_lane = PixelsPerLane;
  static constexpr int height = 32 / width * pixels_per_lane;

  // The tile in column tile_x and row tile_y of the tiles, before any circle.
  __device__ WarpTile(int tile_x, int tile_y, const Canvas& image, const Background& background)
      : lane_(threadIdx.x % 32),
        column_(tile_x * width + lane_ % width),
        first_row_(tile_y * height + lane_ / width * pixels_per_lane) {
    // Lanes beyond the edge of the image work on its last pixel, and their results are not stored.
    const int last = image.size - 1;
    x_ = image.center(min(column_, last));
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k) {
      y_[k] = image.center(min(first_row_ + k, last));
      pixel_[k] = Shading::start(background_at(background, y_[k]));
    }
    box_.left = __shfl_sync(all_lanes, x_, 0);
    box_.right = __shfl_sync(all_lanes, x_, width - 1);
    box_.bottom = __shfl_sync(all_lanes, y_[0], 0);
    box_.top = __shfl_sync(all_lanes, y_[pixels_per_lane - 1], 31);
  }

  // Each lane brings one circle (or none), lane 0 the first in the order. Those that touch the tile
  // go into `list` (shared memory, a place per lane), in order. Returns how many. The caller puts a
  // __syncwarp() before the list is read.
  __device__ int cull(const Candidate& circle, bool valid, Shape* list) const {
    const CircleShape& shape = circle.shape;
    const bool touches = valid && may_touch(shape, box_);
    int found;
    const int place = warp_rank(touches, found, lane_);
    if (touches) {
      Shape listed = Shape::of(shape, circle.color);
      if constexpr (!Shading::snow) listed.covers_tile = covers_all(shape, box_);
      list[place] = listed;
    }
    return found;
  }

  // Blends the first `count` circles of the list into the pixels.
  __device__ void blend(const Shape* list, int count) {
#pragma unroll 2
    for (int i = 0; i < count; ++i) {
      const Shape circle = list[i];  // the same for all lanes: a broadcast
      if constexpr (!Shading::snow) {
        if (circle.covers_tile) {
#pragma unroll
          for (int k = 0; k < pixels_per_lane; ++k) Shading::blend(pixel_[k], circle, 0);
          continue;
        }
      }
      const float dx = x_ - circle.x;
#pragma unroll
      for (int k = 0; k < pixels_per_lane; ++k) {
        const float distance_squared = squared_distance(dx, y_[k] - circle.y);
        if constexpr (!Shading::snow) {
          if (distance_squared <= circle.radius_squared)
            Shading::blend(pixel_[k], circle, distance_squared);
        } else {
          // No branch: a long formula for four pixels side by side keeps the special function unit
          // busy. Outside the flake its alpha is 0, so nothing changes. The emulated device
          // computes pixel by pixel and saves the formula there.
          Snowflake flake = circle;
          if (!(distance_squared <= circle.radius_squared)) flake.alpha = 0;
#ifdef EMULATED_DEVICE
          if (flake.alpha == 0) continue;
#endif
          Shading::blend(pixel_[k], flake, distance_squared);
        }
      }
    }
  }

  // True in all lanes if no pixel of the tile lets light from farther back through.
  __device__ bool opaque() const {
    if constexpr (!Shading::snow) {
      float largest = pixel_[0].transmittance;
#pragma unroll
      for (int k = 1; k < pixels_per_lane; ++k) largest = fmaxf(largest, pixel_[k].transmittance);
      return __all_sync(all_lanes, largest < opaque_below);
    } else {
      return false;
    }
  }

  __device__ void store(const Canvas& image, const Background& background) const {
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k) {
      const Rgb color = Shading::finish(pixel_[k], background_at(background, y_[k]));
      put(image, k, make_float4(color.red, color.green, color.blue, 1));
    }
  }

  // Unfinished pixels wait in the image, with the negated transmittance as the fourth number. Its
  // sign, also of a zero, distinguishes them from finished ones.
  __device__ void save(const Canvas& image) const {
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k)
      put(image, k,
          make_float4(pixel_[k].red, pixel_[k].green, pixel_[k].blue, -pixel_[k].transmittance));
  }
  static __device__ bool is_saved(const float4& pixel) { return __float_as_int(pixel.w) < 0; }
  __device__ void resume(const Canvas& image) {
    const int last = image.size - 1;
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k) {
      const float4 saved = image.at(min(column_, last), min(first_row_ + k, last));
      pixel_[k] = {saved.x, saved.y, saved.z, -saved.w};
    }
  }

 private:
  __device__ void put(const Canvas& image, int k, const float4& value) const {
    if (column_ < image.size && first_row_ + k < image.size)
      image.at(column_, first_row_ + k) = value;
  }

  int lane_;
  int column_;
  int first_row_;
  float x_;
  float y_[pixels_per_lane];
  Box box_;
  Blend pixel_[pixels_per_lane];
};

}  // namespace circle_renderer
