#pragma once
// one_kernel - one-sided communication: the kernel writes halos into its neighbors' memory.
//
//      GPU 0   | pass: borders, interior ....... | pass: borders, interior ....... |
//                       \ rows, then the number of the pass          \           over NVLink
//      GPU 1   | pass: borders, interior ....... | pass: borders, interior ....... |
//
// Gain over wide_halos on an H200: 1000 steps, 2 GPUs 65.5 -> 65.5, 4 GPUs 39.2 -> 37.5 ms
// No gain on two GPUs, where `wide_halos` already hides its communication.
//
// A pass is one launch. It needs no border kernels that leave most of the GPU idle, no exchange
// that competes with the interior, no events and no library. Only a warp that needs halos waits for
// the number of the previous pass. Since warps with borders are the first of each launch, that
// number has usually arrived long before.
//
// The number means two things: the rows have arrived, and the GPU that wrote them has read the
// halos that this GPU writes next (warps that read halos also write border rows). So one message is
// enough.
//
// One process drives all GPUs of a host, with one host thread each. A GPU writes into the memory of
// another like into its own (peer memory), over NVLink if available.
//
// Needed: pass.cuh (how warps march), subdomain.cuh (Context: the rows of a rank),
// communicator.h (the ranks).

#include <algorithm>
#include <cuda/atomic>

#include "communicator.h"
#include "pass.cuh"
#include "subdomain.cuh"

namespace heat_multi_gpu {

using heat_fast::load_cells;
using heat_fast::store_cells;

using Count = unsigned long long;  // of passes, or of rows

/// A number of passes that one GPU writes and another one reads. A reader of the number (acquire)
/// also sees everything that was written before it (release).
using SharedCount = cuda::atomic_ref<Count, cuda::thread_scope_system>;

// The counters. They only grow, so nothing clears them between passes.
//
//   counter         written by                          read by
//   arrived_here    the neighbor, when all its border   a warp that needs halos, before it
//                   rows of a pass are in this memory   marches: it waits for pass - 1
//   arrived_there   this GPU: it is the neighbor's      the neighbor, likewise
//                   arrived_here
//   delivered       a warp, after it has copied its     the same warp: if it is `complete`,
//                   border rows                         the warp writes `pass` to arrived_there
//   complete, pass  the host, before each launch        every warp with border rows

/// The data of a pass about the neighbors.
struct Neighbors {
  /// In a neighbor's memory: its halo, where this GPU's border rows go; null without a neighbor.
  float* halos_there[sides];
  Count* arrived_there[sides];  ///< in its memory: passes that have arrived there from here
  Count* arrived_here;          ///< for each side: passes that have arrived from the neighbor
  Count* delivered;  ///< for each side: border rows that the warps have written, once per strip
  int begin;         ///< the first own row
  int end;           ///< after the last own row
  int halo;          ///< rows of a halo, so as many border rows
  Count pass;        ///< number of this pass, from 1
  Count complete;    ///< value of `delivered` when all warps have written theirs

