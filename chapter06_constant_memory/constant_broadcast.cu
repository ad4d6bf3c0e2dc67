// constant_broadcast - when constant memory is fast, and when a warp's reads are serialized.
//
// CUDA by Example, chapter 6 (constant memory and events), section 6.2.4, "Performance with
// Constant Memory". A read of constant memory is broadcast. If all 32 threads of a warp read the
// same word, one read serves all. Reads of 2, 4, ... 32 different words are serialized.
// Terms (docs/glossary.md): constant memory, broadcast, warp, lane, global memory.
//
//   ./run constant_broadcast                a table, and its bars in a window if there is a display
//   ./run constant_broadcast --headless --output bars.png
//   ./run constant_broadcast --check
//
// Keys: Esc or q quits, s saves a picture. What to see: the bars of constant memory grow with the
// number of different words per warp. Those of global memory, which has its own cache, hardly grow.
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "../common/picture/present.h"
#include "../common/timing.h"

constexpr int words = 256;  // 1 KiB, which fits in the fastest constant cache
constexpr int threads = 256;

__constant__ float constant_words[words];

// The word that a thread reads in round i: the threads of a warp read `distinct` neighboring words.
// `words` is a power of two, so the mask is a remainder.
__host__ __device__ inline int word_of(int thread, int distinct, int i) {
  return (thread % distinct + i) & (words - 1);
}

// One thread per sum. The two kernels differ only in the memory.
__global__ void constant_kernel(float* sums, int distinct, int reads) {
  float sum = 0;
  for (int i = 0; i < reads; ++i) sum += constant_words[word_of(threadIdx.x, distinct, i)];
  sums[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

__global__ void global_kernel(float* sums, const float* global_words, int distinct, int reads) {
  float sum = 0;
  for (int i = 0; i < reads; ++i) sum += global_words[word_of(threadIdx.x, distinct, i)];
  sums[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}

std::vector<float> word_values() {
  std::vector<float> values(words);
  for (int i = 0; i < words; ++i) values[i] = static_cast<float>(i * 37 % 101);
  return values;
}

// CPU reference: the sum of each thread's words. They are whole and below 2^24, so sums are exact.
std::vector<float> reference_sums(int blocks, int distinct, int reads) {
  const std::vector<float> values = word_values();
  std::vector<float> sums(static_cast<size_t>(blocks) * threads);
  for (int thread = 0; thread < threads; ++thread) {
    float sum = 0;
    for (int i = 0; i < reads; ++i) sum += values[word_of(thread, distinct, i)];
    for (int block = 0; block < blocks; ++block)
      sums[thread + static_cast<size_t>(block) * threads] = sum;
  }
  return sums;
}

int main(int argc, char** argv) {
  Options options("constant_broadcast",
                  Common::picture | Common::always_checked | Common::benchmark | Common::device);
  // An emulated read is a plain read on the CPU. Its time teaches nothing, so a few are enough.
  int reads = is_emulated ? 64 : 4096;
  int blocks = is_emulated ? 64 : 0;
  options.add("--reads", reads, "reads per thread", 1, 100000);
  options.add("--blocks", blocks, "blocks of 256 threads (0 = 16 per multiprocessor)", 0, 100000);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (blocks == 0) blocks = 16 * multiprocessors();

  float* sums;
  float* global_words;
  const size_t sum_count = static_cast<size_t>(blocks) * threads;
  const std::vector<float> values = word_values();
  HANDLE_ERROR(cudaMalloc(&sums, sum_count * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&global_words, words * sizeof(float)));
  HANDLE_ERROR(
      cudaMemcpy(global_words, values.data(), words * sizeof(float), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_words, values.data(), words * sizeof(float)));

  auto run_constant = [&](int distinct) {
    constant_kernel<<<blocks, threads>>>(sums, distinct, reads);
    HANDLE_ERROR(cudaGetLastError());
  };
  auto run_global = [&](int distinct) {
    global_kernel<<<blocks, threads>>>(sums, global_words, distinct, reads);
    HANDLE_ERROR(cudaGetLastError());
  };
  auto sums_are_right = [&](const std::string& what, int distinct) {
    std::vector<float> host_sums(sum_count);
    HANDLE_ERROR(
        cudaMemcpy(host_sums.data(), sums, sum_count * sizeof(float), cudaMemcpyDeviceToHost));
    HANDLE_ERROR(cudaMemset(sums, 0, sum_count * sizeof(float)));  // for the next kernel
    return check_equal(what, host_sums, reference_sums(blocks, distinct, reads));
  };

  // Each is checked before it is timed.
  bool passed = true;
  BenchmarkTable table("words per warp");
  std::vector<Bar> bars;
  for (const int distinct : {1, 2, 4, 8, 16, 32}) {
    run_constant(distinct);
    passed = sums_are_right("sum of constants", distinct) && passed;
    run_global(distinct);
    passed = sums_are_right("sum of global words", distinct) && passed;
    if (options.check || !passed) continue;
    const Timing constant = measure([&] { run_constant(distinct); });
    const Timing global = measure([&] { run_global(distinct); });
    table.add("constant, " + std::to_string(distinct), constant, 0);  // 0 bytes: no rate
    table.add("global, " + std::to_string(distinct), global, 0);
    bars.push_back({std::to_string(distinct), constant.median_ms, global.median_ms});
  }
  HANDLE_ERROR(cudaFree(sums));
  HANDLE_ERROR(cudaFree(global_words));
  if (options.check || !passed) return verdict(options.name(), passed);

  table.print();
  if (options.benchmark) return verdict(options.name(), true);
  const Image chart = bar_chart({.title = "Time of a kernel",
                                 .x_axis = "words read by a warp",
                                 .y_axis = "ms",
                                 .note = times_note(),
                                 .value = "constant",
                                 .beside = "global"},
                                bars, options.size, options.size);
  return present(options, chart);
}
