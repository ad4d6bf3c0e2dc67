#pragma once
// cull - tiled culling: a tile of pixels tests only the spheres that touch it.
//
//   ./run ray_fast --method cull --size 256
//
// A sphere of radius 70 covers 1.5 % of the scene, so nearly all tests of `book` fail. Here a
// block first tests which spheres touch its tile, one sphere per thread. It collects them in a
// list in shared memory. Then every pixel tests only the spheres in the list.
//
// Gain over book on an H200: 2000 spheres 2.67 -> 0.0900 ms
//
// Needed: ../ray_common.h (the sphere, the scene's coordinates), tile.cuh (Tile, Nearest).

#include <cuda_runtime.h>

#include <cstddef>

#include "../../common/book.h"
#include "../../common/grid.h"
#include "../ray_common.h"
#include "tile.cuh"

namespace ray_fast {

/// A sphere that touches the tile.
struct Candidate {
  Sphere sphere;
  int index;
};

/// One block per tile, blocks of tile_side x tile_side threads; pixels[x + y * dim].
static __global__ void trace_culled(const Sphere* spheres, int count, uchar4* pixels, int dim) {
  __shared__ Candidate list[tile_threads];
  __shared__ int length;
  const int thread = threadIdx.x + threadIdx.y * tile_side;
  const int x = threadIdx.x + blockIdx.x * tile_side;
  const int y = threadIdx.y + blockIdx.y * tile_side;
  const float ox = scene_coordinate(x, dim);
  const float oy = scene_coordinate(y, dim);
  const Tile tile(dim);
  Nearest nearest;

  // No early return: threads beyond the picture's edge also collect spheres, and they reach every
  // barrier.
  for (int first = 0; first < count; first += tile_threads) {
    if (thread == 0) length = 0;
    __syncthreads();
    const int i = first + thread;
    if (i < count && tile.touches(spheres[i])) {
      const int place = atomicAdd(&length, 1);
      list[place] = {spheres[i], i};
    }
    __syncthreads();
    for (int k = 0; k < length; ++k) nearest.offer(list[k].sphere, list[k].index, ox, oy);
    __syncthreads();  // all have read the list before it is rebuilt
  }
  if (x < dim && y < dim) pixels[x + static_cast<size_t>(y) * dim] = nearest.pixel();
}

struct CullingTracer {
  void run(const Sphere* spheres, int count, uchar4* pixels, int dim,
           cudaStream_t stream = nullptr) {
    const dim3 threads(tile_side, tile_side);
    const dim3 blocks(div_up(dim, tile_side), div_up(dim, tile_side));
    trace_culled<<<blocks, threads, 0, stream>>>(spheres, count, pixels, dim);
    HANDLE_ERROR(cudaGetLastError());
  }
};

}  // namespace ray_fast
