// The ways of a tile (tile.cuh) between memory and the registers of its lanes: the plate in, the rim out, the halo in,
// the result out (6_persistent.cuh).
#pragma once

#include "step_in_place.cuh"
#include "tile.cuh"

/// Reads the cells of the tile, halo included, with the sources in place; cells beyond the plate are 0. free_k: the
/// factor, as Speed says, of a cell that is no source.
template <class Kind>
__device__ inline void load_tile(WarpCells<Kind::rows>& cells, const TilePlace<Kind>& place, const Slab& slab,
                                 const float* in, const float* sources, const unsigned* source_bits,
                                 float free_k) {
#pragma unroll
  for (int row = 0; row < Kind::rows; ++row) {
    float4 &v = cells.v[row], &k = cells.k[row];
    v = make_float4(0, 0, 0, 0);
    k = make_float4(free_k, free_k, free_k, free_k);
    if (!place.in_plate(row)) continue;
    const size_t line = place.line(row, slab);
    const unsigned bits = source_nibble(source_bits, slab, place.x, place.y + row);
    v = load_cells(in + line, place.x);
    if (bits != 0) v = choose(bits, load_cells(sources + line, place.x), v);
    k = choose(bits, make_float4(0, 0, 0, 0), k);
  }
}

/// Writes the rim to a grid in memory, past the level-1 cache: other multiprocessors will read it.
template <class Kind>
__device__ inline void write_rim(float* grid, const WarpCells<Kind::rows>& cells,
                                 const TilePlace<Kind>& place, const Slab& slab) {
#pragma unroll
  for (int row = 0; row < Kind::rows; ++row)
    if (place.rim(row))
      __stcg(reinterpret_cast<float4*>(grid + place.line(row, slab) + place.x), cells.v[row]);
}

/// Reads the halo from there, as the neighbors have written it: their rims.
template <class Kind>
__device__ inline void read_halo(const float* grid, WarpCells<Kind::rows>& cells,
                                 const TilePlace<Kind>& place, const Slab& slab) {
#pragma unroll
  for (int row = 0; row < Kind::rows; ++row)
    if (place.halo(row))
      cells.v[row] = __ldcg(reinterpret_cast<const float4*>(grid + place.line(row, slab) + place.x));
}

/// Writes the tile's own cells, the result.
template <class Kind>
__device__ inline void store_tile(float* out, const WarpCells<Kind::rows>& cells,
                                  const TilePlace<Kind>& place, const Slab& slab) {
#pragma unroll
  for (int row = 0; row < Kind::rows; ++row)
    if (place.own(row)) store_cells(out + place.line(row, slab), place.x, cells.v[row]);
}
