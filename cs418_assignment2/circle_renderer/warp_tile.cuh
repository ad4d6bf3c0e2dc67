#pragma once
// A warp's own piece of the image, its tile: 16 pixels wide, each lane with four (or eight) in a column,
// their state in registers.
//
// Why a warp and not a block: the 32 lanes need no barrier, each warp stops as soon as *its* pixels are
// opaque, and the pixels of a lane share the load of a circle and its dx * dx. Why this size: smaller tiles
// are missed by more circles (good), but more of them have to look at each circle (bad). Measured: README.md,
// "What each step bought".

#include <cuda_runtime.h>

#include "../device/block_scan.cuh"
#include "shading.cuh"

template <class ShadingOfTile, int PixelsPerLane = 4>
class WarpTile {
 public:
  using Shading = ShadingOfTile;
  static constexpr int width = 16, pixels_per_lane = PixelsPerLane, height = 32 / width * pixels_per_lane;

  // The tile in column `across` and row `up` of the tiles, with pixels as no circle has touched them.
  __device__ WarpTile(int across, int up, const Canvas& canvas, const Background& background)
      : lane_(threadIdx.x % 32),
        column_(across * width + lane_ % width),
        first_row_(up * height + lane_ / width * pixels_per_lane) {
    // Lanes beyond the edge of the image work on its last pixel, and nobody stores what they find.
    const int last = canvas.grid.size - 1;
    x_ = canvas.grid.center(min(column_, last));
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k) {
      y_[k] = canvas.grid.center(min(first_row_ + k, last));
      pixel_[k] = Shading::start(background_at(background, y_[k]));
    }
    box_ = {__shfl_sync(all_lanes, x_, 0), __shfl_sync(all_lanes, x_, width - 1),
            __shfl_sync(all_lanes, y_[0], 0), __shfl_sync(all_lanes, y_[pixels_per_lane - 1], 31)};
  }

  // Each lane brings one circle (or none), lane 0 the first in the order. Those that touch the tile go into
  // `list` (32 places in shared memory), in order. Returns how many. The caller puts a __syncwarp() before
  // the list is read.
  __device__ int cull(const Candidate& circle, bool valid, Prepared* list) const {
    const float4& shape = circle.shape;
    const float radius_squared = shape.z * shape.z;
    const bool touches = valid && may_touch(shape.x, shape.y, radius_squared, box_);
    int found;
    const int place = warp_rank(touches, found, lane_);
    if (touches) {
      Prepared prepared = Shading::prepare(circle);
      // A circle that covers the whole tile needs no test for each pixel.
      if (Shading::flat) prepared.extra = covers_all(shape.x, shape.y, radius_squared, box_) ? 1.0f : 0.0f;
      list[place] = prepared;
    }
    return found;
  }

  // Blends the first `count` circles of the list into the pixels.
  __device__ void blend(const Prepared* list, int count) {
#pragma unroll 2
    for (int i = 0; i < count; ++i) {
      const Prepared circle = list[i];  // the same for all lanes: a broadcast
      if (Shading::flat && circle.extra != 0) {
#pragma unroll
        for (int k = 0; k < pixels_per_lane; ++k) Shading::blend(pixel_[k], circle, 0);
        continue;
      }
      const float dx = x_ - circle.x;
#pragma unroll
      for (int k = 0; k < pixels_per_lane; ++k) {
        const float distance_squared = squared_distance(dx, y_[k] - circle.y);
        if constexpr (Shading::flat) {
          if (distance_squared <= circle.radius_squared) Shading::blend(pixel_[k], circle, distance_squared);
        } else {
          // No branch: a long formula for four pixels side by side keeps the special function unit busy.
          Prepared masked = circle;
          if (!(distance_squared <= circle.radius_squared)) masked.extra = 0;
          Shading::blend(pixel_[k], masked, distance_squared);
        }
      }
    }
  }

  // True in all lanes when no pixel of the tile lets through what is farther back.
  __device__ bool opaque() const {
    if constexpr (Shading::front_to_back) {
      float most = pixel_[0].transmittance;
#pragma unroll
      for (int k = 1; k < pixels_per_lane; ++k) most = fmaxf(most, pixel_[k].transmittance);
      return __all_sync(all_lanes, most < Shading::opaque);
    } else {
      return false;
    }
  }

  __device__ void store(const Canvas& canvas, const Background& background) const {
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k) {
      const Rgb color = Shading::finish(pixel_[k], background_at(background, y_[k]));
      put(canvas, k, make_float4(color.red, color.green, color.blue, 1));
    }
  }

  // Unfinished pixels wait in the image, with the transmittance as the fourth number.
  __device__ void save(const Canvas& canvas) const {
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k)
      put(canvas, k, make_float4(pixel_[k].red, pixel_[k].green, pixel_[k].blue, pixel_[k].transmittance));
  }
  __device__ void resume(const Canvas& canvas) {
    const int last = canvas.grid.size - 1;
#pragma unroll
    for (int k = 0; k < pixels_per_lane; ++k) {
      const float4 saved = canvas.at(min(column_, last), min(first_row_ + k, last));
      pixel_[k] = {saved.x, saved.y, saved.z, saved.w};
    }
  }

 private:
  __device__ void put(const Canvas& canvas, int k, const float4& value) const {
    if (column_ < canvas.grid.size && first_row_ + k < canvas.grid.size)
      canvas.at(column_, first_row_ + k) = value;
  }

  int lane_, column_, first_row_;
  float x_, y_[pixels_per_lane];
  Box box_;
  Blend pixel_[pixels_per_lane];
};

/// Tiles that a row (or column) of `size` pixels needs.
template <class Tile>
inline int tiles_across(int size) {
  return div_up(size, Tile::width);
}
template <class Tile>
inline int tiles_up(int size) {
  return div_up(size, Tile::height);
}
