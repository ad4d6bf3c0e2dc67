// Halos through NCCL: from GPU to GPU, over NVLink within a host and over the network between hosts, by kernels of
// NCCL in the stream. The host's part is to append them; MPI only tells all ranks the number by which they meet.
#pragma once

#include <cstdlib>

#include "exchange.cuh"

#ifdef HAVE_NCCL
#include <nccl.h>

/// Ends the program when a NCCL call failed, with its words.
inline void handle_nccl(ncclResult_t result, const char* call) {
  if (result != ncclSuccess)
    fail(exit_code::failed, std::string(call) + " failed: " + ncclGetErrorString(result));
}

class NcclExchange : public HaloExchange {
 public:
  explicit NcclExchange(Team& team) {
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);  // sends and receives have no use for multicast memory over NVLink
    ncclUniqueId id{};
    if (team.is_first()) handle_nccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    team.broadcast(&id, sizeof id);
    handle_nccl(ncclCommInitRank(&ranks_, team.size(), id, team.rank()), "ncclCommInitRank");
  }
  ~NcclExchange() override { ncclCommDestroy(ranks_); }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  void append_to(const Part& part, int grid, int rows, cudaStream_t stream) override {
    const std::size_t count = rows * part.slab.pitch;
    // In a group, sends and receives wait for each other only as a whole: no order can deadlock.
    handle_nccl(ncclGroupStart(), "ncclGroupStart");
    for (int side = 0; side < sides; ++side) {
      if (!part.has(side)) continue;
      const int other = part.neighbors[side];
      handle_nccl(
          ncclSend(part.row(grid, part.border_row(side, rows)), count, ncclFloat, other, ranks_, stream),
          "ncclSend");
      handle_nccl(
          ncclRecv(part.row(grid, part.halo_row(side, rows)), count, ncclFloat, other, ranks_, stream),
          "ncclRecv");
    }
    handle_nccl(ncclGroupEnd(), "ncclGroupEnd");
  }

 private:
  ncclComm_t ranks_ = nullptr;
};
#endif
