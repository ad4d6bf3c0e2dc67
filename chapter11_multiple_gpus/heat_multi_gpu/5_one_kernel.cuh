// Rung 5, one_kernel: the kernel that computes a border row also writes it into the neighbor's memory.
//
//      GPU 0   | pass: borders, interior ....... | pass: borders, interior ....... |
//                       \ rows, then the number of the pass            \                 over NVLink
//      GPU 1   | pass: borders, interior ....... | pass: borders, interior ....... |
//
// Gains over rung 4: a pass is one launch. No border kernels that leave most of the GPU idle, no exchange that has to
// find a place beside the interior, no events, no library. A warp that needs halos waits for the number of the pass
// before, and only such a warp; as warps with borders are the first of each launch, that number has usually been there
// for long.
//
// The number says two things: the rows have come, and whoever wrote them has read the halos that this GPU will write
// next (the warps that read halos are among those that write border rows). So one message per pass is enough.
#pragma once

#include "2_overlap.cuh"
#include "exchange_peer.cuh"

/// The neighbors, as march_part_kernel asks for them (OnlyMarch, march_part.cuh).
struct PeerNeighbors {
  struct Side {
    float* halo;       ///< in the neighbor's memory, where the first border row goes; null without a neighbor
    Arrivals* theirs;  ///< in the neighbor's memory: passes that this GPU has finished
    Arrivals* arrived;    ///< here: passes that the neighbor has finished
    Arrivals* delivered;  ///< here: border rows that the warps have written so far, counted once per warp
  };
  Side side[sides];
  int begin, end, rows;  ///< own rows of the slab, and how many of them the neighbors need
  size_t pitch;          ///< of the neighbors' rows, too
  Arrivals pass;         ///< number of this pass, from 1
  Arrivals complete;     ///< what `delivered` will be when all warps of this pass have written theirs

  // Borders first: segments 0, n - 1, n - 2, ..., 1.
  __device__ int segment(int i, int segments) const { return i == 0 ? 0 : segments - i; }

  /// How many of rows from to `to` - 1 are border rows on side s.
  __device__ int border_rows(int s, int from, int to) const {
    return s == 0 ? min(to, begin + rows) - from : to - max(from, end - rows);
  }

  __device__ void wait(int from, int to, int lane) const {
    for (int s = 0; s < sides; ++s)
      if (side[s].halo != nullptr && border_rows(s, from, to) > 0 && lane == 0) {
        cuda::atomic_ref<Arrivals, cuda::thread_scope_system> arrived(*side[s].arrived);
        while (arrived.load(cuda::std::memory_order_acquire) + 1 < pass) {
        }
      }
    __syncwarp();
  }

  /// Copies the border rows among the warp's own into the neighbors' halos and says so. Not while marching: there
  /// every register is taken. What a lane reads here it has written itself; it is in the L2 cache.
  __device__ void finish(const float* out, int from, int to, int x, bool own) const {
    for (int s = 0; s < sides; ++s) {
      const int mine = border_rows(s, from, to);
      if (side[s].halo == nullptr || mine <= 0) continue;
      const int first = s == 0 ? from : to - mine, border = s == 0 ? begin : end - rows;
      float* halo = side[s].halo + (first - border) * pitch;
      if (own)
        for (int row = 0; row < mine; ++row)
          store_cells(halo + row * pitch + x, load_cells(out + (first + row) * pitch + x));
      __threadfence_system();  // of each lane, for what it wrote
      __syncwarp();
      if (threadIdx.x % warp_lanes != 0) continue;
      // Who completes the pass's rows tells the neighbor.
      cuda::atomic_ref<Arrivals, cuda::thread_scope_device> delivered(*side[s].delivered);
      const Arrivals before = delivered.fetch_add(mine, cuda::std::memory_order_acq_rel);
      if (before + mine == complete)
        cuda::atomic_ref<Arrivals, cuda::thread_scope_system>(*side[s].theirs)
            .store(pass, cuda::std::memory_order_release);
    }
  }
};

class OneKernelRung : public SplitRung {
 public:
  explicit OneKernelRung(const Job& job) : job_(job), peers_(job.part, job.team), delivered_(sides) {
    HANDLE_ERROR(cudaMemset(delivered_.get(), 0, delivered_.bytes()));
    HANDLE_ERROR(cudaDeviceSynchronize());
    job.team.barrier();
  }

  void advance(int steps) override {
    Part& part = job_.part;
    if (part.valid < part.halo) job_.exchange.append(part, part.now, part.halo, stream_.get());
    for (int left = steps; left > 0;) {
      const int levels = pass_steps(std::min(left, part.halo));
      with_levels(levels, [&]<int n>() {
        march_slab<n>(part.out(), part.in(), part.sources.get(), part.source_bits.get(), part.slab,
                      part.begin, part.end, left == steps, left == n, march_rounds(part.own(), job_.rounds),
                      stream_.get(), neighbors(march_strips(n, part.slab.width)));
      });
#ifdef EMULATED_DEVICE
      peers_.meet_hosts(stream_.get());  // its kernels run one after the other: none may wait for another
#endif
      part.now = 1 - part.now;
      left -= levels;
    }
    part.valid = part.halo;
  }

 private:
  // For the next pass, in which `strips` warps are beside each other.
  PeerNeighbors neighbors(int strips) {
    const Part& part = job_.part;
    complete_ += static_cast<Arrivals>(part.halo) * strips;
    PeerNeighbors all = {{}, part.begin, part.end, part.halo, part.slab.pitch, ++passes_, complete_};
    for (int s = 0; s < sides; ++s)
      if (part.has(s))
        all.side[s] = {peers_.halo(s, 1 - part.now, part.halo), peers_.counter(s), peers_.own_counters() + s,
                       delivered_.get() + s};
    return all;
  }

  Job job_;
  Peers peers_;
  DeviceMemory<Arrivals> delivered_;
  Stream stream_;
  Arrivals passes_ = 0, complete_ = 0;
};

inline const SplitMethod one_kernel_method = {"one_kernel",
                                              "the kernel itself writes halos into the neighbors' memory",
                                              true, make_split_rung<OneKernelRung>};
