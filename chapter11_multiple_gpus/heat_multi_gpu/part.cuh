// A rank's part of the plate in its GPU's memory, and a pass over some of its rows.
//
//      row 0       +------------------+
//                  | halo above       |  copies of the last rows of the rank above
//      begin       +------------------+
//                  | own rows         |
//      end         +------------------+
//                  | halo below       |  copies of the first rows of the rank below
//      slab.rows   +------------------+
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "../../common/device_memory.h"
#include "march_part.cuh"
#include "team.h"

/// A stream that is ended with its scope.
class Stream {
 public:
  explicit Stream(int priority = 0) {
    HANDLE_ERROR(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority));
  }
  // Not checked: nothing depends on it, and the errors of earlier work belong to whoever started that.
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A place in a stream that another stream can wait for.
class Event {
 public:
  Event() { HANDLE_ERROR(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(cudaStream_t stream) const { HANDLE_ERROR(cudaEventRecord(event_, stream)); }
  void hold_back(cudaStream_t stream) const { HANDLE_ERROR(cudaStreamWaitEvent(stream, event_, 0)); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Rows of the plate: the first `dim % ranks` ranks have one more than the others.
struct OwnRows {
  int first, count;
};
inline OwnRows own_rows(int dim, int rank, int ranks) {
  const int less = dim / ranks, more = dim % ranks;
  return {rank * less + std::min(rank, more), less + (rank < more ? 1 : 0)};
}

/// Halos as wide as wanted, or as the rank with the fewest rows can fill them: they come from the next rank only.
inline int halo_rows(int dim, int ranks, int wanted) { return std::max(1, std::min(wanted, dim / ranks)); }

/// Rows of the plate from `first` on: temperature(x, y, dim) of each cell.
template <class Temperature>
std::vector<float> rows_of(const Temperature& temperature, int dim, int first, int count) {
  std::vector<float> rows(static_cast<std::size_t>(dim) * count);
  parallel_for(count, [&](int y) {
    for (int x = 0; x < dim; ++x)
      rows[x + static_cast<std::size_t>(y) * dim] = temperature(x, first + y, dim);
  });
  return rows;
}

/// Side 0 is above, side 1 below.
constexpr int sides = 2;
constexpr int nobody = -1;

/// The part of a plate of dim x dim cells that a rank computes.
struct Part {
  int halo;                          ///< rows of a halo
  std::array<int, sides> neighbors;  ///< their ranks; `nobody` at the plate's border
  int begin, end;                    ///< own rows of the slab
  Slab slab;
  DeviceMemory<float> grids[2];  ///< in turn the grid and room for the next one
  int now = 0;                   ///< which of them holds the grid
  int valid;                     ///< halo rows of it that are up to date
  DeviceMemory<float> sources;
  DeviceMemory<unsigned> source_bits;

  Part(int dim, int wanted_halo, const Team& team)
      : halo(halo_rows(dim, team.size(), wanted_halo)),
        neighbors{team.rank() - 1, team.rank() + 1 < team.size() ? team.rank() + 1 : nobody},
        valid(halo) {
    const OwnRows own = own_rows(dim, team.rank(), team.size());
    begin = neighbors[0] == nobody ? 0 : halo;
    end = begin + own.count;
    const int rows = end + (neighbors[1] == nobody ? 0 : halo);
    slab = {dim, rows, pitch_of(dim), own.first - begin, dim};
    for (DeviceMemory<float>* memory : {&grids[0], &grids[1], &sources}) {
      *memory = DeviceMemory<float>(slab.pitch * rows);
      HANDLE_ERROR(cudaMemset(memory->get(), 0, memory->bytes()));
    }
    source_bits = DeviceMemory<unsigned>(source_words(slab.rows, static_cast<int>(slab.pitch)));
    upload(sources, [](int size, int first, int count) { return rows_of(source_at, size, first, count); });
    make_source_bits(source_bits.get(), sources.get(), slab.width, slab.rows, static_cast<int>(slab.pitch));
    restart();
  }

  int own() const { return end - begin; }
  float* in() const { return grids[now].get(); }
  float* out() const { return grids[1 - now].get(); }
  float* row(int grid, int y) const { return grids[grid].get() + y * slab.pitch; }
  bool has(int side) const { return neighbors[side] != nobody; }

  /// The first of `rows` own rows that the neighbor on that side needs, and of the halo rows that it gives.
  int border_row(int side, int rows) const { return side == 0 ? begin : end - rows; }
  int halo_row(int side, int rows) const { return side == 0 ? begin - rows : end; }

  /// The plate at its start, halos included.
  void restart() {
    load([](int size, int first, int count) { return rows_of(start_at, size, first, count); });
  }

  /// Another plate, halos included: rows_of_plate(size, first, count) returns rows of it.
  template <class Rows>
  void load(const Rows& rows_of_plate) {
    upload(grids[now], rows_of_plate);
    valid = halo;
    HANDLE_ERROR(cudaDeviceSynchronize());  // the streams of the rungs do not wait for the default stream
  }

  /// `rows` rows of the slab from row y on, without the cells behind `width`.
  std::vector<float> download(int y, int rows) const {
    std::vector<float> cells(static_cast<std::size_t>(slab.width) * rows);
    const std::size_t row_bytes = slab.width * sizeof(float);
    HANDLE_ERROR(cudaMemcpy2D(cells.data(), row_bytes, row(now, y), slab.pitch * sizeof(float), row_bytes,
                              rows, cudaMemcpyDeviceToHost));
    return cells;
  }

 private:
  // A few rows at a time: a part may be larger than the host's memory has room for twice.
  template <class Rows>
  void upload(const DeviceMemory<float>& to, const Rows& rows_of_plate) const {
    constexpr int at_once = 1024;
    const std::size_t row_bytes = slab.width * sizeof(float);
    for (int y = 0; y < slab.rows; y += at_once) {
      const int count = std::min(at_once, slab.rows - y);
      const std::vector<float> rows = rows_of_plate(slab.width, slab.first_row + y, count);
      HANDLE_ERROR(cudaMemcpy2D(to.get() + y * slab.pitch, slab.pitch * sizeof(float), rows.data(), row_bytes,
                                row_bytes, count, cudaMemcpyHostToDevice));
    }
  }
};

/// A pass is one trip of rows through memory, in which they advance by so many steps at most. Which numbers of steps
/// there are is a matter of kernels: one of march_part_kernel for each.
constexpr int most_steps_per_pass = 10;

/// The largest number of steps per pass that is at most `steps`, which is 1 or more.
inline int pass_steps(int steps) {
  for (const int levels : {10, 5, 2})
    if (levels <= steps) return levels;
  return 1;
}

/// Calls f.operator()<levels>() for a number of steps that pass_steps() has returned.
template <class F>
void with_levels(int levels, const F& f) {
  switch (levels) {
    case 10:
      return f.template operator()<10>();
    case 5:
      return f.template operator()<5>();
    case 2:
      return f.template operator()<2>();
    default:
      return f.template operator()<1>();
  }
}

/// How a frame's steps are cut into passes: whether one begins or ends the frame (2_fused.cuh of heat_fast).
struct PassOfFrame {
  int levels;
  bool first, last;
};

/// How many times the warps of a pass over `rows` rows fill the GPU, where --rounds does not say (`wanted` is 0). So
/// many that a warp has about 135 rows, but at most 6: with longer parts the warps that meet sources hold up the
/// others, with shorter ones too many rows are computed twice. Fitted with the part `sweep` of
/// benchmarks/heat_multi_gpu.sh.
inline double march_rounds(int rows, double wanted) {
  return wanted > 0 ? wanted : std::clamp(std::round(rows / 1350.0), 1.0, 6.0);
}

/// `pass.levels` steps of rows from to `to` - 1 of the slab, from part.in() to part.out(). Does nothing for no rows.
inline void march_rows(const Part& part, PassOfFrame pass, int from, int to, double rounds,
                       cudaStream_t stream) {
  if (from >= to) return;
  with_levels(pass.levels, [&]<int levels>() {
    march_slab<levels>(part.out(), part.in(), part.sources.get(), part.source_bits.get(), part.slab, from, to,
                       pass.first, pass.last, march_rounds(to - from, rounds), stream);
  });
}
