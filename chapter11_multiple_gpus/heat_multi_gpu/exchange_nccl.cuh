// Halos through NCCL: from GPU to GPU, over NVLink within a host and over the network
// between hosts, by kernels of NCCL in the stream. The host only enqueues them; MPI sends
// the ranks their communicator's ID.
#pragma once

#ifdef HAVE_NCCL
#include <nccl.h>

#include <cstdlib>

#include "../../common/fail.h"
#include "rung.h"
#include "team.h"
#endif

namespace heat_multi_gpu {

#ifndef HAVE_NCCL
constexpr bool have_nccl = false;
#else
constexpr bool have_nccl = true;

/// Ends the program when a NCCL call failed, with NCCL's message.
inline void handle_nccl(ncclResult_t result) {
  if (result != ncclSuccess)
    fail(exit_code::failed, std::string("NCCL: ") + ncclGetErrorString(result));
}

class NcclExchange : public HaloExchange {
 public:
  NcclExchange(const Part& part, Team& team) : part_(part) {
    // Sends and receives have no use for multicast memory over NVLink.
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);
    ncclUniqueId id{};
    if (team.is_first()) handle_nccl(ncclGetUniqueId(&id));
    handle_nccl(ncclCommInitRank(&ranks_, team.size(), team.from_first(id), team.rank()));
  }
  ~NcclExchange() override { ncclCommDestroy(ranks_); }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  void append(int grid, int rows, cudaStream_t stream) override {
    const std::size_t count = rows * part_.pitch;
    // In a group, sends and receives wait for each other only as a whole: no order can deadlock.
    handle_nccl(ncclGroupStart());
    for (int side = 0; side < sides; ++side) {
      if (!part_.has(side)) continue;
      const float* border = part_.row(grid, part_.border_row(side, rows));
      float* halo = part_.row(grid, part_.halo_row(side, rows));
      handle_nccl(ncclSend(border, count, ncclFloat, part_.neighbors[side], ranks_, stream));
      handle_nccl(ncclRecv(halo, count, ncclFloat, part_.neighbors[side], ranks_, stream));
    }
    handle_nccl(ncclGroupEnd());
  }

 private:
  const Part& part_;
  ncclComm_t ranks_ = nullptr;
};
#endif

}  // namespace heat_multi_gpu
