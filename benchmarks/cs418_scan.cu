// Times saxpy, scan and find_repeats beside cuBLAS, CUB and Thrust (Google Benchmark, manual time).
//
//   cs418_scan_benchmark --benchmark_out=FILE.json --benchmark_out_format=json
//   cs418_scan_benchmark --benchmark_filter=scan/best
//
// Names: WORK/METHOD/n. The time is the median of nine rounds. saxpy and scan: CUDA events around
// back-to-back calls, so many that a round takes a millisecond. find_repeats: the host's clock around a call,
// because the count has to reach the host. Counters: GB_per_s, and copy_percent, the share of what a
// device-to-device copy of 2^28 numbers reaches in the same run. Every result is checked before it is timed.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../common/timing.h"
#include "../cs418_assignment2/find_repeats_methods.cuh"
#include "../cs418_assignment2/saxpy_kernels.cuh"
#include "../cs418_assignment2/scan_methods.cuh"

#ifdef __CUDACC__
#include <cublas_v2.h>
#endif

namespace {

constexpr int rounds = 9;

// Numbers from 0 to 9 that look random, made on the device.
__global__ void fill_digits(int* data, std::size_t n) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    unsigned x = static_cast<unsigned>(i) * 2654435761u;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    data[i] = static_cast<int>(x % 10);
  }
}

// The numbers of the sample saxpy, i modulo 10: all results are exact.
__global__ void fill_saxpy(float* x, float* y, std::size_t n) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    x[i] = y[i] = static_cast<float>(i % 10);
  }
}

// Counts where z is not a x + y. Written with "not equal", so that a NaN counts too.
__global__ void count_wrong(float a, const float* x, const float* y, const float* z, std::size_t n,
                            unsigned* count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    if (z[i] != a * x[i] + y[i]) atomicAdd(count, 1u);
}

__global__ void count_differences(const int* a, const int* b, std::size_t n, unsigned* count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    if (a[i] != b[i]) atomicAdd(count, 1u);
}

bool equal(const int* a, const int* b, std::size_t n) {
  const DeviceMemory<unsigned> count(1);
  unsigned differences = 0;
  HANDLE_ERROR(cudaMemset(count.get(), 0, sizeof differences));
  count_differences<<<1024, 256>>>(a, b, n, count.get());
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&differences, count.get(), sizeof differences, cudaMemcpyDeviceToHost));
  return differences == 0;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Milliseconds a call on the device, back to back.
double device_ms(const std::function<void()>& work, std::size_t bytes) {
  for (int warm_up = 0; warm_up < 3; warm_up++) work();
  const int calls = static_cast<int>(std::clamp<double>(3e9 / static_cast<double>(bytes + 1), 2, 100));
  std::vector<double> times;
  for (int round = 0; round < rounds; round++) {
    EventTimer timer;
    timer.start();
    for (int call = 0; call < calls; call++) work();
    times.push_back(timer.stop() / calls);
  }
  return median(times);
}

double host_ms(const std::function<void()>& work) {
  for (int warm_up = 0; warm_up < 3; warm_up++) work();
  HANDLE_ERROR(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int round = 0; round < 2 * rounds + 1; round++) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  return median(times);
}

void report(benchmark::State& state, double ms, double bytes) {
  for (auto _ : state) state.SetIterationTime(ms * 1e-3);
  state.counters["GB_per_s"] = bytes / ms * 1e-6;
  state.counters["copy_percent"] = 100 * bytes / ms * 1e-6 / copy_rate();
}

// The input of one size, and what the plainest method makes of it, kept until another size's turn.
struct Data {
  explicit Data(std::size_t count) : n(count), in(n), out(n), sums(n), indices(n) {
    fill_digits<<<1024, 256>>>(in.get(), n);
    HANDLE_ERROR(cudaGetLastError());
    Scanner("blocks", n).run(in.get(), sums.get(), n);
    repeats = RepeatFinder("scan", n).run(in.get(), n, indices.get(), n);
  }
  std::size_t n, repeats;
  DeviceMemory<int> in, out, sums, indices;
};
const Data& data_of(std::size_t n) {
  static std::unique_ptr<Data> data;
  if (!data || data->n != n) {
    data.reset();
    data = std::make_unique<Data>(n);
  }
  return *data;
}

void run_scan(benchmark::State& state, const std::string& method, std::size_t n) {
  const Data& data = data_of(n);
  Scanner scanner(method, n);
  const auto work = [&] { scanner.run(data.in.get(), data.out.get(), n); };
  HANDLE_ERROR(cudaMemset(data.out.get(), 0xcc, data.out.bytes()));
  work();
  if (!equal(data.out.get(), data.sums.get(), n)) return state.SkipWithError("wrong result");
  report(state, device_ms(work, 8 * n), 8.0 * static_cast<double>(n));
}

