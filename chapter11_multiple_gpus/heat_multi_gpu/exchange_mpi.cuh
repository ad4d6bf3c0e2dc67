// Halos through MPI: from GPU memory where MPI can read it (CUDA-aware MPI), else staged: copied to pinned host
// memory, sent, and copied to the other GPU.
//
//      rank 0   GPU --copy--> host --MPI--> host --copy--> GPU   rank 1
//
// Staged, nothing waits on the host's side: MPI is called by a host function, a piece of work in the stream like a
// copy or a kernel, that CUDA runs on a thread of its own when the copies to the host are done. So it can be recorded
// into a graph, too. A host function must not call CUDA, and CUDA-aware MPI does: there the program's thread waits
// for the stream and calls MPI itself, and only what is recorded is staged.
#pragma once

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>  // Open MPI's: MPIX_Query_cuda_support
#endif

#include <map>

#include "exchange.cuh"

class MpiExchange : public HaloExchange {
 public:
  explicit MpiExchange(const Part& part) : neighbors_(part.neighbors) {
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        for (PinnedMemory<float>* memory : {&sent_[side], &received_[side]})
          *memory = PinnedMemory<float>(part.halo * part.slab.pitch);
  }

  /// Whether this MPI says that it takes pointers to GPU memory.
  static bool is_cuda_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && !defined(EMULATED_DEVICE)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
  }

  void append_to(const Part& part, int grid, int rows, cudaStream_t stream) override {
    const std::size_t count = rows * part.slab.pitch;
    const auto border = [&](int side) { return part.row(grid, part.border_row(side, rows)); };
    const auto halo = [&](int side) { return part.row(grid, part.halo_row(side, rows)); };

    cudaStreamCaptureStatus recording;
    HANDLE_ERROR(cudaStreamIsCapturing(stream, &recording));
    if (is_cuda_aware() && recording == cudaStreamCaptureStatusNone) {
      HANDLE_ERROR(cudaStreamSynchronize(stream));
      send_and_receive(neighbors_, {border(0), border(1)}, {halo(0), halo(1)}, count);
      return;
    }

    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(sent_[side].get(), border(side), count * sizeof(float),
                                     cudaMemcpyDeviceToHost, stream));
    // A graph keeps the pointer for later: so there is one message for each number of rows, and it stays.
    Message& message = messages_[rows];
    message = {neighbors_, {sent_[0].get(), sent_[1].get()}, {received_[0].get(), received_[1].get()}, count};
    HANDLE_ERROR(cudaLaunchHostFunc(
        stream,
        [](void* data) {
          const Message& m = *static_cast<const Message*>(data);
          send_and_receive(m.neighbors, m.sent, m.received, m.count);
        },
        &message));
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(halo(side), received_[side].get(), count * sizeof(float),
                                     cudaMemcpyHostToDevice, stream));
  }

 private:
  using Pointers = std::array<float*, sides>;

  struct Message {
    std::array<int, sides> neighbors;
    Pointers sent, received;
    std::size_t count;
  };

  // Waits until `count` floats have gone to and come from each neighbor. Errors of MPI end the job.
  static void send_and_receive(const std::array<int, sides>& neighbors, const Pointers& sent,
                               const Pointers& received, std::size_t count) {
    std::array<MPI_Request, 2 * sides> requests;
    requests.fill(MPI_REQUEST_NULL);
    for (int side = 0; side < sides; ++side) {
      if (neighbors[side] == nobody) continue;
      const int other = neighbors[side], floats = static_cast<int>(count);
      MPI_Irecv(received[side], floats, MPI_FLOAT, other, 0, MPI_COMM_WORLD, &requests[2 * side]);
      MPI_Isend(sent[side], floats, MPI_FLOAT, other, 0, MPI_COMM_WORLD, &requests[2 * side + 1]);
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  std::array<int, sides> neighbors_;
  PinnedMemory<float> sent_[sides], received_[sides];
  std::map<int, Message> messages_;  // by rows; their addresses stay
};
