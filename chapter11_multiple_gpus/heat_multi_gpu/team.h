#pragma once
// The ranks of a job: those who compute the plate together, one GPU each. They are the processes that mpirun
// started, or the host threads of one process (--exchange peer).

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// What the ranks tell each other besides halos. Every function is to be called by all ranks, in the same order.
class Team {
 public:
  virtual ~Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int rank() const { return rank_; }  ///< 0 to size() - 1
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }

  /// Returns when all ranks have called it.
  virtual void barrier() = 0;
  /// Rank 0's `bytes` bytes at `data` come to `data` of all.
  virtual void broadcast(void* data, std::size_t bytes) = 0;
  /// Every rank's `bytes` bytes at `mine`, in the order of ranks, come to `all` of all.
  virtual void gather_all(const void* mine, std::size_t bytes, void* all) = 0;
  /// Every rank's rows of `row_bytes` bytes each, in the order of ranks, come to `all` of rank 0; the others pass
  /// nullptr there. The number of rows may differ from rank to rank.
  virtual void gather_rows(const void* mine, int rows, std::size_t row_bytes, void* all) = 0;

  /// The value of every rank.
  template <class T>
  std::vector<T> from_all(const T& mine) {
    std::vector<T> all(size_);
    gather_all(&mine, sizeof mine, all.data());
    return all;
  }
  double largest(double mine);

  /// Calls work(ranks) for MPI-IO; `ranks` open a file together. Processes: all of them, at once. Threads: each alone,
  /// one after the other, because one thread at a time may call MPI. So `work` must call no function of the team.
  virtual void with_files(const std::function<void(MPI_Comm ranks)>& work) = 0;

  /// Something that all ranks see coming: rank 0 prints the sentence, and all end with `code`.
  [[noreturn]] virtual void refuse(int code, const std::string& sentence) = 0;

 protected:
  Team(int rank, int size) : rank_(rank), size_(size) {}

 private:
  int rank_, size_;
};

/// The rank that the launcher (mpirun, srun) gave to this process, before MPI is there to ask; 0 without one.
int rank_from_environment();

/// The ranks of MPI; begins MPI. When a rank ends the program (fail(), HANDLE_ERROR), it says which one it
/// is, and MPI ends all others.
class MpiTeam : public Team {
 public:
  MpiTeam(int& argc, char**& argv);
  ~MpiTeam() override;  ///< ends MPI

  void barrier() override;
  void broadcast(void* data, std::size_t bytes) override;
  void gather_all(const void* mine, std::size_t bytes, void* all) override;
  void gather_rows(const void* mine, int rows, std::size_t row_bytes, void* all) override;
  void with_files(const std::function<void(MPI_Comm ranks)>& work) override { work(MPI_COMM_WORLD); }
  [[noreturn]] void refuse(int code, const std::string& sentence) override;

  /// The number of this process among those of its host, from 0.
  int rank_on_host() const { return rank_on_host_; }

 private:
  struct Mpi;
  explicit MpiTeam(const Mpi& mpi);
  int rank_on_host_ = 0;
};

/// Calls body(team) on `ranks` host threads, rank 0's on the calling one. Returns what rank 0's returned. An exit()
/// on any of them says which rank it is, and ends all.
int run_as_threads(int ranks, const std::function<int(Team&)>& body);
