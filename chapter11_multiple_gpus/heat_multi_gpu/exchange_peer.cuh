// Halos through peer memory: one process drives all GPUs of a host, one host thread each, and a GPU writes into the
// memory of another as into its own, over NVLink where there is one. No library, and no host in the way.
//
// Who writes into a neighbor's halo must know that the neighbor does not read it any more; who reads a halo, that it
// has come. For both the GPUs meet: each adds 1 to a number in its neighbors' memory and waits until its own numbers
// have grown, too. The write has release, the wait acquire semantics for the whole system: what a GPU wrote before it
// came to the meeting, the other sees after it.
#pragma once

#include <cuda/atomic>

#include "exchange.cuh"

/// What the GPUs tell each other: how often the neighbor above (0) and below (1) came to a meeting.
using Arrivals = unsigned long long;

/// Tells the neighbors that this GPU has come, and waits for them; one thread per side, pointers null where there is
/// no neighbor. `theirs`: where the neighbor counts this GPU. `mine`: where this one counts the neighbor; `met`: how
/// often it has met it so far.
__global__ void meet_kernel(Arrivals* above, Arrivals* below, Arrivals* mine, Arrivals* met, bool come,
                            bool wait) {
  const int side = threadIdx.x;
  Arrivals* theirs = side == 0 ? above : below;
  if (theirs == nullptr) return;
  using Counter = cuda::atomic_ref<Arrivals, cuda::thread_scope_system>;
  if (come) {
    // Only this thread writes there, so it needs no atomic addition, which not every link between GPUs can do.
    const Arrivals times = ++met[side];
    Counter(*theirs).store(times, cuda::std::memory_order_release);
  }
  if (wait) {
    const Arrivals times = met[side];
    while (Counter(mine[side]).load(cuda::std::memory_order_acquire) < times) {
    }
  }
}

/// Lets this GPU write into its neighbors' memory. For all ranks together, once.
inline void enable_peer_access(const Part& part, Team& team) {
  int own = 0;
  HANDLE_ERROR(cudaGetDevice(&own));
  const std::vector<int> devices = team.from_all(own);
  for (int side = 0; side < sides; ++side) {
    if (!part.has(side)) continue;
    const int device = devices[part.neighbors[side]];
    if (device != own) HANDLE_ERROR(cudaDeviceEnablePeerAccess(device, 0));
  }
}

/// What a neighbor has to know of a part to write into it.
struct PeerPart {
  float* grids[2];
  int begin, end;
  std::size_t pitch;
  Arrivals* arrivals;
};

/// The neighbors' parts as this GPU reaches them, after enable_peer_access(). Made by all ranks together.
class Peers {
 public:
  Peers(const Part& part, Team& team) : team_(team), arrivals_(sides), met_(sides) {
    HANDLE_ERROR(cudaMemset(arrivals_.get(), 0, arrivals_.bytes()));
    HANDLE_ERROR(cudaMemset(met_.get(), 0, met_.bytes()));
    HANDLE_ERROR(cudaDeviceSynchronize());
    const PeerPart own = {
        {part.grids[0].get(), part.grids[1].get()}, part.begin, part.end, part.slab.pitch, arrivals_.get()};
    const std::vector<PeerPart> all = team.from_all(own);
    for (int side = 0; side < sides; ++side)
      if (part.has(side)) parts_[side] = all[part.neighbors[side]];
    team.barrier();
  }

  const PeerPart& operator[](int side) const { return parts_[side]; }

  /// Where the halo of the neighbor on that side begins for this GPU's rows.
  float* halo(int side, int grid, int rows) const {
    const PeerPart& there = parts_[side];
    return there.grids[grid] + (side == 0 ? there.end : there.begin - rows) * there.pitch;
  }

  /// Where the neighbor on that side counts this GPU: above me I am the one below. Null without a neighbor.
  Arrivals* counter(int side) const {
    return parts_[side].arrivals == nullptr ? nullptr : parts_[side].arrivals + (1 - side);
  }
  Arrivals* own_counters() const { return arrivals_.get(); }

  /// Appends a meeting of the neighbors to the stream.
  void meet(cudaStream_t stream) const {
#ifdef EMULATED_DEVICE
    // Its kernels run one after the other, on whatever device: none may wait for another.
    meet_kernel<<<1, sides, 0, stream>>>(counter(0), counter(1), arrivals_.get(), met_.get(), true, false);
    HANDLE_ERROR(cudaGetLastError());
    meet_hosts(stream);
    meet_kernel<<<1, sides, 0, stream>>>(counter(0), counter(1), arrivals_.get(), met_.get(), false, true);
#else
    meet_kernel<<<1, sides, 0, stream>>>(counter(0), counter(1), arrivals_.get(), met_.get(), true, true);
#endif
    HANDLE_ERROR(cudaGetLastError());
  }

  /// Appends to the stream that the host's threads wait for each other: for the emulated device.
  void meet_hosts(cudaStream_t stream) const {
    HANDLE_ERROR(cudaLaunchHostFunc(
        stream, [](void* team) { static_cast<Team*>(team)->barrier(); }, &team_));
  }

 private:
  Team& team_;
  DeviceMemory<Arrivals> arrivals_, met_;
  PeerPart parts_[sides] = {};
};

class PeerExchange : public HaloExchange {
 public:
  PeerExchange(const Part& part, Team& team) : peers_(part, team) { enable_peer_access(part, team); }

  void append_to(const Part& part, int grid, int rows, cudaStream_t stream) override {
    peers_.meet(stream);  // the neighbors have read the halos that they had
    for (int side = 0; side < sides; ++side)
      if (part.has(side))
        HANDLE_ERROR(cudaMemcpyAsync(peers_.halo(side, grid, rows),
                                     part.row(grid, part.border_row(side, rows)),
                                     rows * part.slab.pitch * sizeof(float), cudaMemcpyDefault, stream));
    peers_.meet(stream);  // the new ones have come
  }

 private:
  Peers peers_;
};
