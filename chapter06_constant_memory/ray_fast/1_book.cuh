#pragma once
// book - every pixel tests every sphere, in constant memory.
//
//   ./run ray_fast --method book --size 256
//
// Constant memory holds chunk_spheres spheres. More spheres come in chunks, with one launch per
// chunk. Device memory keeps the depth of each pixel in between.
//
// Time on an H200: 2000 spheres 2.67 ms
//
// Needed: ../ray_common.h (the sphere, the scene's coordinates).

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../ray_common.h"

namespace ray_fast {

constexpr int chunk_spheres = 64 * 1024 / sizeof(Sphere);
static __constant__ Sphere chunk[chunk_spheres];

/// One thread per pixel; pixels[x + y * dim]. Draws `count` spheres over the picture of the earlier
/// chunks. `depths`: the depth of each pixel so far, read unless this is the first chunk; null if
/// it is the only chunk.
static __global__ void trace_chunk(int count, bool is_first, float* depths, uchar4* pixels,
                                   int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const size_t pixel = x + static_cast<size_t>(y) * dim;

  const float ox = scene_coordinate(x, dim);
  const float oy = scene_coordinate(y, dim);
  const float before = is_first ? -infinitely_far : depths[pixel];
  float r = 0;
  float g = 0;
  float b = 0;
  float nearest = before;
  for (int i = 0; i < count; ++i) {
    float shade = 0;
    const float depth = chunk[i].hit(ox, oy, &shade);
    if (depth > nearest) {
      r = chunk[i].r * shade;
      g = chunk[i].g * shade;
      b = chunk[i].b * shade;
      nearest = depth;
    }
  }
  if (is_first || nearest > before) pixels[pixel] = make_uchar4(r * 255, g * 255, b * 255, 255);
  if (depths != nullptr) depths[pixel] = nearest;
}

/// A rung, as methods.h requires: made once, then run() for each picture.
class BookTracer {
 public:
  void run(const Sphere* spheres, int count, uchar4* pixels, int dim,
           cudaStream_t stream = nullptr) {
    const size_t pixel_count = static_cast<size_t>(dim) * dim;
    const bool in_chunks = count > chunk_spheres;
    if (in_chunks && depths_.size() < pixel_count) depths_ = DeviceMemory<float>(pixel_count);
    float* const depths = in_chunks ? depths_.get() : nullptr;
    constexpr int side = 16;  // threads of a block in each direction
    const dim3 threads(side, side);
    const dim3 blocks(div_up(dim, side), div_up(dim, side));
    int first = 0;
    do {  // at least once: without spheres the picture is black
      const int loaded = std::min(count - first, chunk_spheres);
      HANDLE_ERROR(cudaMemcpyToSymbolAsync(chunk, spheres + first, loaded * sizeof(Sphere), 0,
                                           cudaMemcpyDeviceToDevice, stream));
      trace_chunk<<<blocks, threads, 0, stream>>>(loaded, first == 0, depths, pixels, dim);
      HANDLE_ERROR(cudaGetLastError());
      first += loaded;
    } while (first < count);
  }

 private:
  DeviceMemory<float> depths_;  // made at the first picture that needs it
};

}  // namespace ray_fast
