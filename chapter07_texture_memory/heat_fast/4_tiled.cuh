// Rung 4, tiled: several time steps per launch, on a tile in shared memory.
//
// Gains over rung 3: memory is read and written once per tiled_steps steps. A block loads its tile with a
// halo, the cells around it, as wide as the number of steps. Each step makes the outermost ring of the halo
// invalid, because it lacks neighbors; after the last step what is left is the block's own part.
// Neighboring blocks compute the cells of their halos twice: redundant work in exchange for traffic.
//
//      +----------------+   tile: what is loaded, 64 x 64
//      |  halo          |
//      |   +--------+   |   own part: what is written, (64 - 2 steps) x (64 - 2 steps)
//      |   |  own   |   |
//      |   +--------+   |
//      +----------------+
#pragma once

#include <algorithm>

#include "step.cuh"

constexpr int tiled_side = 64;  // columns and rows of a tile, halo included
constexpr int tiled_rows = 8;   // of threads: each does every eighth row of one column

// Most steps per launch, found with benchmarks/heat_fast_sweep.cu: where the plate fits the L2 cache with room to
// spare, fewer launches are worth more redundant work.
constexpr int tiled_steps = 6, tiled_small_steps = 8, tiled_small_below = 2048;

/// `steps` time steps (at most `most_steps`) of rows begin to end - 1 of the slab, from `in` to `out`. The
/// rows that lie up to `steps` above and below must be in the slab, as far as the plate has them. `first`,
/// `last`: whether this launch begins and ends a frame (2_fused.cuh). Block (64, 8); grid: tiled_blocks().
template <int most_steps>
__global__ void __launch_bounds__(tiled_side* tiled_rows)
    tiled_kernel(float* out, const float* in, const float* sources, Slab slab, int begin, int end, int steps,
                 float k, bool first, bool last) {
  constexpr int cells = tiled_side / tiled_rows, own = tiled_side - 2 * most_steps;
  __shared__ float tile[2][tiled_side][tiled_side];

  // Thread (tx, ty) does the tile's cells (tx, ty + 8 j), which are the slab's cells (x, y(j)).
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = static_cast<int>(blockIdx.x) * own - most_steps + tx;
  const int top = begin + static_cast<int>(blockIdx.y) * own - most_steps;
  const auto inside = [&](int y) { return x >= 0 && x < slab.width && y >= 0 && y < slab.rows; };

  unsigned held = 0;  // bit j: cell j is a source
  for (int j = 0; j < cells; ++j) {
    const int y = top + ty + tiled_rows * j;
    float cell = 0;
    if (inside(y)) {
      const float source = sources[x + y * slab.pitch];
      if (source != 0) held |= 1u << j;
      cell = first && source != 0 ? source : in[x + y * slab.pitch];
    }
    tile[0][ty + tiled_rows * j][tx] = cell;
  }
  __syncthreads();

  int now = 0;
  for (int step = 0; step < steps; ++step, now ^= 1) {
    const bool hold = !(last && step == steps - 1);
    for (int j = 0; j < cells; ++j) {
      const int row = ty + tiled_rows * j, y = top + row;
      const float c = tile[now][row][tx];
      // At the plate's border the neighbor is the cell itself. At the tile's border any value does: see
      // above.
      const float l = x == 0 || tx == 0 ? c : tile[now][row][tx - 1];
      const float r = x == slab.width - 1 || tx == tiled_side - 1 ? c : tile[now][row][tx + 1];
      const float t = slab.is_first(y) || row == 0 ? c : tile[now][row - 1][tx];
      const float b = slab.is_last(y) || row == tiled_side - 1 ? c : tile[now][row + 1][tx];
      tile[now ^ 1][row][tx] = hold && (held >> j & 1) ? c : blend(c, t, b, l, r, k);
    }
    __syncthreads();
  }

  for (int j = 0; j < cells; ++j) {
    const int row = ty + tiled_rows * j, y = top + row;
    const bool mine =
        tx >= most_steps && tx < most_steps + own && row >= most_steps && row < most_steps + own;
    if (mine && x < slab.width && y < end) out[x + y * slab.pitch] = tile[now][row][tx];
  }
}

/// The blocks that cover rows begin to end - 1.
template <int most_steps>
dim3 tiled_blocks(const Slab& slab, int begin, int end) {
  constexpr int own = tiled_side - 2 * most_steps;
  return dim3(div_up(slab.width, own), div_up(end - begin, own));
}

template <int most_steps>
class TiledRung : public Rung {
 public:
  explicit TiledRung(const Plate&) {}

  void advance(Plate& plate, int steps) override {
    const Slab& slab = plate.slab;
    for (int done = 0; done < steps; done += most_steps) {
      const int now = std::min(most_steps, steps - done);
      tiled_kernel<most_steps>
          <<<tiled_blocks<most_steps>(slab, 0, slab.rows), dim3(tiled_side, tiled_rows)>>>(
              plate.out.get(), plate.in.get(), plate.sources.get(), slab, 0, slab.rows, now, plate.k,
              done == 0, done + now == steps);
      HANDLE_ERROR(cudaGetLastError());
      std::swap(plate.in, plate.out);
    }
  }

  int passes(int steps) const override { return div_up(steps, most_steps); }
};

inline std::unique_ptr<Rung> make_tiled(const Plate& plate) {
  if (plate.slab.width < tiled_small_below) return std::make_unique<TiledRung<tiled_small_steps>>(plate);
  return std::make_unique<TiledRung<tiled_steps>>(plate);
}

inline const HeatMethod tiled_method = {"tiled", "several steps per launch, on a tile in shared memory",
                                        any_size, make_tiled};