void run_repeats(benchmark::State& state, const std::string& method, std::size_t n) {
  const Data& data = data_of(n);
  RepeatFinder finder(method, n);
  const auto work = [&] { return finder.run(data.in.get(), n, data.out.get(), n); };
  HANDLE_ERROR(cudaMemset(data.out.get(), 0xcc, data.out.bytes()));
  if (work() != data.repeats || !equal(data.out.get(), data.indices.get(), data.repeats))
    return state.SkipWithError("wrong result");
  report(state, host_ms(work), 4.0 * static_cast<double>(n + data.repeats));
}

void run_saxpy(benchmark::State& state, const std::string& method, std::size_t n) {
  const DeviceMemory<float> x(n), y(n), z(n);
  fill_saxpy<<<1024, 256>>>(x.get(), y.get(), n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemset(z.get(), 0xff, z.bytes()));
  const unsigned threads = 256;
  std::function<void()> work;
  if (method == "simple")
    work = [&] { saxpy_simple<<<divide(n, threads), threads>>>(n, 2.0f, x.get(), y.get(), z.get()); };
  else if (method == "vector")
    work = [&] { saxpy_vector<<<divide(n, 4 * threads), threads>>>(n, 2.0f, x.get(), y.get(), z.get()); };
#ifdef __CUDACC__
  cublasHandle_t handle;
  cublasCreate(&handle);
  const float a = 2.0f;
  if (method == "cublas")
    work = [&] { cublasSaxpy(handle, static_cast<int>(n), &a, x.get(), 1, z.get(), 1); };
#endif
  // cuBLAS computes y = a x + y: its y lies in z.
  if (method == "cublas") HANDLE_ERROR(cudaMemcpy(z.get(), y.get(), z.bytes(), cudaMemcpyDeviceToDevice));
  work();
  HANDLE_ERROR(cudaGetLastError());
  const DeviceMemory<unsigned> count(1);
  unsigned wrong = 0;
  HANDLE_ERROR(cudaMemset(count.get(), 0, sizeof wrong));
  count_wrong<<<1024, 256>>>(2.0f, x.get(), y.get(), z.get(), n, count.get());
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&wrong, count.get(), sizeof wrong, cudaMemcpyDeviceToHost));
  if (wrong != 0)
    state.SkipWithError("wrong result");
  else
    report(state, device_ms(work, 12 * n), 12.0 * static_cast<double>(n));
  HANDLE_ERROR(cudaGetLastError());
#ifdef __CUDACC__
  cublasDestroy(handle);
#endif
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __CUDACC__
  const std::vector<std::size_t> sizes{10'000,     100'000,    1'000'000,  2'000'000, 4'000'000,
                                       10'000'000, 20'000'000, 40'000'000, 1 << 28};
  const std::vector<std::size_t> saxpy_sizes{1'000'000, 20'000'000, 100'000'000, 1 << 28};
  const std::vector<std::string> scans{"sweep",    "blocks", "lookback", "exchange",
                                       "pipeline", "best",   "thrust",   "cub"};
  const std::vector<std::string> finders{"scan", "fused", "cub"}, saxpys{"simple", "vector", "cublas"};
#else
  const std::vector<std::size_t> sizes{10'000, 100'000}, saxpy_sizes{100'000};
  const std::vector<std::string> scans{"sweep", "blocks", "lookback", "exchange", "pipeline", "best"};
  const std::vector<std::string> finders{"scan", "fused"}, saxpys{"simple", "vector"};
#endif
  const auto add = [](const std::string& work, const std::string& method, std::size_t n, auto run) {
    benchmark::RegisterBenchmark((work + "/" + method + "/" + std::to_string(n)).c_str(),
                                 [=](benchmark::State& state) { run(state, method, n); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMicrosecond);
  };
  for (const std::size_t n : sizes) {
    for (const std::string& method : scans)
      if (method != "exchange" || n <= Scanner::exchange_limit()) add("scan", method, n, run_scan);
    for (const std::string& method : finders) add("find_repeats", method, n, run_repeats);
  }
  for (const std::size_t n : saxpy_sizes)
    for (const std::string& method : saxpys) add("saxpy", method, n, run_saxpy);

  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, 0));
  int driver = 0, runtime = 0;
  HANDLE_ERROR(cudaDriverGetVersion(&driver));
  HANDLE_ERROR(cudaRuntimeGetVersion(&runtime));
  benchmark::AddCustomContext("device", properties.name);
  benchmark::AddCustomContext("cuda_driver_api", std::to_string(driver));
  benchmark::AddCustomContext("cuda_runtime", std::to_string(runtime));
  benchmark::AddCustomContext("copy_rate_GB_per_s", std::to_string(copy_rate()));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
