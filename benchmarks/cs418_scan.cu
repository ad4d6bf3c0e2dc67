// Times saxpy, scan and find_repeats beside cuBLAS, CUB and Thrust (Google Benchmark, manual time).
//
//   build/gpu/benchmarks/cs418_scan_benchmark --benchmark_out=FILE.json --benchmark_out_format=json
//   build/gpu/benchmarks/cs418_scan_benchmark --benchmark_filter=scan/best
//   build/gpu/benchmarks/cs418_scan_benchmark --shapes
//
// Names: WORK/METHOD/n, for every method in the ladders' tables. The time is the median of nine rounds. saxpy
// and scan: CUDA events around back-to-back calls, so many that a round takes a millisecond. find_repeats:
// the host's clock around a call, because the count has to reach the host. Counters: GB_per_s, and
// copy_percent, the share of what a device-to-device copy reaches in the same run. Every result is checked
// before it is timed. --shapes times every shape of tile that exchange, pipeline and fused may choose instead
// (cs418_scan_fit.py).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../common/book.h"
#include "../common/device_memory.h"
#include "../common/timing.h"
#include "../cs418_assignment2/find_repeats/methods.h"
#include "../cs418_assignment2/saxpy/methods.h"
#include "../cs418_assignment2/scan/methods.h"
#include "../cs418_assignment2/shapes.h"
#include "context.h"

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

// Milliseconds per call on the device, back to back.
double device_ms(const std::function<void()>& work) { return measure_back_to_back(work, rounds).median_ms; }

// Milliseconds of a call by the host's clock. Unlike measure_host() it does not synchronize: find_repeats
// returns when its count is there, and how it waits for that is part of the work.
double host_ms(const std::function<void()>& work) {
  for (int warm_up = 0; warm_up < 3; ++warm_up) work();
  HANDLE_ERROR(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int round = 0; round < 2 * rounds + 1; ++round) {
    const HostTimer timer;
    work();
    times.push_back(timer.ms());
  }
  return summary(std::move(times)).median_ms;
}

void report(benchmark::State& state, double ms, double bytes) {
  for (auto _ : state) state.SetIterationTime(ms * 1e-3);
  state.counters["GB_per_s"] = bytes / ms * 1e-6;
  state.counters["copy_percent"] = 100 * bytes / ms * 1e-6 / copy_rate();
}

// The input of one size, and what a plain rung makes of it, kept until another size's turn.
struct Data {
  explicit Data(std::size_t count) : n(count), in(n), out(n), sums(n), indices(n) {
    fill_digits<<<1024, 256>>>(in.get(), n);
    HANDLE_ERROR(cudaGetLastError());
    scan_methods()["blocks"].make(n)(as_unsigned(in), as_unsigned(sums), n);
    repeats = find_repeats_methods()["scan"].make(n)(in.get(), n, indices.get(), n);
  }
  static unsigned* as_unsigned(const DeviceMemory<int>& numbers) {
    return reinterpret_cast<unsigned*>(numbers.get());
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

void run_scan(benchmark::State& state, const std::function<Scan>& scan, std::size_t n) {
  const Data& data = data_of(n);
  const auto work = [&] { scan(Data::as_unsigned(data.in), Data::as_unsigned(data.out), n); };
  HANDLE_ERROR(cudaMemset(data.out.get(), 0xcc, data.out.bytes()));
  work();
  if (!equal(data.out.get(), data.sums.get(), n)) return state.SkipWithError("wrong result");
  const double bytes = 8.0 * static_cast<double>(n);
  report(state, device_ms(work), bytes);
}

void run_repeats(benchmark::State& state, const std::function<FindRepeats>& find, std::size_t n) {
  const Data& data = data_of(n);
  const auto work = [&] { return find(data.in.get(), n, data.out.get(), n); };
  HANDLE_ERROR(cudaMemset(data.out.get(), 0xcc, data.out.bytes()));
  if (work() != data.repeats || !equal(data.out.get(), data.indices.get(), data.repeats))
    return state.SkipWithError("wrong result");
  report(state, host_ms(work), 4.0 * static_cast<double>(n + data.repeats));
}

void run_saxpy(benchmark::State& state, const SaxpyMethod& method, std::size_t n) {
  const DeviceMemory<float> x(n), y(n), z(n);
  fill_saxpy<<<1024, 256>>>(x.get(), y.get(), n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemset(z.get(), 0xff, z.bytes()));
  if (method.in_place) HANDLE_ERROR(cudaMemcpy(z.get(), y.get(), z.bytes(), cudaMemcpyDeviceToDevice));
  const float a = 2.0f, *y_or_z = method.in_place ? z.get() : y.get();
  const auto work = [&, saxpy = method.make(n)] { saxpy(n, a, x.get(), y_or_z, z.get(), nullptr); };
  work();
  const DeviceMemory<unsigned> count(1);
  unsigned wrong = 0;
  HANDLE_ERROR(cudaMemset(count.get(), 0, sizeof wrong));
  count_wrong<<<1024, 256>>>(a, x.get(), y.get(), z.get(), n, count.get());
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&wrong, count.get(), sizeof wrong, cudaMemcpyDeviceToHost));
  if (wrong != 0) return state.SkipWithError("wrong result");
  const double bytes = 12.0 * static_cast<double>(n);
  report(state, device_ms(work), bytes);
}

