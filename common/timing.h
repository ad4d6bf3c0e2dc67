#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

// The only place that measures time, for samples, benchmarks and the
// course. CUDA errors end the program.

/// Milliseconds on the device between two points of a stream, by CUDA
/// events (the book, section 6.3).
class EventTimer {
 public:
  EventTimer();
  ~EventTimer();
  EventTimer(const EventTimer&) = delete;
  EventTimer& operator=(const EventTimer&) = delete;

  void start(cudaStream_t stream = nullptr);
  /// Waits until the stream gets here and returns the milliseconds since start().
  float stop(cudaStream_t stream = nullptr);

 private:
  cudaEvent_t start_;
  cudaEvent_t stop_;
};

/// Milliseconds of the host's clock: for CPU references and whole trips.
class HostTimer {
 public:
  HostTimer() { restart(); }
  void restart();
  double ms() const;

 private:
  long long start_;  // ns
};

struct Timing {
  double median_ms = 0;  ///< of several measurements of the same work
  double best_ms = 0;
};
Timing summary(std::vector<double> ms);  ///< of at least one

/// Runs `work` warm_up + rounds times and measures the last `rounds` with
/// events on the default stream.
Timing measure(const std::function<void()>& work, int rounds = 9, int warm_up = 2);
/// The time of one call among as many as fill a millisecond, without a pause between them. It is
/// for work of microseconds, where events and a launch's way to the device would count. The data
/// stay in the L2 cache if they fit.
Timing measure_back_to_back(const std::function<void()>& work, int rounds = 9);
/// By the host's clock, with a cudaDeviceSynchronize(): for whole trips with
/// copies, and for CPU references.
Timing measure_host(const std::function<void()>& work, int rounds = 9, int warm_up = 2);

/// The rate of this device's memory in GB/s (10^9 bytes read plus written): a large copy on the
/// device, measured once.
double copy_rate();

/// A time to print or show: "0.123 ms", with `bytes` on a GPU "0.123 ms [45.678 GB/s]". On the
/// emulated device it is "0.123 ms (emulated)", because its rate would not be a GPU's. With
/// --explain the text says that it is not measured, because it would contain the recording.
std::string time_text(double ms, double bytes = 0);
std::string whose_times();  ///< " (emulated)" there, empty on a GPU
std::string times_note();   ///< the same for a picture: "not a GPU's times"
/// For --benchmark and the like: on the emulated device prints once that the
/// times are not a GPU's.
void say_whose_times();

/// A table of times: name, ms, GB/s, percent of copy_rate(). On the
/// emulated device it has no rates.
class BenchmarkTable {
 public:
  explicit BenchmarkTable(std::string title) : title_(std::move(title)) {}
  /// `bytes`: read plus written by the work, in device memory; 0 where a rate makes no sense.
  void add(std::string name, Timing timing, double bytes) {
    rows_.push_back({std::move(name), timing, bytes});
  }
  /// Prints on standard output, and appends a line of JSON to the file
  /// SAMPLES_RECORD, for benchmarks/record.py.
  void print() const;

 private:
  struct Row {
    std::string name;
    Timing timing;
    double bytes;
  };
  void record() const;

  std::string title_;
  std::vector<Row> rows_;
};

/// Prints a table of one line for a sample with one kernel, and times `work` with measure().
void print_benchmark(std::string title, std::string name, const std::function<void()>& work,
                     double bytes);
