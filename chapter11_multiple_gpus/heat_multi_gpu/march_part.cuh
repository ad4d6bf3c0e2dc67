// The rows of a part as heat_fast's march() takes them.
#pragma once

#include "../../chapter07_texture_memory/heat_fast/march.cuh"
#include "part.cuh"

/// The part's grid `now`. The plate's first and last row may lie outside of it.
inline MarchRows march_rows(const Part& part) {
  return {part.row(part.now, 0),        part.sources.get(), part.source_bits.get(),       part.dim, part.rows,
          static_cast<int>(part.pitch), -part.first_row,    part.dim - 1 - part.first_row};
}
