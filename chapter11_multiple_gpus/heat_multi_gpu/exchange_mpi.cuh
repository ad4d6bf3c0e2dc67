// Halos through MPI, staged: copied to pinned host memory, sent, and copied to the other GPU.
//
//      rank 0   GPU --copy--> host --MPI--> host --copy--> GPU   rank 1
//
// Nothing waits on the host's side: MPI is called by a host function, a piece of work in the stream like a copy or a
// kernel, that CUDA runs on a thread of its own when the copies to the host are done. So it can be recorded into a
// graph, too. (An MPI that reads GPU memory by itself spares the copies, but calls CUDA, which a host function must
// not: there the program's thread would have to wait.)
#pragma once

#include <mpi.h>

#include <array>
#include <map>

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
    // A graph keeps the pointer for later: so there is one message for each number of rows, and it stays.
    Message& message = messages_[rows];
    message = {part.neighbors, {}, {}, static_cast<int>(rows * part.pitch)};
    for (int side = 0; side < sides; ++side) {
      message.sent[side] = sent_[side].get();
      message.received[side] = received_[side].get();
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(sent_[side].get(), part.row(grid, part.border_row(side, rows)), bytes,
                                     cudaMemcpyDeviceToHost, stream));
    }
    HANDLE_ERROR(cudaLaunchHostFunc(stream, send_and_receive, &message));
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(part.row(grid, part.halo_row(side, rows)), received_[side].get(), bytes,
                                     cudaMemcpyHostToDevice, stream));
  }

 private:
  struct Message {
    std::array<int, sides> neighbors;
    std::array<float*, sides> sent, received;
    int floats;  // to and from each neighbor
  };

  // Waits until all have gone and come. Errors of MPI end the job.
  static void send_and_receive(void* data) {
    const Message& message = *static_cast<const Message*>(data);
    std::array<MPI_Request, 2 * sides> requests;
    requests.fill(MPI_REQUEST_NULL);
    for (int side = 0; side < sides; ++side) {
      const int other = message.neighbors[side];
      if (other == nobody) continue;
      MPI_Irecv(message.received[side], message.floats, MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests[2 * side]);
      MPI_Isend(message.sent[side], message.floats, MPI_FLOAT, other, 0, MPI_COMM_WORLD,
                &requests[2 * side + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  PinnedMemory<float> sent_[sides], received_[sides];
  std::map<int, Message> messages_;  // by rows; their addresses stay
};
