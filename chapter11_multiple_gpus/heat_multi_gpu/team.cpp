#include "team.h"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "../../common/fail.h"

double Team::largest(double mine) {
  const std::vector<double> all = from_all(mine);
  return *std::max_element(all.begin(), all.end());
}

int rank_from_environment() {
  // Open MPI, MPICH and its kin, and what every launcher that speaks PMIx sets.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return 0;
}

namespace {

/// Of many ranks one has ended the program, after its own sentence: which one, so that one knows where to look.
void name_the_rank(int rank, int size) {
  if (size == 1) return;
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  std::fprintf(stderr, "%s: rank %d of %d, on %s, has ended before the job was done, so all end.\n",
               program_name().c_str(), rank, size, host.data());
}

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// Open MPI leaves some hundred kilobytes behind and unloads the libraries that they belong to, so that no suppression
// can name them: no search for leaks here. (Device memory: EMULATED_CHECK_LEAKS=1.)
extern "C" int __lsan_is_turned_off();  // NOLINT(bugprone-reserved-identifier)
extern "C" int __lsan_is_turned_off() { return 1; }
#endif

// ---- processes ----

struct MpiTeam::Mpi {
  int rank, size;

  static Mpi begin(int& argc, char**& argv) {
    // CUDA calls MPI from a thread of its own (exchange_mpi.cuh), while the program's thread calls nothing.
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
      fail(exit_code::cannot_here, "this MPI was built for programs with one thread only");
    // A rank that ends the program early would leave the others waiting for it.
    ::on_exit(
        [](int code, void*) {
          int finalized = 0;
          MPI_Finalized(&finalized);
          if (finalized != 0) return;
          const Mpi mpi = ask();
          name_the_rank(mpi.rank, mpi.size);
          MPI_Abort(MPI_COMM_WORLD, code == 0 ? exit_code::failed : code);
        },
        nullptr);
    return ask();
  }

  static Mpi ask() {
    Mpi mpi{};
    MPI_Comm_rank(MPI_COMM_WORLD, &mpi.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mpi.size);
    return mpi;
  }
};

MpiTeam::MpiTeam(int& argc, char**& argv) : MpiTeam(Mpi::begin(argc, argv)) {}

MpiTeam::MpiTeam(const Mpi& mpi) : Team(mpi.rank, mpi.size) {
  MPI_Comm host;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank(), MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &rank_on_host_);
  MPI_Comm_free(&host);
}

MpiTeam::~MpiTeam() { MPI_Finalize(); }

void MpiTeam::barrier() { MPI_Barrier(MPI_COMM_WORLD); }

void MpiTeam::broadcast(void* data, std::size_t bytes) {
  MPI_Bcast(data, static_cast<int>(bytes), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void MpiTeam::gather_all(const void* mine, std::size_t bytes, void* all) {
  const int count = static_cast<int>(bytes);
  MPI_Allgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, MPI_COMM_WORLD);
}

void MpiTeam::gather_rows(const void* mine, int rows, std::size_t row_bytes, void* all) {
  // Counted in rows, as the numbers of bytes may be too large for MPI's ints.
  MPI_Datatype row;
  MPI_Type_contiguous(static_cast<int>(row_bytes), MPI_BYTE, &row);
  MPI_Type_commit(&row);
  const std::vector<int> counts = from_all(rows);
  std::vector<int> begins(counts.size(), 0);
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] = begins[i - 1] + counts[i - 1];
  MPI_Gatherv(mine, rows, row, all, counts.data(), begins.data(), row, 0, MPI_COMM_WORLD);
  MPI_Type_free(&row);
}

void MpiTeam::refuse(int code, const std::string& sentence) {
  MPI_Barrier(MPI_COMM_WORLD);  // all are here: none is ended by another's end
  MPI_Finalize();
  if (is_first()) fail(code, sentence);
  // mpirun ends all ranks when one ends with an error: that is the one that speaks.
  std::exit(exit_code::fine);
}

// ---- threads ----

namespace {

// What the threads share.
struct Meeting {
  explicit Meeting(int ranks) : barrier(ranks), data(ranks), rows(ranks) {}
  std::barrier<> barrier;
  std::vector<const void*> data;
  std::vector<int> rows;
};

class ThreadTeam;
/// The rank that this thread is, while it works.
thread_local const ThreadTeam* working_here = nullptr;

class ThreadTeam : public Team {
 public:
  ThreadTeam(int rank, int size, Meeting& meeting) : Team(rank, size), meeting_(meeting) {
    working_here = this;
  }
  ~ThreadTeam() override { working_here = nullptr; }

  void barrier() override { meeting_.barrier.arrive_and_wait(); }

  void broadcast(void* data, std::size_t bytes) override {
    meeting_.data[rank()] = data;
    barrier();
    if (!is_first()) std::memcpy(data, meeting_.data[0], bytes);
    barrier();
  }

  void gather_all(const void* mine, std::size_t bytes, void* all) override {
    meeting_.data[rank()] = mine;
    barrier();
    for (int i = 0; i < size(); ++i)
      std::memcpy(static_cast<char*>(all) + i * bytes, meeting_.data[i], bytes);
    barrier();
  }

  void gather_rows(const void* mine, int rows, std::size_t row_bytes, void* all) override {
    meeting_.data[rank()] = mine;
    meeting_.rows[rank()] = rows;
    barrier();
    if (is_first()) {
      char* to = static_cast<char*>(all);
      for (int i = 0; i < size(); ++i) {
        const std::size_t bytes = meeting_.rows[i] * row_bytes;
        if (bytes > 0) std::memcpy(to, meeting_.data[i], bytes);
        to += bytes;
      }
    }
    barrier();
  }

  void with_files(const std::function<void(MPI_Comm)>& work) override {
    for (int turn = 0; turn < size(); ++turn) {
      if (turn == rank()) work(MPI_COMM_SELF);
      barrier();
    }
  }

  [[noreturn]] void refuse(int code, const std::string& sentence) override {
    working_here = nullptr;  // no rank of its own has failed
    if (is_first()) fail(code, sentence);
    for (;;) barrier();  // until rank 0's exit() ends the process
  }

 private:
  Meeting& meeting_;
};

}  // namespace

int run_as_threads(int ranks, const std::function<int(Team&)>& body) {
  // exit() calls this on the thread that has called it.
  ::on_exit(
      [](int, void*) {
        if (working_here != nullptr) name_the_rank(working_here->rank(), working_here->size());
      },
      nullptr);
  Meeting meeting(ranks);
  std::vector<std::jthread> threads;
  for (int rank = 1; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      ThreadTeam team(rank, ranks, meeting);
      body(team);
    });
  ThreadTeam team(0, ranks, meeting);
  return body(team);
}
