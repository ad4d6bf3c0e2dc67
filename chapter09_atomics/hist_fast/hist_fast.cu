// hist_fast - the histogram of bytes, from the book's kernel to the memory's full bandwidth.
//
// CUDA by Example, chapter 9 (atomics), and later techniques. One file per rung, numbered in
// reading order; README.md lists the gain of each.
// Terms (docs/glossary.md): atomics, shared memory, bank, occupancy, coalescing, fence.
//
//   ./run hist_fast                                  100 MiB of random bytes, the fastest rung
//   ./run hist_fast --benchmark --bytes 1000000      every rung, checked, then timed
//   ./run hist_fast --sweep --bytes 1000000          the book's kernel against the number of blocks
//
// No window. What to see: every rung gives the same 256 numbers, in less and less time.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/picture/draw.h"
#include "../../common/picture/image.h"
#include "../../common/timing.h"
#include "../hist_common.h"
#include "2_occupancy.cuh"
#include "methods.h"

using namespace hist_fast;

// Changes the random bytes: an input that is easy for one histogram is hard for another.
void make_values(std::vector<unsigned char>& bytes, const std::string& values) {
  constexpr std::string_view text =
      "e e e t t a a o o i n n s s r h h l d c u m w f g y p b v ,.\nETA";
  for (unsigned char& byte : bytes) {
    if (values == "zeros") byte = 0;
    if (values == "text") byte = static_cast<unsigned char>(text[byte % text.size()]);
    if (values == "two") byte = byte % 2 == 0 ? 7 : 39;  // two bins of one bank
  }
}

// The bytes on the device and their right histogram (CPU reference: ../hist_common.h).
struct Work {
  explicit Work(const std::vector<unsigned char>& host)
      : expected(reference_histogram(host)), bytes(host.size()), histogram(bin_count) {
    HANDLE_ERROR(cudaMemcpy(bytes.get(), host.data(), host.size(), cudaMemcpyHostToDevice));
  }
  Histogram result(const std::function<CountBytes>& count) const {
    Histogram host;
    HANDLE_ERROR(cudaMemset(histogram.get(), 0xff, histogram.bytes()));  // no method may rely on it
    count(bytes.get(), bytes.size(), histogram.get());
    HANDLE_ERROR(
        cudaMemcpy(host.data(), histogram.get(), histogram.bytes(), cudaMemcpyDeviceToHost));
    return host;
  }
  Histogram expected;
  DeviceMemory<unsigned char> bytes;
  DeviceMemory<unsigned> histogram;
};

// Checks and times the methods, prints a table, and draws it into --output.
// Returns whether all results are right.
template <class Methods>
bool benchmark(const Options& options, const std::string& title, const Methods& methods,
               const Work& work) {
  BenchmarkTable table(title);
  std::vector<Bar> bars;
  bool passed = true;
  for (const HistogramMethod& method : methods) {
    if (!method.built()) continue;
    const auto count = method.make();
    if (!check_histogram(work.result(count), work.expected, work.bytes.size())) {
      std::fprintf(stderr, "%s is wrong and is not timed\n", method.name.c_str());
      passed = false;
      continue;
    }
    const Timing timing = measure_back_to_back(
        [&] { count(work.bytes.get(), work.bytes.size(), work.histogram.get()); });
    table.add(method.name, timing, static_cast<double>(work.bytes.size()));
    bars.push_back({method.name, timing.median_ms});
  }
  table.print();
  if (!options.output.empty()) {
    write_image(options.output,
                bar_chart({"Median time", title, "ms", times_note()}, bars, 960, 480));
    std::printf("Wrote %s\n", absolute_path(options.output).c_str());
  }
  return passed;
}

// The book's kernel with other numbers of blocks.
std::vector<HistogramMethod> block_counts() {
  std::vector<HistogramMethod> methods;
  for (const int blocks : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}) {
    const auto run = [grid = blocks * multiprocessors()](auto... input) {
      run_shared(grid, input...);
    };
    methods.push_back({std::to_string(blocks), [run] { return run; }});
  }
  return methods;
}

int main(int argc, char** argv) {
  HistogramOptions options("hist_fast", Common::benchmark | Common::device);
  std::string values = "random";
  bool sweeping = false;
  options.add_choice("--values", values, "kind of bytes to generate without --input",
                     {"random", "zeros", "text", "two"});
  options.add_flag("--sweep", sweeping, "time the book's kernel for several numbers of blocks");
  options.add_methods(methods().for_options(), "replicated");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  std::vector<unsigned char> bytes = options.read_input();
  if (options.input.empty()) make_values(bytes, values);
  const Work work(bytes);
  if (sweeping)
    return verdict(options.name(),
                   benchmark(options, "blocks per multiprocessor", block_counts(), work));
  if (options.benchmark)
    return verdict(options.name(),
                   benchmark(options, "histogram of " + std::to_string(bytes.size()) + " bytes",
                             methods(), work));
  const auto count = methods()[options.method].make();
  return verdict(options.name(),
                 report_histogram(options, work.result(count), work.expected, bytes.size()));
}
