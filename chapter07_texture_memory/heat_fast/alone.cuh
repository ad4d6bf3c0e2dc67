// Where a plate is computed in parts by several devices, the rung registers has more to do than to march. Here it
// is alone and has not: you need not read this to understand 5_registers.cuh.
#pragma once

/// What march_kernel does beside marching, where a plate is computed in parts by several devices
/// (chapter11_multiple_gpus/heat_multi_gpu/5_one_kernel.cuh): nothing, where it is not.
struct Alone {
  /// Which segment, of so many, the i-th one to be computed is.
  __device__ int segment(int i, int) const { return i; }
  /// Before a warp reads; rows `from` to `to` - 1 are its own.
  __device__ void wait(int, int, int) const {}
  /// After its last row: out, from, to, the column of the lane's four cells, whether they are the warp's own.
  __device__ void finish(const float*, int, int, int, bool) const {}
};
