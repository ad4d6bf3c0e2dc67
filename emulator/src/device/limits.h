// The emulated device's size. A grid-stride loop with two blocks for each multiprocessor, the usual
// choice, must run well. Its threads run one after another, each striding through all the data: the
// pages and cache lines that one thread touches must still be in the CPU's tables and caches when
// its neighbor comes. That takes few steps, that is many multiprocessors, and an odd number,
// because at strides of large powers of two all lines compete for the same places in the cache.
// Measured (Xeon, 100 MiB of bytes, 256 threads per block): 67 multiprocessors 50 ns per byte, 132
// 31 ns, 193 1.5 ns, 255 1.3 ns, 256 4.8 ns. A cooperative launch needs an OS thread for each
// block, so a multiprocessor holds two blocks only.
#pragma once

namespace emulated {

constexpr int multiprocessors = 255;
constexpr int threads_per_multiprocessor = 2048;
constexpr int blocks_per_multiprocessor = 2;
constexpr int threads_per_block = 1024;
constexpr int kib = 1024;
// Memory that was never written holds such bytes: numbers that are huge and negative, and not NaN,
// which compares false to all.
constexpr unsigned char unwritten = 0xfe;
constexpr unsigned grid_x = 0x7fffffff, grid_yz = 65535, block_xy = 1024, block_z = 64;

}  // namespace emulated
