#pragma once
// The plate in device memory, the input of every rung.

#include <cstddef>
#include <utility>

#include "../../common/book.h"
#include "../../common/grid.h"

namespace heat_fast {

/// Cell (x, y) of dim x dim is element x + y * pitch of each array.
struct Plate {
  int dim;               ///< cells per side
  size_t pitch;          ///< a multiple of 32, so that rows begin at multiples of 128 bytes
  float* in;             ///< the cells
  float* out;            ///< memory for the next cells
  const float* sources;  ///< the temperature that a cell keeps; 0 if it is free
};

// A rung is a function
//   int NAME_heat(Plate& plate, int steps, cudaStream_t stream = nullptr);
// or, if it needs memory of its own, a class with this function as run(), made for a plate. It
// starts `steps` (1 or more) time steps, from plate.in to plate.in: the buffers change places after
// each launch. It returns the number of passes: how often the plate goes through memory.

}  // namespace heat_fast
