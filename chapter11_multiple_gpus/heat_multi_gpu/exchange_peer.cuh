// Halos through peer memory: one process drives all GPUs of a host, one host thread each, and a GPU writes into the
// memory of another as into its own, over NVLink where there is one. No library, and no host in the way.
//
// Who writes into a neighbor's halo must know that the neighbor does not read it any more; who reads a halo, that it
// has come. For both the GPUs meet: each writes how often it has come into its neighbors' memory, and waits until its
// own numbers have grown, too. The write has release, the wait acquire semantics for the whole system: what a GPU wrote
// before it came to the meeting, the other sees after it.
#pragma once

#include <cuda/atomic>

#include "rung.h"
#include "team.h"

/// What the GPUs tell each other: how often the neighbor above (0) and below (1) came to a meeting.
using Arrivals = unsigned long long;
using Counter = cuda::atomic_ref<Arrivals, cuda::thread_scope_system>;

/// Tells the neighbors that this GPU has come (for the time number `times`), and waits for them; one thread per side,
/// pointers null where there is no neighbor. `mine`: where this GPU's neighbors are counted.
static __global__ void meet_kernel(Arrivals* above, Arrivals* below, Arrivals* mine, Arrivals* met, bool come,
                                   bool wait) {
  const int side = threadIdx.x;
  Arrivals* theirs = side == 0 ? above : below;
  if (theirs == nullptr) return;
  // Only this thread writes there, so it needs no atomic addition, which not every link between GPUs can do.
  if (come) Counter(*theirs).store(++met[side], cuda::std::memory_order_release);
  while (wait && Counter(mine[side]).load(cuda::std::memory_order_acquire) < met[side]) {
  }
}

/// What a GPU's neighbors have to know to write into its memory.
struct PeerMemory {
  float* grids[2];
  int begin, end;
  std::size_t pitch;
  Arrivals* arrivals;
  int device;
};

/// The neighbors' memory as this GPU reaches it. Made by all ranks together.
class Peers {
 public:
  Peers(const Part& part, Team& team) : team_(team), arrivals_(2 * sides) {
    HANDLE_ERROR(cudaMemset(arrivals_.get(), 0, arrivals_.bytes()));
    HANDLE_ERROR(cudaDeviceSynchronize());
    PeerMemory own = {{part.row(0, 0), part.row(1, 0)}, part.begin, part.end, part.pitch, arrivals_.get(), 0};
    HANDLE_ERROR(cudaGetDevice(&own.device));
    const std::vector<PeerMemory> all = team.from_all(own);
    for (int side = 0; side < sides; ++side) {
      if (!part.has(side)) continue;
      there_[side] = all[part.neighbors[side]];
      if (there_[side].device == own.device) continue;
      const cudaError_t error = cudaDeviceEnablePeerAccess(there_[side].device, 0);
      if (error != cudaErrorPeerAccessAlreadyEnabled) HANDLE_ERROR(error);
    }
    cudaGetLastError();  // that it was enabled already
    team.barrier();
  }

  /// Where the halo of the neighbor on that side begins for this GPU's rows; null without a neighbor.
  float* halo(int side, int grid, int rows) const {
    const PeerMemory& there = there_[side];
    const int y = side == 0 ? there.end : there.begin - rows;
    return there.arrivals == nullptr ? nullptr : there.grids[grid] + y * there.pitch;
  }
  /// Where the neighbor on that side counts this GPU: above me I am the one below. Null without a neighbor.
  Arrivals* counter(int side) const {
    return there_[side].arrivals == nullptr ? nullptr : there_[side].arrivals + (1 - side);
  }
  /// Where this GPU counts its neighbors.
  Arrivals* own_counters() const { return arrivals_.get(); }

  /// Appends a meeting of the neighbors to the stream.
  void meet(cudaStream_t stream) const {
    const auto launch = [&](bool come, bool wait) {
      meet_kernel<<<1, sides, 0, stream>>>(counter(0), counter(1), arrivals_.get(), arrivals_.get() + sides,
                                           come, wait);
      HANDLE_ERROR(cudaGetLastError());
    };
#ifdef EMULATED_DEVICE
    // Its kernels run one after the other, on whatever device: none may wait for another.
    launch(true, false);
    meet_hosts(stream);
    launch(false, true);
#else
    launch(true, true);
#endif
  }

  /// Appends to the stream that the host's threads wait for each other: for the emulated device.
  void meet_hosts(cudaStream_t stream) const {
    HANDLE_ERROR(cudaLaunchHostFunc(
        stream, [](void* team) { static_cast<Team*>(team)->barrier(); }, &team_));
  }

 private:
  Team& team_;
  DeviceMemory<Arrivals> arrivals_;  // of the neighbors here; how often this GPU has met them
  PeerMemory there_[sides] = {};
};

class PeerExchange : public HaloExchange {
 public:
  PeerExchange(const Part& part, Team& team) : peers_(part, team) {}

  void append(const Part& part, int grid, int rows, cudaStream_t stream) override {
    if (!part.has(0) && !part.has(1)) return;
    peers_.meet(stream);  // the neighbors have read the halos that they had
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(peers_.halo(side, grid, rows),
                                     part.row(grid, part.border_row(side, rows)),
                                     rows * part.pitch * sizeof(float), cudaMemcpyDefault, stream));
    peers_.meet(stream);  // the new ones have come
  }

 private:
  Peers peers_;
};
