// hist_fast - the histogram of bytes, from the book's kernel to the limit of the memory.
//
// CUDA by Example, chapter 9 (atomics), and what came after it. One file per rung, numbered in reading order;
// README.md says what each gains.
// Terms (docs/glossary.md): atomics, shared memory, bank, occupancy, coalescing, fence.
//
//   ./run hist_fast                                       100 MiB of random bytes, the fastest rung
//   ./run hist_fast --benchmark --bytes 1000000           every rung, checked, then timed
//   ./run hist_fast --sweep --bytes 1000000               the book's kernel against the number of blocks
//
// No window. What to see: the same 256 numbers by every rung, in less and less time.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/picture/draw.h"
#include "../../common/picture/file.h"
#include "../../common/timing.h"
#include "../hist_common.h"
#include "1_shared.cuh"
#include "methods.h"

#ifdef EMULATED_DEVICE
constexpr int sweep_rounds = 1, sweep_warm_up = 0;  // its times are not worth more
#else
constexpr int sweep_rounds = 9, sweep_warm_up = 2;
#endif

// ---- kernels and their launches: 1_shared.cuh to 4_replicated.cuh and library.cuh, listed in methods.cu
// ---- CPU reference: reference_histogram() in ../hist_common.h

// ---- input

// Makes other values of random bytes: what is easy for one histogram is hard for another.
void make_values(std::vector<unsigned char>& bytes, const std::string& values) {
  constexpr std::string_view text = "e e e t t a a o o i n n s s r h h l d c u m w f g y p b v ,.\nETA";
  for (unsigned char& byte : bytes) {
    if (values == "zeros") byte = 0;
    if (values == "text") byte = static_cast<unsigned char>(text[byte % text.size()]);
    if (values == "two") byte = byte % 2 == 0 ? 7 : 39;  // two bins of one bank
  }
}

// ---- work

struct DeviceBytes {
  explicit DeviceBytes(const std::vector<unsigned char>& host) : bytes(host.size()), histogram(bin_count) {
    HANDLE_ERROR(cudaMemcpy(bytes.get(), host.data(), host.size(), cudaMemcpyHostToDevice));
  }
  Histogram download() const {
    Histogram host;
    HANDLE_ERROR(cudaMemcpy(host.data(), histogram.get(), histogram.bytes(), cudaMemcpyDeviceToHost));
    return host;
  }
  DeviceMemory<unsigned char> bytes;
  DeviceMemory<unsigned> histogram;
};

bool run_one(const Options& options, const std::vector<unsigned char>& bytes) {
  const DeviceBytes device(bytes);
  const auto count = histogram_methods()[options.method].make(bytes.size());
  HANDLE_ERROR(
      cudaMemset(device.histogram.get(), 0xff, device.histogram.bytes()));  // a rung must not rely on it
  count(device.bytes.get(), bytes.size(), device.histogram.get());
  const Histogram histogram = device.download();
  return report_histogram(options, histogram, reference_histogram(bytes), bytes.size());
}

bool benchmark(const Options& options, const std::vector<unsigned char>& bytes) {
  const DeviceBytes device(bytes);
  const Histogram expected = reference_histogram(bytes);
  BenchmarkTable table("histogram of " + std::to_string(bytes.size()) + " bytes");
  bool passed = true;
  for (const HistogramMethod& method : histogram_methods()) {
    if (!method.built()) continue;
    const auto count = method.make(bytes.size());
    const auto work = [&] { count(device.bytes.get(), bytes.size(), device.histogram.get()); };
    HANDLE_ERROR(cudaMemset(device.histogram.get(), 0xff, device.histogram.bytes()));
    work();
    if (!check_histogram(device.download(), expected, bytes.size())) {
      std::fprintf(stderr, "%s: method %s is wrong and is not timed\n", options.name().c_str(),
                   method.name.c_str());
      passed = false;
      continue;
    }
    table.add(method.name, measure_back_to_back(work), static_cast<double>(bytes.size()));
  }
  table.print();
  return passed;
}

// The time of the book's kernel against the number of blocks.
bool sweep(const Options& options, const std::vector<unsigned char>& bytes) {
  const DeviceBytes device(bytes);
  const Histogram expected = reference_histogram(bytes);
  const int processors = multiprocessors();
  std::vector<Bar> bars;
  BenchmarkTable recorded("blocks per multiprocessor");
  bool passed = true;
  std::printf("blocks per multiprocessor   median ms\n");
  for (const int per_multiprocessor : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32}) {
    const auto work = [&] {
      run_shared(processors * per_multiprocessor, device.bytes.get(), bytes.size(), device.histogram.get());
    };
    work();
    passed &= check_histogram(device.download(), expected, bytes.size());
    const Timing timing = measure(work, sweep_rounds, sweep_warm_up);
    std::printf("%25d %11.4f\n", per_multiprocessor, timing.median_ms);
    bars.push_back({std::to_string(per_multiprocessor), timing.median_ms});
    recorded.add(std::to_string(per_multiprocessor), timing, static_cast<double>(bytes.size()));
  }
  recorded.record();
  if (!options.output.empty() && passed) {
    write_image(options.output, bar_chart("The book's histogram" + whose_times(), bars,
                                          "ms, against blocks per multiprocessor", 960, 480));
    std::printf("Wrote %s\n", absolute_path(options.output).c_str());
  }
  return passed;
}

int main(int argc, char** argv) {
  Options options("hist_fast", "A histogram of bytes, from the book's kernel to the limit of the memory.",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  HistogramOptions histogram_options;
  add_histogram_options(options, histogram_options);
  std::string values = "random";
  bool sweeping = false;
  options.add_choice("--values", values, "what the bytes are, without --input",
                     {"random", "zeros", "text", "two"});
  options.add_flag("--sweep", sweeping,
                   "time the book's kernel against the number of blocks; --output draws it");
  options.add_methods(histogram_methods().for_options(), "replicated");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  std::vector<unsigned char> bytes = histogram_input(options, histogram_options);
  if (histogram_options.input.empty()) make_values(bytes, values);
  if (sweeping) say_whose_times();
  const bool passed = sweeping            ? sweep(options, bytes)
                      : options.benchmark ? benchmark(options, bytes)
                                          : run_one(options, bytes);
  return verdict(options.name(), passed);
}
