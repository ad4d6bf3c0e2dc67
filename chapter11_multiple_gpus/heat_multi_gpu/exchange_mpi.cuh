// Halos through MPI, staged: copied to pinned host memory, sent, and copied to the other GPU.
//
//      rank 0   GPU --copy--> host --MPI--> host --copy--> GPU   rank 1
//
// Nothing waits on the host's side: MPI is called by a host function, a piece of work in the stream like a copy or a
// kernel, that CUDA runs on a thread of its own when the copies to the host are done. (An MPI that reads GPU memory by
// itself spares the copies, but calls CUDA, which a host function must not: there the program's thread would have to
// wait.)
#pragma once

#include <mpi.h>

#include <array>

#include "rung.h"

class MpiExchange : public HaloExchange {
 public:
  explicit MpiExchange(const Part& part) {
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        for (PinnedMemory<float>* memory : {&sent_[side], &received_[side]})
          *memory = PinnedMemory<float>(part.halo * part.pitch);
  }

  void append(const Part& part, int grid, int rows, cudaStream_t stream) override {
    if (!part.has(0) && !part.has(1)) return;
    const std::size_t bytes = rows * part.pitch * sizeof(float);
    neighbors_ =
        part.neighbors;  // for the host function, as is `floats_`: a rung exchanges the same number of rows always
    floats_ = static_cast<int>(rows * part.pitch);
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(sent_[side].get(), part.row(grid, part.border_row(side, rows)), bytes,
                                     cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaLaunchHostFunc(stream, send_and_receive, this));
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(part.row(grid, part.halo_row(side, rows)), received_[side].get(), bytes,
                                     cudaMemcpyHostToDevice, stream));
  }

 private:
  // Waits until all have gone and come. Errors of MPI end the job.
  static void send_and_receive(void* exchange) {
    const MpiExchange& all = *static_cast<const MpiExchange*>(exchange);
    std::array<MPI_Request, 2 * sides> requests;
    requests.fill(MPI_REQUEST_NULL);
    for (int side = 0; side < sides; ++side) {
      const int other = all.neighbors_[side];
      if (other == no_rank) continue;
      MPI_Irecv(all.received_[side].get(), all.floats_, MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests[2 * side]);
      MPI_Isend(all.sent_[side].get(), all.floats_, MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests[2 * side + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  PinnedMemory<float> sent_[sides], received_[sides];
  std::array<int, sides> neighbors_{};
  int floats_ = 0;  // to and from each neighbor
};
