#include "timing.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device.h"
#include "device_memory.h"
#include "fail.h"

Timing summary(std::vector<double> ms) {
  std::sort(ms.begin(), ms.end());
  return {ms[ms.size() / 2], ms.front()};
}

EventTimer::EventTimer() {
  HANDLE_ERROR(cudaEventCreate(&start_));
  HANDLE_ERROR(cudaEventCreate(&stop_));
}

EventTimer::~EventTimer() {
  // Not checked: nothing depends on it, and the errors of earlier work belong
  // to the code that started it.
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

void EventTimer::start(cudaStream_t stream) { HANDLE_ERROR(cudaEventRecord(start_, stream)); }

float EventTimer::stop(cudaStream_t stream) {
  float ms = 0;
  HANDLE_ERROR(cudaEventRecord(stop_, stream));
  HANDLE_ERROR(cudaEventSynchronize(stop_));
  HANDLE_ERROR(cudaEventElapsedTime(&ms, start_, stop_));
  return ms;
}

// Here and not in timing.h: <chrono> would add half a second to each sample's compilation.
static long long nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}
void HostTimer::restart() { start_ = nanoseconds(); }
double HostTimer::ms() const { return 1e-6 * static_cast<double>(nanoseconds() - start_); }

/// The summary of the times that `run` returns, without the first `warm_up`.
static Timing summary_of(const std::function<double()>& run, int rounds, int warm_up) {
  std::vector<double> ms;
  for (int round = -warm_up; round < rounds; ++round) {
    const double time = run();
    if (round >= 0) ms.push_back(time);
  }
  return summary(std::move(ms));
}

Timing measure(const std::function<void()>& work, int rounds, int warm_up) {
  EventTimer timer;
  const auto run = [&] {
    timer.start();
    work();
    HANDLE_ERROR(cudaGetLastError());
    return timer.stop();
  };
  return summary_of(run, rounds, warm_up);
}

Timing measure_back_to_back(const std::function<void()>& work, int rounds) {
  constexpr double round_ms = 1;
  constexpr int max_calls = 100;
  const double call_ms = std::max(measure(work, 3).best_ms, 1e-4);
  const int calls = std::clamp(static_cast<int>(round_ms / call_ms), 1, max_calls);
  const auto round = [&] {
    for (int call = 0; call < calls; ++call) work();
  };
  const Timing timing = measure(round, rounds, 1);
  return {timing.median_ms / calls, timing.best_ms / calls};
}

Timing measure_host(const std::function<void()>& work, int rounds, int warm_up) {
  HANDLE_ERROR(cudaDeviceSynchronize());
  const auto run = [&] {
    const HostTimer timer;
    work();
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());
    return timer.ms();
  };
  return summary_of(run, rounds, warm_up);
}

double copy_rate() {
  static const double rate = [] {
    size_t free = 0;
    size_t total = 0;
    HANDLE_ERROR(cudaMemGetInfo(&free, &total));
    // Several times the size of the L2 cache of any GPU, or of a processor's cache.
    constexpr size_t enough = size_t{is_emulated ? 64 : 512} << 20;
    const size_t bytes = std::clamp(free / 4, size_t{1} << 20, enough);
    const DeviceMemory<unsigned char> from(bytes);
    const DeviceMemory<unsigned char> to(bytes);
    HANDLE_ERROR(cudaMemset(from.get(), 1, bytes));
    const Timing timing = measure(
        [&] {
          HANDLE_ERROR(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyDeviceToDevice));
        },
        5);
    return 2e-6 * static_cast<double>(bytes) / timing.best_ms;
  }();
  return rate;
}

std::string whose_times() { return is_emulated ? " (emulated)" : ""; }

std::string times_note() { return is_emulated ? "not a GPU's times" : ""; }

std::string time_text(double ms, double bytes) {
  if (is_recording()) return "not measured with --explain";
  char rate[50] = "";
  char text[100];
  if (!is_emulated && bytes > 0 && ms > 0)
    std::snprintf(rate, sizeof rate, " [%.3f GB/s]", bytes * 1e-6 / ms);
  std::snprintf(text, sizeof text, "%.3f ms%s", ms, rate);
  return text + whose_times();
}

void say_whose_times() {
  static bool said = !is_emulated;
  if (said) return;
  said = true;
  std::printf(is_recording() ? "Times with --explain include the recording of each access: they "
                               "say nothing about a GPU.\n"
                             : "Times of the emulated device: they say nothing about a GPU. "
                               "benchmarks/README.md says where a GPU's are.\n");
}

void BenchmarkTable::record() const {
  const char* const path = std::getenv("SAMPLES_RECORD");
  if (path == nullptr) return;
  int device = 0;
  int driver = 0;
  int runtime = 0;
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  HANDLE_ERROR(cudaDriverGetVersion(&driver));
  HANDLE_ERROR(cudaRuntimeGetVersion(&runtime));
  std::FILE* const file = std::fopen(path, "a");
  if (file == nullptr)
    fail(exit_code::failed, std::string("cannot write ") + path + ": " + std::strerror(errno));
  std::fprintf(file,
               "{\"title\": \"%s\", \"device\": \"%s\", \"multiprocessors\": %d, \"driver_api\": "
               "%d, \"runtime\": %d, \"copy_GB_per_s\": %.1f, \"rows\": [",
               title_.c_str(), properties.name, properties.multiProcessorCount, driver, runtime,
               copy_rate());
  const char* separator = "";
  for (const Row& row : rows_) {
    std::fprintf(file,
                 "%s{\"name\": \"%s\", \"median_ms\": %.6g, \"best_ms\": %.6g, \"bytes\": %.0f}",
                 separator, row.name.c_str(), row.timing.median_ms, row.timing.best_ms, row.bytes);
    separator = ", ";
  }
  std::fprintf(file, "]}\n");
  if (std::fclose(file) != 0) fail(exit_code::failed, std::string("cannot write ") + path);
}

void BenchmarkTable::print() const {
  say_whose_times();
  record();
  const std::string title = title_ + whose_times();
  int width = static_cast<int>(title.size());
  for (const Row& row : rows_) width = std::max(width, static_cast<int>(row.name.size()));
  std::printf("%-*s %12s %12s%s\n", width, title.c_str(), "median ms", "best ms",
              is_emulated ? "" : "       GB/s  % of copy");
  bool any_rate = false;
  for (const Row& row : rows_) {
    std::printf("%-*s %12.4f %12.4f", width, row.name.c_str(), row.timing.median_ms,
                row.timing.best_ms);
    if (!is_emulated && row.bytes > 0 && row.timing.median_ms > 0) {
      const double rate = row.bytes * 1e-6 / row.timing.median_ms;
      std::printf(" %10.1f %10.1f", rate, 100 * rate / copy_rate());
      any_rate = true;
    }
    std::printf("\n");
  }
  if (any_rate)
    std::printf("GB/s: read plus written, by the median. The copy: %.1f GB/s.\n", copy_rate());
}

void print_benchmark(std::string title, std::string name, const std::function<void()>& work,
                     double bytes) {
  BenchmarkTable table(std::move(title));
  table.add(std::move(name), measure(work), bytes);
  table.print();
}