template <class Run>
void add(const std::string& work, const std::string& method, std::size_t n, Run run) {
  benchmark::RegisterBenchmark((work + "/" + method + "/" + std::to_string(n)).c_str(), run)
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

// Every method of every ladder at every size that it takes.
void add_methods(const std::vector<std::size_t>& sizes, const std::vector<std::size_t>& saxpy_sizes) {
  for (const std::size_t n : sizes) {
    for (const ScanMethod& method : scan_methods())
      if (method.built() && !method.refusal(n))
        add("scan", method.name, n,
            [&method, n](benchmark::State& state) { run_scan(state, method.make(n), n); });
    for (const RepeatsMethod& method : find_repeats_methods())
      if (method.built() && !method.refusal(n))
        add("find_repeats", method.name, n,
            [&method, n](benchmark::State& state) { run_repeats(state, method.make(n), n); });
  }
  for (const std::size_t n : saxpy_sizes)
    for (const SaxpyMethod& method : saxpy_methods())
      if (method.built() && !method.refusal(n))
        add("saxpy", method.name, n, [&method, n](benchmark::State& state) { run_saxpy(state, method, n); });
}

// --shapes: the experiment behind the constants of exchange, pipeline and fused. Names: WORK_METHOD/SHAPE/n.
void add_shapes(const std::vector<std::size_t>& sizes) {
  const auto name = [](TileShape shape) {
    return std::to_string(shape.pieces) + "x" + std::to_string(shape.warps);
  };
  for (const std::size_t n : sizes) {
    for (const ShapedRung<ShapedScan>& rung : shaped_scans())
      for (const TileShape& shape : rung.shapes)
        if (n <= rung.most(shape))
          add("scan_" + rung.name, name(shape), n, [=, &rung](benchmark::State& state) {
            const auto work = [&, scan = rung.make(n)](auto... arguments) { scan(arguments..., shape); };
            run_scan(state, work, n);
          });
    const ShapedRung<ShapedRepeats>& rung = shaped_repeats();
    for (const TileShape& shape : rung.shapes)
      add("find_repeats_" + rung.name, name(shape), n, [=, &rung](benchmark::State& state) {
        const auto work = [&, find = rung.make(n)](auto... arguments) { return find(arguments..., shape); };
        run_repeats(state, work, n);
      });
  }
}

}  // namespace

int main(int argc, char** argv) {
  say_whose_times(stderr);
#ifdef EMULATED_DEVICE
  const std::vector<std::size_t> sizes{10'000, 100'000}, saxpy_sizes{100'000};
#else
  const std::vector<std::size_t> sizes{10'000,     100'000,    1'000'000,  2'000'000, 4'000'000,
                                       10'000'000, 20'000'000, 40'000'000, 1 << 28};
  const std::vector<std::size_t> saxpy_sizes{1'000'000, 20'000'000, 100'000'000, 1 << 28};
#endif
  char** const shapes = std::find(argv, argv + argc, std::string_view("--shapes"));
  if (shapes != argv + argc) {
    std::move(shapes + 1, argv + argc, shapes);
    --argc;
    add_shapes(sizes);
  } else {
    add_methods(sizes, saxpy_sizes);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_device_context();
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