  __device__ int border_rows(int side, int from, int to) const;
  __device__ void wait(int from, int to) const;
  __device__ void deliver(const float* out, int pitch, int from, int to, int x, bool own) const;
};

/// `levels` time steps of all own rows, by warps of `rows_per_warp` rows of one of `strips` strips
/// each. With __grid_constant__, and a loop in deliver() that is not unrolled, sides are read from
/// the kernel's parameters when needed. The registers could not also hold the values of both sides
/// while marching.
template <int levels>
__global__ void __launch_bounds__(march_threads, march_blocks(levels))
    one_kernel(float* out, MarchInput input, const __grid_constant__ Neighbors neighbors,
               int strips, int rows_per_warp, bool first, bool last) {
  const int warp = threadIdx.x / warp_lanes + blockIdx.x * march_warps;
  const int strip = warp % strips;
  const int segments = div_up(neighbors.end - neighbors.begin, rows_per_warp);
  const int i = warp / strips;
  if (i >= segments) return;  // a whole warp
  // Borders first: segments 0, n - 1, n - 2, ..., 1.
  const int segment = i == 0 ? 0 : segments - i;
  const int from = neighbors.begin + segment * rows_per_warp;
  const int to = min(from + rows_per_warp, neighbors.end);
  neighbors.wait(from, to);
  march<levels>(out, input, strip, from, to, first, last);
  const MarchPlace<levels> place(strip, input.width);
  neighbors.deliver(out, input.pitch, from, to, place.x, place.own);
}

// The number of rows, from `from` to `to` - 1, that the neighbor on that side needs.
__device__ inline int Neighbors::border_rows(int side, int from, int to) const {
  if (halos_there[side] == nullptr) return 0;
  const int mine = side == 0 ? min(to, begin + halo) - from : to - max(from, end - halo);
  return max(0, mine);
}

// A warp that reads the halos of the pass before waits until they have arrived. All lanes poll; it
// is one request, because they read the same number. If lane 0 polled for all, the warp would stay
// diverged after the loop, even after __syncwarp() (nvcc 13.0), and march diverged.
__device__ inline void Neighbors::wait(int from, int to) const {
  for (int side = 0; side < sides; ++side)
    if (border_rows(side, from, to) > 0)
      while (SharedCount(arrived_here[side]).load(cuda::std::memory_order_acquire) + 1 < pass) {
      }
  __syncwarp();
}

// Copies the border rows among the warp's own into the neighbors' halos and reports it. `x`: the
// column of the lane's cells, if they are its own. Not while marching, where every register is in
// use. A lane reads here its own results, which are in the L2 cache.
__device__ inline void Neighbors::deliver(const float* out, int pitch, int from, int to, int x,
                                          bool own) const {
#pragma unroll 1
  for (int side = 0; side < sides; ++side) {
    const int mine = border_rows(side, from, to);
    if (mine == 0) continue;
    const int first = side == 0 ? from : to - mine;
    const int border = side == 0 ? begin : end - halo;
    for (int row = first; own && row < first + mine; ++row)
      store_cells(halos_there[side] + static_cast<size_t>(row - border) * pitch + x,
                  load_cells(out + static_cast<size_t>(row) * pitch + x));
    __threadfence_system();  // of each lane, for what it wrote
    __syncwarp();
    if (threadIdx.x % warp_lanes != 0) continue;
    // The warp that completes the pass's rows notifies the neighbor.
    cuda::atomic_ref<Count, cuda::thread_scope_device> rows_written(delivered[side]);
    if (rows_written.fetch_add(mine, cuda::std::memory_order_acq_rel) + mine == complete)
      SharedCount(*arrived_there[side]).store(pass, cuda::std::memory_order_release);
  }
}

class OneKernelRung {
 public:
  /// Made by all ranks together.
  explicit OneKernelRung(const Context& context)
      : context_(context), arrived_(sides), delivered_(sides) {
    for (const auto* counters : {&arrived_, &delivered_})
      HANDLE_ERROR(cudaMemset(counters->get(), 0, counters->bytes()));
    HANDLE_ERROR(cudaDeviceSynchronize());
    HANDLE_ERROR(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    HANDLE_ERROR(cudaGetDevice(&device_));
    const std::vector<OneKernelRung*> rungs = context.comm.from_all(this);
    for (int side = 0; side < sides; ++side) {
      if (!context.domain.has(side)) continue;
      peers_[side] = rungs[context.domain.neighbors[side]];
      if (peers_[side]->device_ == device_) continue;
      const cudaError_t error = cudaDeviceEnablePeerAccess(peers_[side]->device_, 0);
      if (error != cudaErrorPeerAccessAlreadyEnabled) HANDLE_ERROR(error);
    }
    cudaGetLastError();  // clears the error that it was enabled already
    context.comm.barrier();
  }
  // Not checked: nothing depends on it, and the errors of earlier work belong
  // to the code that started it.
  ~OneKernelRung() { cudaStreamDestroy(stream_); }
  OneKernelRung(const OneKernelRung&) = delete;
  OneKernelRung& operator=(const OneKernelRung&) = delete;

  void run(int steps) {
    Subdomain& domain = context_.domain;
    int batch = 0;
    for (int left = steps; left > 0; left -= batch) {
      batch = domain.steps_of_pass(left);
      if (batch == 1)
        launch<1>(left == steps, left == batch);
      else
        launch<halo_rows>(left == steps, left == batch);
#ifdef EMULATED_DEVICE
      // Its kernels run one after another, so none may wait for another. So
      // the host's threads wait here.
      const auto wait = [](void* comm) { static_cast<Communicator*>(comm)->barrier(); };
      HANDLE_ERROR(cudaLaunchHostFunc(stream_, wait, &context_.comm));
#endif
      domain.swap_buffers();
    }
  }

 private:
  template <int levels>
  void launch(bool first, bool last) {
    const Subdomain& domain = context_.domain;
    const MarchCut cut =
        march_cut<levels, one_kernel<levels>>(domain.dim, domain.own(), march_rounds(domain.own()));
    complete_ += static_cast<Count>(domain.halo) * cut.strips;
    ++passes_;

    Neighbors neighbors{};
    neighbors.arrived_here = arrived_.get();
    neighbors.delivered = delivered_.get();
    neighbors.begin = domain.begin;
    neighbors.end = domain.end;
    neighbors.halo = domain.halo;
    neighbors.pass = passes_;
    neighbors.complete = complete_;
    for (int side = 0; side < sides; ++side) {
      if (!domain.has(side)) continue;
      const Subdomain& there = peers_[side]->context_.domain;
      const int my_side = 1 - side;  // I am on the other side of my neighbor
      // Use my own `current`: the neighbor's thread may have swapped its buffers already.
      float* const next_cells = there.buffers[1 - domain.current].get();
      neighbors.halos_there[side] = next_cells + there.halo_row(my_side, domain.halo) * there.pitch;
      neighbors.arrived_there[side] = peers_[side]->arrived_.get() + my_side;
    }
    one_kernel<levels><<<cut.blocks, march_threads, 0, stream_>>>(
        domain.next_cells(), domain.march_input(), neighbors, cut.strips, cut.rows_per_warp, first,
        last);
    HANDLE_ERROR(cudaGetLastError());
  }

  Context context_;
  DeviceMemory<Count> arrived_;    // see Neighbors
  DeviceMemory<Count> delivered_;  // see Neighbors
  cudaStream_t stream_ = nullptr;  // orders the passes, and waits for no other stream
  int device_ = 0;
  OneKernelRung* peers_[sides] = {};  // the neighbors' rungs: this one writes to their memory
  Count passes_ = 0;
  Count complete_ = 0;
};

}  // namespace heat_multi_gpu
