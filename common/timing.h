#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The one place where time is taken: in samples, in benchmarks, in the course's output.

/// Milliseconds on the device between two points of a stream, measured with CUDA events (the book,
/// section 6.3).
class EventTimer {
 public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start(cudaStream_t stream = nullptr);
  /// Waits for the stream to get here and returns the milliseconds since start(). Errors end the program.
  float stop(cudaStream_t stream = nullptr);

 private:
  cudaEvent_t start_, stop_;
};

/// Milliseconds of the host's clock since its construction or restart(): for CPU references and whole trips.
class HostTimer {
 public:
  void restart() { start_ = std::chrono::steady_clock::now(); }
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Several measurements of the same work, in milliseconds.
struct Timing {
  double median_ms = 0, best_ms = 0;
};

/// The median and the least of some times; zeros for none.
Timing summary(std::vector<double> ms);

/// Runs `work` warm_up + rounds times and measures the last `rounds` with CUDA events on the default stream.
/// Check the result before timing it. CUDA errors end the program.
Timing measure(const std::function<void()>& work, int rounds = 9, int warm_up = 2);

/// The time of one call when calls follow one another without a pause: a round is as many calls as take about
/// a millisecond, so that neither the events nor the way of a single launch to the device count. For work of
/// microseconds. Its data stay in the L2 cache where they fit.
Timing measure_back_to_back(const std::function<void()>& work, int rounds = 9);

/// The same with the host's clock around the call and a cudaDeviceSynchronize(): for whole trips with copies,
/// and for CPU references.
Timing measure_host(const std::function<void()>& work, int rounds = 9, int warm_up = 2);

/// What this device's memory can do, in GB/s (10^9 bytes read plus written): a large device-to-device copy,
/// measured at the first call of a process.
double copy_rate();

/// On the emulated device prints one line, once per program: that the times that follow say nothing about a
/// GPU, and where a GPU's stand. Options::parse() says it first of all where --benchmark is given; what prints
/// times without that option calls it before.
void say_whose_times(std::FILE* to = stdout);

/// The same for the title of a chart of times: " (emulated device: says nothing about a GPU)", and nothing on
/// a GPU.
std::string whose_times();

/// Collects times and prints them as a table: name, ms (median), GB/s, percent of copy_rate().
class BenchmarkTable {
 public:
  explicit BenchmarkTable(std::string title) : title_(std::move(title)) {}
  /// `bytes`: read plus written by the work, in device memory; 0 where a rate makes no sense.
  void add(std::string name, Timing timing, double bytes);
  /// On standard output; also records it, see record().
  void print() const;
  /// Where the environment variable SAMPLES_RECORD names a file: appends the table to it, one line of JSON with
  /// the device, the versions of driver and runtime, the copy rate and the rows. benchmarks/record.py sets it.
  /// A file that cannot be written ends the program.
  void record() const;

 private:
  struct Row {
    std::string name;
    Timing timing;
    double bytes;
  };
  std::string title_;
  std::vector<Row> rows_;
};
