// constant_broadcast - what constant memory is good at, and what it is bad at.
//
// CUDA by Example, chapter 6 (constant memory and events), "Performance with Constant Memory". A read of
// constant memory is broadcast: if all 32 threads of a warp read the same word, one read serves all. If they
// read 2, 4, ... 32 different words, the reads are made one after another.
//
//   constant_broadcast                              prints a table; a window with bars where there is a
//   display constant_broadcast --headless --output bars.png constant_broadcast --check
//
// Keys: Esc or q ends, s saves a picture.
// What to see: the bars of constant memory grow with the number of different words in a warp, those of global
// memory (which has a cache of its own) hardly.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/device_memory.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "../common/timing.h"

constexpr int words = 256;  // 1 KiB: small enough for the fastest constant cache. A power of two
constexpr int threads = 256;
constexpr int different[] = {1, 2, 4, 8, 16, 32};  // words that a warp reads at a time
constexpr int cases = 6;

__constant__ float constant_words[words];

// The word that a thread reads in round i: the threads of a warp read `distinct` neighbouring words.
__host__ __device__ inline int word_of(int thread, int distinct, int i) {
  return (thread % distinct + i) & (words - 1);
}

std::vector<float> table() {
  std::vector<float> values;
  for (int i = 0; i < words; ++i) values.push_back(static_cast<float>(i * 37 % 101));
  return values;
}

// CPU reference: the sum of what each thread of a block reads. Whole numbers below 2^24, so sums are exact.
std::vector<float> reference_sums(int blocks, int distinct, int reads) {
  const std::vector<float> values = table();
  std::vector<float> sums;
  for (int thread = 0; thread < blocks * threads; ++thread) {
    float sum = 0;
    for (int i = 0; i < reads; ++i) sum += values[word_of(thread % threads, distinct, i)];
    sums.push_back(sum);
  }
  return sums;
}

// One thread a sum. The two kernels differ in the memory only.
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

class Experiment {
 public:
  Experiment(int blocks, int reads)
      : blocks_(blocks), reads_(reads), sums_(static_cast<size_t>(blocks) * threads), global_words_(words) {
    const std::vector<float> values = table();
    HANDLE_ERROR(cudaMemcpyToSymbol(constant_words, values.data(), words * sizeof(float)));
    HANDLE_ERROR(
        cudaMemcpy(global_words_.get(), values.data(), global_words_.bytes(), cudaMemcpyHostToDevice));
  }

  void run_constant(int distinct) {
    constant_kernel<<<blocks_, threads>>>(sums_.get(), distinct, reads_);
    HANDLE_ERROR(cudaGetLastError());
  }
  void run_global(int distinct) {
    global_kernel<<<blocks_, threads>>>(sums_.get(), global_words_.get(), distinct, reads_);
    HANDLE_ERROR(cudaGetLastError());
  }

  // Both kernels against the CPU, for every number of different words.
  bool check() {
    bool passed = true;
    for (const int distinct : different) {
      const std::vector<float> expected = reference_sums(blocks_, distinct, reads_);
      run_constant(distinct);
      passed &= check_equal("sum of constants", download(), expected);
      HANDLE_ERROR(cudaMemset(sums_.get(), 0, sums_.bytes()));
      run_global(distinct);
      passed &= check_equal("sum of global words", download(), expected);
    }
    return passed;
  }

  // Reads of a whole warp, all blocks together.
  double warp_reads() const { return static_cast<double>(blocks_) * threads / 32 * reads_; }

 private:
  std::vector<float> download() const {
    std::vector<float> sums(sums_.size());
    HANDLE_ERROR(cudaMemcpy(sums.data(), sums_.get(), sums_.bytes(), cudaMemcpyDeviceToHost));
    return sums;
  }

  int blocks_, reads_;
  DeviceMemory<float> sums_, global_words_;
};

struct Row {
  double constant_ms, global_ms;
};

