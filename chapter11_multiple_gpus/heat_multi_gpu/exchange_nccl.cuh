#pragma once
// Halos through NCCL: from GPU to GPU, over NVLink within a host and over the network
// between hosts, by kernels of NCCL in the stream. The host only enqueues them. MPI sends
// the ranks their communicator's ID.

#ifdef HAVE_NCCL
#include <nccl.h>

#include <cstdlib>

#include "../../common/fail.h"
#include "communicator.h"
#include "subdomain.cuh"
#endif

namespace heat_multi_gpu {

#ifndef HAVE_NCCL
constexpr bool have_nccl = false;
#else
constexpr bool have_nccl = true;

/// Ends the program with NCCL's message if an NCCL call failed.
inline void handle_nccl(ncclResult_t result) {
  if (result != ncclSuccess)
    fail(exit_code::failed, std::string("NCCL: ") + ncclGetErrorString(result));
}

class NcclExchange : public HaloExchange {
 public:
  NcclExchange(const Subdomain& domain, Communicator& comm) : domain_(domain) {
    // Sends and receives have no use for multicast memory over NVLink.
    ::setenv("NCCL_NVLS_ENABLE", "0", 0);
    ncclUniqueId id{};
    if (comm.is_first()) handle_nccl(ncclGetUniqueId(&id));
    handle_nccl(ncclCommInitRank(&nccl_, comm.size(), comm.from_first(id), comm.rank()));
  }
  ~NcclExchange() override { ncclCommDestroy(nccl_); }
  NcclExchange(const NcclExchange&) = delete;
  NcclExchange& operator=(const NcclExchange&) = delete;

  void append(float* cells, int rows, cudaStream_t stream) override {
    const size_t count = rows * domain_.pitch;
    // In a group, sends and receives wait for each other only as a whole, so no order can deadlock.
    handle_nccl(ncclGroupStart());
    for (int side = 0; side < sides; ++side) {
      if (!domain_.has(side)) continue;
      const float* border = cells + domain_.border_row(side, rows) * domain_.pitch;
      float* halo = cells + domain_.halo_row(side, rows) * domain_.pitch;
      handle_nccl(ncclSend(border, count, ncclFloat, domain_.neighbors[side], nccl_, stream));
      handle_nccl(ncclRecv(halo, count, ncclFloat, domain_.neighbors[side], nccl_, stream));
    }
    handle_nccl(ncclGroupEnd());
  }

 private:
  const Subdomain& domain_;
  ncclComm_t nccl_ = nullptr;
};
#endif

}  // namespace heat_multi_gpu
