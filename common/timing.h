#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

// The one place where time is taken, by samples, benchmarks and the
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
  /// Waits for the stream to get here and returns the milliseconds since start().
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
/// One call among as many as take a millisecond, without a pause between: for work of
/// microseconds, where events and the way of a launch to the device would count. Its data stay
/// in the L2 cache where they fit.
Timing measure_back_to_back(const std::function<void()>& work, int rounds = 9);
/// By the host's clock, with a cudaDeviceSynchronize(): whole trips with
/// copies, and CPU references.
Timing measure_host(const std::function<void()>& work, int rounds = 9, int warm_up = 2);

/// What this device's memory can do, in GB/s (10^9 bytes read plus written): a large copy on the
/// device, measured once.
double copy_rate();

/// A time that is printed or shown: "0.123 ms", with `bytes` on a GPU "0.123 ms [45.678 GB/s]". On
/// the emulated device, where a rate would be no GPU's, "0.123 ms (emulated)"; with --explain that
/// it is not measured, as it would contain the recording.
std::string time_text(double ms, double bytes = 0);
std::string whose_times();  ///< " (emulated)" there, empty on a GPU
std::string times_note();   ///< the same for a picture: "not a GPU's times"
/// On the emulated device prints a line, once, that times are no GPU's,
/// for --benchmark and the like.
void say_whose_times();

/// A table of times: name, ms, GB/s, percent of copy_rate(); on the
/// emulated device without the rates.
class BenchmarkTable {
 public:
  explicit BenchmarkTable(std::string title) : title_(std::move(title)) {}
  /// `bytes`: read plus written by the work, in device memory; 0 where a rate makes no sense.
  void add(std::string name, Timing timing, double bytes) {
    rows_.push_back({std::move(name), timing, bytes});
  }
  /// On standard output, and as a line of JSON to the file SAMPLES_RECORD, for
  /// benchmarks/record.py.
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

/// Such a table of one line, for a sample with one kernel: times `work` with measure() and prints.
void print_benchmark(std::string title, std::string name, const std::function<void()>& work,
                     double bytes);