void print_table(const std::vector<Row>& rows, double warp_reads) {
  std::printf(
      "words a warp   constant ms   global ms   constant / global   warp reads a ns: constant   global\n");
  for (int k = 0; k < cases; ++k)
    std::printf("%12d %13.4f %11.4f %19.2f %27.2f %8.2f\n", different[k], rows[k].constant_ms,
                rows[k].global_ms, rows[k].constant_ms / rows[k].global_ms,
                warp_reads / rows[k].constant_ms / 1e6, warp_reads / rows[k].global_ms / 1e6);
}

// Two bars for each row, as high as the time.
Image draw_bars(const std::vector<Row>& rows, int dim) {
  Image image(dim, dim);
  fill_rect(image, 0, 0, dim, dim, {250, 250, 250});
  const Color blue = {40, 100, 200}, orange = {235, 140, 40}, ink = {30, 30, 30};
  double longest = 0;
  for (const Row& row : rows) longest = std::max({longest, row.constant_ms, row.global_ms});
  const int scale = std::max(1, dim / 340), line = 12 * scale, bottom = 3 * line, top = dim - 5 * line;
  auto height = [&](double ms) { return static_cast<int>((top - bottom) * ms / longest); };
  const int pitch = dim / (cases + 1), bar = pitch * 2 / 5;
  for (int k = 0; k < cases; ++k) {
    const int x = pitch / 2 + k * pitch;
    auto draw = [&](int left, double ms, Color color) {
      fill_rect(image, left, bottom, bar, std::max(1, height(ms)), color);
      char text[16];
      std::snprintf(text, sizeof text, "%.2f", ms);
      draw_text(image, left, bottom + height(ms) + 2 * scale, text, ink, std::max(1, scale * 2 / 3));
    };
    draw(x, rows[k].constant_ms, blue);
    draw(x + bar + scale, rows[k].global_ms, orange);
    draw_text(image, x + bar - 3 * scale, bottom - line, std::to_string(different[k]), ink, scale);
  }
  draw_text(image, pitch / 2, scale * 4, "different words that a warp reads at a time", ink, scale);
  draw_text(image, pitch / 2, dim - line, "milliseconds for the same reads", ink, scale);
  fill_rect(image, pitch / 2, dim - 2 * line - 2 * scale, line, 8 * scale, blue);
  draw_text(image, pitch / 2 + line * 3 / 2, dim - 2 * line - 2 * scale, "constant memory", ink, scale);
  fill_rect(image, pitch / 2, dim - 3 * line - 2 * scale, line, 8 * scale, orange);
  draw_text(image, pitch / 2 + line * 3 / 2, dim - 3 * line - 2 * scale, "global memory", ink, scale);
  return image;
}

int main(int argc, char** argv) {
  Options options("constant_broadcast", "Times of constant memory against global memory.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
#ifdef EMULATED_DEVICE
  int reads = 64, blocks = 64;  // an emulated read is a plain read on the CPU: nothing to learn from its time
#else
  int reads = 4096, blocks = 0;
#endif
  options.add("--reads", reads, "reads of a thread", 1, 100000);
  options.add("--blocks", blocks, "blocks of 256 threads; 0: 16 for each multiprocessor", 0, 100000);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (blocks == 0) {
    HANDLE_ERROR(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, options.device));
    blocks *= 16;
  }

  if (options.check) return verdict(options.name(), Experiment(std::min(blocks, 8), reads).check());
  if (!Experiment(1, reads).check()) return verdict(options.name(), false);  // never time what is wrong

  Experiment experiment(blocks, reads);
  std::vector<Row> rows;
  for (const int distinct : different)
    rows.push_back({measure([&] { experiment.run_constant(distinct); }).median_ms,
                    measure([&] { experiment.run_global(distinct); }).median_ms});
  print_table(rows, experiment.warp_reads());
#ifdef EMULATED_DEVICE
  std::printf(
      "These are times of the emulated device; chapter06_constant_memory/README.md has those of a GPU.\n");
#endif
  if (options.benchmark) return verdict(options.name(), true);
  const Image image = draw_bars(rows, options.size);
  CPUBitmap bitmap(options.size, options.size);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
