// The plate in device memory, as every rung gets it, and what a rung is.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../../common/grid.h"
#include "../../common/method_table.h"
#include "../heat_common.h"

/// Some rows of a plate that lie in memory one after the other: the whole plate, or the part of it that one
/// device holds, with halo rows (copies of its neighbors' rows) above and below. Row y of the slab is row
/// first_row + y of the plate. Only the plate's own borders are borders; a slab's first and last rows are
/// not, so after s steps the s outermost rows at an inner end hold no result.
struct Slab {
  int width;      ///< cells per row, the same as the plate's
  int rows;       ///< rows in memory, halo rows included
  size_t pitch;   ///< floats from one row to the next, a multiple of 4; the cells behind `width` mean nothing
  int first_row;  ///< the plate's row that is row 0 here
  int plate_rows;  ///< rows of the whole plate

  __host__ __device__ bool is_first(int y) const { return first_row + y == 0; }
  __host__ __device__ bool is_last(int y) const { return first_row + y == plate_rows - 1; }
};

/// Rows begin at multiples of 128 bytes, so that a warp's vector loads are aligned.
inline size_t pitch_of(int width) { return static_cast<size_t>(div_up(width, 32)) * 32; }

// Sources as bits: one word for 8 rows x 4 columns, so a lane that owns four columns reads one word per
// eight rows. Bit 4 (y mod 8) + (x mod 4) of word (y / 8) (pitch / 4) + x / 4 says whether cell (x, y) is a
// source.
inline size_t source_words(const Slab& slab) { return div_up(slab.rows, 8) * (slab.pitch / 4); }

/// The bits of cells (x, y) to (x + 3, y), x a multiple of 4: bit i for cell x + i.
__device__ inline unsigned source_nibble(const unsigned* bits, const Slab& slab, int x, int y) {
  return bits[y / 8 * (slab.pitch / 4) + x / 4] >> 4 * (y % 8) & 15;
}

/// Makes those words. One thread per word; block (128, 1), grid (pitch / 4 / 128, rows / 8), rounded up.
static __global__ void source_bits_kernel(unsigned* bits, const float* sources, Slab slab) {
  const int column = threadIdx.x + blockIdx.x * blockDim.x, group = blockIdx.y;
  if (column >= static_cast<int>(slab.pitch / 4)) return;
  unsigned word = 0;
  for (int row = 0; row < 8 && 8 * group + row < slab.rows; ++row)
    for (int i = 0; i < 4; ++i) {
      const bool inside = 4 * column + i < slab.width;
      if (inside && sources[(8 * group + row) * slab.pitch + 4 * column + i] != 0)
        word |= 1u << (4 * row + i);
    }
  bits[group * (slab.pitch / 4) + column] = word;
}

/// Makes the words of a slab; `bits` has room for source_words(slab) of them.
inline void make_source_bits(unsigned* bits, const float* sources, const Slab& slab) {
  const dim3 blocks(static_cast<unsigned>(div_up(slab.pitch / 4, size_t{128})), div_up(slab.rows, 8));
  source_bits_kernel<<<blocks, 128>>>(bits, sources, slab);
  HANDLE_ERROR(cudaGetLastError());
}

/// A whole plate of dim x dim cells and all that the rungs read of it.
struct Plate {
  Slab slab;
  float k;                      ///< --speed
  DeviceMemory<float> in, out;  ///< the grid, and room for the next one
  DeviceMemory<float> sources;  ///< 0 where a cell is no source
  DeviceMemory<unsigned> source_bits;

  Plate(int dim, float speed)
      : slab{dim, dim, pitch_of(dim), 0, dim},
        k(speed),
        in(slab.pitch * dim),
        out(slab.pitch * dim),
        sources(slab.pitch * dim),
        source_bits(source_words(slab)) {
    HANDLE_ERROR(cudaMemset(in.get(), 0, in.bytes()));
    HANDLE_ERROR(cudaMemset(out.get(), 0, out.bytes()));
    HANDLE_ERROR(cudaMemset(sources.get(), 0, sources.bytes()));
    upload(sources, constant_sources(dim));
    make_source_bits(source_bits.get(), sources.get(), slab);
    restart();
  }

  void restart() { upload(in, starting_grid(slab.width)); }

  Grid download() const {
    Grid grid(static_cast<size_t>(slab.width) * slab.rows);
    const size_t row = slab.width * sizeof(float);
    HANDLE_ERROR(cudaMemcpy2D(grid.data(), row, in.get(), slab.pitch * sizeof(float), row, slab.rows,
                              cudaMemcpyDeviceToHost));
    return grid;
  }

 private:
  void upload(const DeviceMemory<float>& to, const Grid& grid) const {
    const size_t row = slab.width * sizeof(float);
    HANDLE_ERROR(cudaMemcpy2D(to.get(), slab.pitch * sizeof(float), grid.data(), row, row, slab.rows,
                              cudaMemcpyHostToDevice));
  }
};

/// One way to compute the time steps, with its scratch memory.
class Rung {
 public:
  virtual ~Rung() = default;
  /// Sets `steps` (1 or more) time steps going: plate.in holds the grid before, and the result once they
  /// are done. Work goes to the default stream. CUDA errors end the program.
  virtual void advance(Plate& plate, int steps) = 0;
  /// How often the grid goes through memory in so many steps: read once, written once, sources read once.
  virtual int passes(int steps) const = 0;
};

/// A row of the table of methods.
struct HeatMethod {
  std::string name, help;
  std::optional<Refusal> (*refuses)(int dim);  ///< nothing when it can do a plate of that size on this device
  std::unique_ptr<Rung> (*make)(const Plate& plate);  ///< only where refuses() is empty
  bool gpu_only = false;
};

inline std::optional<Refusal> any_size(int) { return std::nullopt; }

/// HeatMethod::make of rungs that need nothing but the plate.
template <class R>
std::unique_ptr<Rung> make_rung(const Plate& plate) {
  return std::make_unique<R>(plate);
}
