#pragma once
// The rungs' data: the rows of the plate that a rank computes, in its GPU's memory, the exchange of
// halos, and two streams for the rungs that compute meanwhile.
//
//      row 0       +------------------+
//                  | halo above       |  copies of the last rows of the rank above
//      begin       +------------------+
//                  | own rows         |
//      end         +------------------+
//                  | halo below       |  copies of the first rows of the rank below
//      rows        +------------------+

#include <algorithm>
#include <array>

#include "../../common/book.h"
#include "../../common/device_memory.h"

namespace heat_fast {
struct MarchInput;
}

namespace heat_multi_gpu {

class Communicator;

/// Side 0 is above, side 1 below.
constexpr int sides = 2;
constexpr int no_rank = -1;

/// Rows of a halo: a rank can do so many steps before it needs new ones. README.md explains why
/// there are not more.
constexpr int halo_rows = 10;

/// Cell (x, y) of a buffer is at x + y * pitch; row 0 is the first row in memory.
struct Subdomain {
  int dim;                           ///< cells per side of the whole plate
  int halo;                          ///< rows of it, fewer if a rank has fewer of its own
  std::array<int, sides> neighbors;  ///< their ranks; `no_rank` at the plate's border
  int begin;                         ///< the first own row
  int end;                           ///< after the last own row
  int rows;                          ///< in memory
  int first_row;                     ///< row 0 here is this row of the plate
  size_t pitch;                      ///< a multiple of 32: rows begin at multiples of 128 bytes
  DeviceMemory<float> buffers[2];    ///< in turn the cells and memory for the next
  int current = 0;                   ///< which of them holds the cells
  DeviceMemory<float> sources;       ///< 0 if a cell is not a source
  /// The sources as bits: make_source_bits() of heat_fast/march.cuh.
  DeviceMemory<unsigned> source_bits;

  /// The share of rank `rank` of `ranks` of a plate of dim x dim cells, at its start.
  Subdomain(int dim, int rank, int ranks);

  float* cells() const { return buffers[current].get(); }
  float* next_cells() const { return buffers[1 - current].get(); }
  void swap_buffers() { current = 1 - current; }

  int own() const { return end - begin; }
  bool has(int side) const { return neighbors[side] != no_rank; }
  /// The first of `count` rows on that side: of the own rows that the neighbor needs, and of the
  /// halo rows that it gives.
  int border_row(int side, int count) const { return side == 0 ? begin : end - count; }
  int halo_row(int side, int count) const { return side == 0 ? begin - count : end; }

  /// Steps of the next pass of `wide_halos` and `one_kernel`, if `left` steps of a frame remain:
  /// halo_rows, or 1 if the halos or the rest of the frame are smaller.
  int steps_of_pass(int left) const { return std::min(left, halo) < halo_rows ? 1 : halo_rows; }

  heat_fast::MarchInput march_input() const;  ///< the cells for a pass
  void restart();                             ///< the plate at its start
};

/// A way for halos to go from process to process. Made by all ranks together.
struct HaloExchange {
  virtual ~HaloExchange() = default;
  /// Appends to `stream`: the outermost `rows` own rows of the cells go to the neighbors, theirs go
  /// into the halos. All ranks call it, in the same order and with the same number of rows.
  virtual void append(float* cells, int rows, cudaStream_t stream) = 0;
};

/// A rung's data; it outlives the rung. The rung's run(steps) starts the time steps of a
/// frame and returns at once: domain.cells() will hold the result. It is called when the
/// device is idle.
struct Context {
  Communicator& comm;  ///< communicator.h; among the rungs only one_kernel needs it
  Subdomain& domain;
  HaloExchange* exchange;  ///< null if the ranks are threads of one process (--exchange peer)
};

/// The streams of `overlap` and `wide_halos`: one for the border rows and their exchange, one for
/// the interior.
struct TwoStreams {
  cudaStream_t border;
  cudaStream_t inner;
  cudaEvent_t border_done;  ///< the last pass of the border stream
  cudaEvent_t inner_done;   ///< the last pass of the inner stream

  /// The border stream has priority: when a block of the interior ends, a block of the exchange
  /// follows.
  TwoStreams() {
    int low = 0;
    int high = 0;
    HANDLE_ERROR(cudaDeviceGetStreamPriorityRange(&low, &high));
    HANDLE_ERROR(cudaStreamCreateWithPriority(&border, cudaStreamNonBlocking, high));
    HANDLE_ERROR(cudaStreamCreateWithPriority(&inner, cudaStreamNonBlocking, low));
    for (cudaEvent_t* event : {&border_done, &inner_done})
      HANDLE_ERROR(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~TwoStreams() {
    // Not checked: nothing depends on it, and errors of earlier work belong to the code that
    // started that work.
    for (cudaStream_t stream : {border, inner}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {border_done, inner_done}) cudaEventDestroy(event);
  }
  TwoStreams(const TwoStreams&) = delete;
  TwoStreams& operator=(const TwoStreams&) = delete;
};

}  // namespace heat_multi_gpu
