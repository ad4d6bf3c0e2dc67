// How halos go from rank to rank: what the three ways (exchange_mpi.cuh, exchange_nccl.cuh, exchange_peer.cuh) have
// in common.
#pragma once

#include <memory>
#include <string>

#include "part.cuh"

/// One way to exchange halos. Made by all ranks together.
class HaloExchange {
 public:
  virtual ~HaloExchange() = default;
  /// Appends to `stream`: the outermost `rows` own rows of part.grids[grid] go to the neighbors, theirs come into the
  /// halos. All ranks call it, in the same order. It may be recorded into a graph.
  void append(const Part& part, int grid, int rows, cudaStream_t stream) {
    if (part.has(0) || part.has(1)) append_to(part, grid, rows, stream);
  }

 private:
  virtual void append_to(const Part& part, int grid, int rows, cudaStream_t stream) = 0;
};
