// All rungs, as the program, the tests and the sweep see them. methods.cu fills the table.
#pragma once

#include <vector>

#include "../../common/device_memory.h"
#include "../../common/method_table.h"
#include "plate.h"

/// What a rung does when it is ready for a plate: see plate.h.
using HeatSteps = int(Plate& plate, int steps);

using HeatMethod = Method<HeatSteps, const Plate&>;

/// From naive to fast; the last, "best", chooses by size.
const MethodTable<HeatMethod>& heat_methods();
/// Its entry from methods_registers.cu.
const HeatMethod& registers_method();

/// The memory of a plate; the cells behind the end of a row are 0.
class PlateMemory {
 public:
  PlateMemory(int dim, const std::vector<float>& start, const std::vector<float>& sources)
      : dim_(dim),
        pitch_(div_up(dim, 32) * size_t{32}),
        in_(pitch_ * dim),
        out_(in_.size()),
        sources_(in_.size()) {
    for (const auto* grid : {&in_, &out_, &sources_}) HANDLE_ERROR(cudaMemset(grid->get(), 0, grid->bytes()));
    upload(in_, start);
    upload(sources_, sources);
  }
  Plate plate() const { return {dim_, pitch_, in_.get(), out_.get(), sources_.get()}; }

 private:
  void upload(const DeviceMemory<float>& grid, const std::vector<float>& cells) const {
    const size_t row = dim_ * sizeof(float);
    HANDLE_ERROR(cudaMemcpy2D(grid.get(), pitch_ * sizeof(float), cells.data(), row, row, dim_,
                              cudaMemcpyHostToDevice));
  }

  int dim_;
  size_t pitch_;
  DeviceMemory<float> in_, out_, sources_;
};
