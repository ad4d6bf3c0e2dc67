#pragma once
// The ranks of a job compute the plate together, one GPU each. They are the processes that mpirun
// started, or the host threads of one process (--exchange peer).

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace heat_multi_gpu {

/// The ranks' exchange besides halos. All ranks call every function, in the same order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }  ///< 0 to size() - 1
  int size() const { return size_; }
  bool is_first() const { return rank_ == 0; }

  /// Returns when all ranks have called it.
  virtual void barrier() = 0;
  /// Every rank's rows of `row_bytes` bytes each, in the order of ranks, come to `all` of rank 0;
  /// the others pass nullptr there. The number of rows may differ from rank to rank.
  virtual void gather_rows(const void* mine, int rows, size_t row_bytes, void* all) = 0;
  /// Rank 0 calls `work`, which may end the program with a sentence of its own.
  /// Then all others end silently.
  virtual void first_alone(const std::function<void()>& work) = 0;
  /// An error that all ranks know: rank 0 prints the sentence, and all end with `code`.
  [[noreturn]] void refuse(int code, const std::string& sentence);

  /// The value of every rank, which has neither pointers nor destructors.
  template <class T>
  std::vector<T> from_all(const T& mine) {
    std::vector<T> all(size_);
    gather_all(&mine, sizeof mine, all.data());
    return all;
  }
  /// Rank 0's value.
  template <class T>
  T from_first(const T& mine) {
    return from_all(mine)[0];
  }

 protected:
  Communicator() = default;
  int rank_ = 0;
  int size_ = 1;

 private:
  virtual void gather_all(const void* mine, size_t bytes, void* all) = 0;
};

/// The ranks of MPI; the constructor starts MPI. When a rank ends the
/// program (fail(), ...), MPI ends the others.
class MpiCommunicator : public Communicator {
 public:
  MpiCommunicator(int& argc, char**& argv);
  ~MpiCommunicator() override;  ///< ends MPI

  void barrier() override;
  void gather_rows(const void* mine, int rows, size_t row_bytes, void* all) override;
  void first_alone(const std::function<void()>& work) override;

  /// The number of this process among those of its host, from 0.
  int rank_on_host() const;

 private:
  void gather_all(const void* mine, size_t bytes, void* all) override;
};

/// Calls body(comm) on `ranks` host threads, rank 0's on the calling one.
/// Returns the result of rank 0's.
int run_as_threads(int ranks, const std::function<int(Communicator&)>& body);

}  // namespace heat_multi_gpu
