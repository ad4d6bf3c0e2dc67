#pragma once
// The table of all rungs, for the program and the tests. methods.cu fills it.

#include <functional>
#include <vector>

#include "../../common/device_memory.h"
#include "../../common/method_table.h"
#include "plate.h"

namespace heat_fast {

/// The function of a rung that is ready for a plate: see plate.h.
using HeatSteps = int(Plate& plate, int steps, cudaStream_t stream);

using HeatMethod = Method<std::function<HeatSteps>, const Plate&>;

/// From naive to fast; the last, "best", chooses by size.
const MethodTable<HeatMethod>& methods();

/// The memory of a plate: cells of zeros, and the sources. `registers` also reads past the end of
/// a row.
struct PlateMemory {
  int dim;
  size_t pitch;
  DeviceMemory<float> in;
  DeviceMemory<float> out;
  DeviceMemory<float> sources;

  PlateMemory(int dim_, const std::vector<float>& source_cells)
      : dim(dim_),
        pitch(div_up(dim, 32) * size_t{32}),
        in(pitch * dim),
        out(in.size()),
        sources(in.size()) {
    for (const auto* memory : {&in, &out, &sources})
      HANDLE_ERROR(cudaMemset(memory->get(), 0, memory->bytes()));
    const size_t row = dim * sizeof(float);
    HANDLE_ERROR(cudaMemcpy2D(sources.get(), pitch * sizeof(float), source_cells.data(), row, row,
                              dim, cudaMemcpyHostToDevice));
  }
  Plate plate() const {
    return {.dim = dim, .pitch = pitch, .in = in.get(), .out = out.get(), .sources = sources.get()};
  }
};

}  // namespace heat_fast
