#pragma once
// Halos through MPI, staged: copied to pinned host memory, sent, and copied to the other GPU.
//
//      rank 0   GPU --copy--> host --MPI--> host --copy--> GPU   rank 1
//
// Nothing waits on the host's side. A host function, which is work in the stream like a copy or a
// kernel, calls MPI. CUDA runs it on a separate thread when the copies to the host are done. (A
// CUDA-aware MPI saves the copies, but it calls CUDA. A host function must not do that; the
// program's thread would wait for it.)

#include <mpi.h>

#include <array>

#include "subdomain.cuh"

namespace heat_multi_gpu {

class MpiExchange : public HaloExchange {
 public:
  explicit MpiExchange(const Subdomain& domain) : domain_(domain) {
    for (int side = 0; side < sides; ++side)
      if (domain.has(side))
        for (PinnedMemory<float>* memory : {&sent_[side], &received_[side]})
          *memory = PinnedMemory<float>(domain.halo * domain.pitch);
  }

  void append(float* cells, int rows, cudaStream_t stream) override {
    if (!domain_.has(0) && !domain_.has(1)) return;
    floats_ = rows * domain_.pitch;
    const size_t bytes = floats_ * sizeof(float);
    for (int side = 0; side < sides; ++side)
      if (domain_.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(sent_[side].get(),
                                     cells + domain_.border_row(side, rows) * domain_.pitch, bytes,
                                     cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaLaunchHostFunc(stream, send_and_receive, this));
    for (int side = 0; side < sides; ++side)
      if (domain_.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(cells + domain_.halo_row(side, rows) * domain_.pitch,
                                     received_[side].get(), bytes, cudaMemcpyHostToDevice, stream));
  }

 private:
  // Waits until all rows are sent and received. Errors of MPI end the job.
  static void send_and_receive(void* exchange) {
    const MpiExchange& self = *static_cast<const MpiExchange*>(exchange);
    const int count = static_cast<int>(self.floats_);
    std::array<MPI_Request, 2 * sides> requests;
    requests.fill(MPI_REQUEST_NULL);
    for (int side = 0; side < sides; ++side) {
      const int other = self.domain_.neighbors[side];
      if (other == no_rank) continue;
      MPI_Irecv(self.received_[side].get(), count, MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests[side]);
      MPI_Isend(self.sent_[side].get(), count, MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests[sides + side]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  const Subdomain& domain_;
  PinnedMemory<float> sent_[sides];
  PinnedMemory<float> received_[sides];
  size_t floats_ = 0;  // to and from each neighbor: always the same number
};

}  // namespace heat_multi_gpu
