// hist_cpu - a histogram of bytes on the CPU: how often each of the 256 values occurs.
//
// CUDA by Example, chapter 9 (atomics), section 9.4.1, "CPU Histogram Computation". It is the
// baseline for the programs that use the GPU. The loop itself is their CPU reference,
// reference_histogram() in hist_common.h.
// Terms (docs/glossary.md): host.
//
//   ./run hist_cpu                                          100 MiB of random bytes
//   ./run hist_cpu --input README.md --output bytes.png     the bytes of a file, with a chart
//
// No window. What to see: a plain loop is hard to beat when every step may need the result of the
// one before.
#include <cstdio>
#include <span>
#include <vector>

#include "../common/check.h"
#include "../common/timing.h"
#include "hist_common.h"

// The check must not repeat the loop that it checks. It counts pairs of bytes, then adds up the
// rows and columns.
Histogram histogram_by_pairs(std::span<const unsigned char> bytes) {
  std::vector<unsigned int> pairs(bin_count * bin_count);
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) ++pairs[bytes[i] * bin_count + bytes[i + 1]];
  Histogram histogram{};
  for (size_t first = 0; first < bin_count; ++first)
    for (size_t second = 0; second < bin_count; ++second) {
      histogram[first] += pairs[first * bin_count + second];
      histogram[second] += pairs[first * bin_count + second];
    }
  if (bytes.size() % 2 == 1) ++histogram[bytes.back()];
  return histogram;
}

int main(int argc, char** argv) {
  HistogramOptions options("hist_cpu", Common::nothing);
  options.parse(argc, argv);
  const std::vector<unsigned char> bytes = options.read_input();

  const HostTimer timer;
  const Histogram histogram = reference_histogram(bytes);
  const double ms = timer.ms();
  if (!options.check)
    std::printf("Time to generate, on the CPU: %.3f ms [%.3f GB/s]\n", ms,
                static_cast<double>(bytes.size()) / ms * 1e-6);
  return verdict(options.name(),
                 report_histogram(options, histogram, histogram_by_pairs(bytes), bytes.size()));
}
