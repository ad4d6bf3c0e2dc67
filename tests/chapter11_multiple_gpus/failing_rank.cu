// failing_rank HOW [THREADS]: rank 1 of several fails in the way HOW while the others wait for it,
// as in heat_multi_gpu: processes of MPI, or THREADS threads of one process. The job is to end, and
// to say which rank it was.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "../../chapter11_multiple_gpus/heat_multi_gpu/communicator.h"
#include "../../common/book.h"
#include "../../common/fail.h"

using namespace heat_multi_gpu;

__global__ void fail_kernel() { __trap(); }

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  const auto work = [&](Communicator& comm) {
    comm.barrier();
    if (comm.rank() == 1) {
      if (how == "gpu") {
        fail_kernel<<<1, 1>>>();
        HANDLE_ERROR(cudaGetLastError());
        HANDLE_ERROR(cudaDeviceSynchronize());
      }
      if (how == "exit") std::exit(0);
      if (how == "sentence") fail(exit_code::failed, "something that only this rank can see");
      if (how == "exception") throw std::runtime_error("an uncaught exception");
      if (how == "kill") ::raise(SIGKILL);
    }
    comm.barrier();  // rank 1 never comes
    return 0;
  };
  MpiCommunicator processes(argc, argv);
  return argc > 2 ? run_as_threads(std::atoi(argv[2]), work) : work(processes);
}
