// What a rung of this ladder is, and a row of its table.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "exchange.cuh"

/// What the rungs work on. All of it outlives them.
struct Job {
  Team& team;
  Part& part;
  HaloExchange& exchange;
  double rounds;  ///< --rounds: see march_rounds()
};

/// One way to compute time steps on several GPUs. Made, called and ended by all ranks together.
class SplitRung {
 public:
  virtual ~SplitRung() = default;
  /// Sets `steps` (1 or more) time steps going: a frame. Afterwards part.now tells where the result will be.
  virtual void advance(int steps) = 0;
  /// Returns when they are done.
  void finish() const { HANDLE_ERROR(cudaDeviceSynchronize()); }
};

struct SplitMethod {
  std::string name, help;
  bool peer_only;  ///< writes into the neighbors' memory itself
  std::unique_ptr<SplitRung> (*make)(const Job& job);
  bool gpu_only = false;
};

/// SplitMethod::make of class R.
template <class R>
std::unique_ptr<SplitRung> make_split_rung(const Job& job) {
  return std::make_unique<R>(job);
}
