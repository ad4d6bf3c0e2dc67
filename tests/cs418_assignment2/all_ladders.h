#pragma once
// The headers of the ladders for two units of one program, as another program would include them. (The tests
// of circle_renderer and heat_fast do this for theirs; those of heat_multi_gpu need MPI.)
#include "../../chapter06_constant_memory/ray_fast/1_book.cuh"
#include "../../chapter06_constant_memory/ray_fast/2_cull.cuh"
#include "../../chapter06_constant_memory/ray_fast/3_depth.cuh"
#include "../../chapter09_atomics/hist_fast/1_shared.cuh"
#include "../../chapter09_atomics/hist_fast/2_occupancy.cuh"
#include "../../chapter09_atomics/hist_fast/3_vector.cuh"
#include "../../chapter09_atomics/hist_fast/4_replicated.cuh"
#include "../../cs418_assignment2/find_repeats/1_scan.cuh"
#include "../../cs418_assignment2/find_repeats/2_blocks.cuh"
#include "../../cs418_assignment2/find_repeats/3_fused.cuh"
#include "../../cs418_assignment2/saxpy/1_simple.cuh"
#include "../../cs418_assignment2/saxpy/2_vector.cuh"
#include "../../cs418_assignment2/saxpy/trips.cuh"
#include "../../cs418_assignment2/scan/1_sweep.cuh"
#include "../../cs418_assignment2/scan/2_blocks.cuh"
#include "../../cs418_assignment2/scan/3_lookback.cuh"
#include "../../cs418_assignment2/scan/4_exchange.cuh"
#include "../../cs418_assignment2/scan/5_pipeline.cuh"

/// Another unit's call: how many of n equal numbers are equal to their successor.
std::size_t repeats_elsewhere(const int* in, std::size_t n, int* out, cudaStream_t stream);
