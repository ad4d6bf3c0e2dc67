// The emulated device's size. A grid-stride loop with two blocks for each multiprocessor, the usual choice,
// must run well: its threads run one after another, each striding through all the data, so that the cache
// lines that one thread touches must still be in the CPU's cache when the next thread comes. That wants long
// strides (many multiprocessors), but no power of two, for which all lines would compete for the same places
// in the cache.
#pragma once

namespace emulated {

constexpr int multiprocessors = 67;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 32;
constexpr int threads_per_block = 1024;
constexpr unsigned grid_x = 0x7fffffff, grid_yz = 65535, block_xy = 1024, block_z = 64;

}  // namespace emulated
