// hist_cpu - a histogram of bytes on the CPU: how often does each of the 256 values occur?
//
// CUDA by Example, chapter 9 (atomics), "CPU Histogram Computation". The yardstick for the two GPU programs.
//
//   hist_cpu                               100 MiB of random bytes
//   hist_cpu --input FILE --output histogram.png
//   hist_cpu --check
//
// What to see: a plain loop is hard to beat when every step needs the result of the one before.
#include <array>
#include <chrono>
#include <cstdio>
#include <vector>

#include "../common/options.h"
#include "hist_common.h"

// The check must not repeat the loop that it checks: it counts pairs of bytes, then adds up the rows and
// columns.
Histogram histogram_by_pairs(std::span<const unsigned char> bytes) {
  std::vector<unsigned int> pairs(bin_count * bin_count);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) ++pairs[bytes[i] * bin_count + bytes[i + 1]];
  Histogram histogram{};
  for (std::size_t first = 0; first < bin_count; ++first)
    for (std::size_t second = 0; second < bin_count; ++second) {
      histogram[first] += pairs[first * bin_count + second];
      histogram[second] += pairs[first * bin_count + second];
    }
  if (bytes.size() % 2 == 1) ++histogram[bytes.back()];
  return histogram;
}

int main(int argc, char** argv) {
  Options options("hist_cpu", "A histogram of bytes on the CPU.", Common::seed | Common::check);
  HistogramOptions histogram_options;
  add_histogram_options(options, histogram_options, false);
  options.parse(argc, argv);
  const std::vector<unsigned char> bytes = histogram_input(options, histogram_options);

  const auto start = std::chrono::steady_clock::now();
  const Histogram histogram = reference_histogram(bytes);
  const auto stop = std::chrono::steady_clock::now();
  const double ms = std::chrono::duration<double, std::milli>(stop - start).count();
  std::printf("Time to generate: %.3f ms (%.1f GB/s)\n", ms, bytes.size() / ms * 1e-6);

  return report_histogram(options, histogram, histogram_by_pairs(bytes), bytes.size());
}
