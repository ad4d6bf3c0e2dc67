#include "communicator.h"

#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <barrier>
#include <cstdio>
#include <cstring>
#include <thread>

#include "../../common/fail.h"

namespace heat_multi_gpu {

#ifdef __SANITIZE_ADDRESS__
// Open MPI leaks some hundred kilobytes and unloads the libraries that own them. So no suppression
// can name them, and there is no search for leaks here. (Device memory:
// EMULATED_CHECK_LEAKS=1.)
extern "C" int __lsan_is_turned_off();  // NOLINT(bugprone-reserved-identifier)
extern "C" int __lsan_is_turned_off() { return 1; }
#endif

void Communicator::refuse(int code, const std::string& sentence) {
  first_alone([&] { fail(code, sentence); });
  std::abort();  // not reached
}

// ---- processes ----

namespace {

bool first_is_alone = false;  // in first_alone(): the others wait for its end

// Without room for its libraries MPI ends with many messages of its own.
void require_memory_for_mpi() {
  constexpr size_t bytes = size_t{600} << 20;
  void* const room =
      ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
    fail(exit_code::failed, "not enough memory for MPI, which needs 600 MiB of address space");
  ::munmap(room, bytes);
}

// A rank that ends the program early would leave the others waiting for it. If there are
// several ranks, it prints its number after its own sentence, so that a user knows where
// to look. A single rank prints nothing more.
void end_all(int code, void* communicator) {
  Communicator& comm = *static_cast<MpiCommunicator*>(communicator);
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  if (first_is_alone || (comm.size() == 1 && code != 0)) {
    int done = 0;  // without from_first(), which needs memory
    MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
  } else {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    if (comm.size() > 1)
      std::fprintf(stderr,
                   "%s: rank %d of %d, on %s, has ended before the job was done, so all end.\n",
                   program_name().c_str(), comm.rank(), comm.size(), host.data());
    MPI_Abort(MPI_COMM_WORLD, code == 0 ? exit_code::failed : code);
  }
}

}  // namespace

MpiCommunicator::MpiCommunicator(int& argc, char**& argv) {
  require_memory_for_mpi();
  // MPI inspects the machine, but it must not search displays for GPUs,
  // nor complain without /sys.
  ::setenv("HWLOC_COMPONENTS", "-gl", 0);
  ::setenv("HWLOC_HIDE_ERRORS", "2", 0);
  // CUDA calls MPI from a thread of its own (exchange_mpi.cuh). Meanwhile
  // the program's thread calls nothing.
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  ::on_exit(end_all, this);
  static MpiCommunicator* const all = this;
  std::at_quick_exit([] { end_all(exit_code::failed, all); });  // after an uncaught exception
  if (provided < MPI_THREAD_SERIALIZED)
    refuse(exit_code::cannot_here, "this MPI was built for programs with one thread only");
}

MpiCommunicator::~MpiCommunicator() { MPI_Finalize(); }

void MpiCommunicator::barrier() { MPI_Barrier(MPI_COMM_WORLD); }

void MpiCommunicator::gather_all(const void* mine, size_t bytes, void* all) {
  const int count = static_cast<int>(bytes);
  MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD);
}

void MpiCommunicator::gather_rows(const void* mine, int rows, size_t row_bytes, void* all) {
  // Counted in rows, because the numbers of bytes may be too large for MPI's ints.
  MPI_Datatype row;
  MPI_Type_contiguous(static_cast<int>(row_bytes), MPI_BYTE, &row);
  MPI_Type_commit(&row);
  const std::vector<int> counts = from_all(rows);
  std::vector<int> begins(counts.size(), 0);
  for (size_t i = 1; i < begins.size(); ++i) begins[i] = begins[i - 1] + counts[i - 1];
  MPI_Gatherv(mine, rows, row, all, counts.data(), begins.data(), row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
}

void MpiCommunicator::first_alone(const std::function<void()>& work) {
  first_is_alone = is_first();
  if (is_first()) work();
  first_is_alone = false;
  int done = 1;
  MPI_Bcast(&done, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (done != 0) return;
  // mpirun ends all ranks when one ends with an error. So that rank prints the sentence.
  MPI_Finalize();
  std::exit(exit_code::fine);
}

int MpiCommunicator::rank_on_host() const {
  int number = 0;
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &number);
  MPI_Comm_free(&host);
  return number;
}

// ---- threads ----

namespace {

// The data that the threads share.
struct Meeting {
  explicit Meeting(int ranks) : barrier(ranks), data(ranks), bytes(ranks) {}
  std::barrier<> barrier;
  std::vector<const void*> data;
  std::vector<size_t> bytes;
};

class ThreadCommunicator : public Communicator {
 public:
  ThreadCommunicator(int rank, int size, Meeting& meeting) : meeting_(meeting) {
    rank_ = rank;
    size_ = size;
  }

  void barrier() override { meeting_.barrier.arrive_and_wait(); }

  void gather_rows(const void* mine, int rows, size_t row_bytes, void* all) override {
    gather_all(mine, rows * row_bytes, all);
  }

  void first_alone(const std::function<void()>& work) override {
    barrier();  // rank 0's exit() destroys what the others may still be using
    if (is_first()) work();
    barrier();
  }

 private:
  // Every rank's bytes, however many, one after another, to `all` of the ranks that pass one.
  void gather_all(const void* mine, size_t bytes, void* all) override {
    meeting_.data[rank_] = mine;
    meeting_.bytes[rank_] = bytes;
    barrier();
    if (all != nullptr) {
      char* to = static_cast<char*>(all);
      for (int i = 0; i < size_; ++i) {
        if (meeting_.bytes[i] > 0) std::memcpy(to, meeting_.data[i], meeting_.bytes[i]);
        to += meeting_.bytes[i];
      }
    }
    barrier();
  }

  Meeting& meeting_;
};

}  // namespace

int run_as_threads(int ranks, const std::function<int(Communicator&)>& body) {
  Meeting meeting(ranks);
  std::vector<std::jthread> threads;
  for (int rank = 1; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      ThreadCommunicator comm(rank, ranks, meeting);
      body(comm);
    });
  ThreadCommunicator comm(0, ranks, meeting);
  return body(comm);
}

}  // namespace heat_multi_gpu
