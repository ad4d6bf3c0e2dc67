#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

struct Timing {
  double median_ms = 0, best_ms = 0;
};

/// Runs `work` warm_up + rounds times and measures the last `rounds` with CUDA events on the default stream.
/// Check the result before timing it. CUDA errors end the program.
Timing measure(const std::function<void()>& work, int rounds = 9, int warm_up = 2);

/// The same with the host's clock around the call and a cudaDeviceSynchronize(): for whole trips with copies,
/// and for CPU references.
Timing measure_host(const std::function<void()>& work, int rounds = 9, int warm_up = 2);

/// What this device's memory can do, in GB/s (10^9 bytes read plus written): a large device-to-device copy,
/// measured at the first call of a process.
double copy_rate();

/// Collects times and prints them as a table: name, ms (median), GB/s, percent of copy_rate().
class BenchmarkTable {
 public:
  explicit BenchmarkTable(std::string title) : title_(std::move(title)) {}
  /// `bytes`: read plus written by the work, in device memory; 0 where a rate makes no sense.
  void add(std::string name, Timing timing, double bytes);
  void print() const;  ///< on standard output

 private:
  struct Row {
    std::string name;
    Timing timing;
    double bytes;
  };
  std::string title_;
  std::vector<Row> rows_;
};
