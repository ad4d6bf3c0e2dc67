// saxpy - z = a x + y: the bandwidth of a kernel, and what the trip over the bus costs.
//
// The first program of the assignment (Stanford CS149 assignment 3, part 1).
//
// The kernel does almost nothing but move memory; the trip (copy x and y to the device, compute, copy z back)
// takes fifty times as long, because the bus is that much slower than the device's memory. So there are two
// ladders:
// --method for the kernel, --trip for the way there and back. README.md says what each step gains and why.
//
//   saxpy                        n = 100,000,000, three runs: time and bandwidth of kernel and trip
//   saxpy -n 20000000 --method simple --trip pageable
//   saxpy --check                compares z with the CPU's
//   saxpy --benchmark            every method and every trip

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device_memory.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "saxpy_kernels.cuh"

#ifdef __CUDACC__
#include <cublas_v2.h>
#endif

// ---- parameters

constexpr float a = 2.0f;
constexpr unsigned block_size = 256;
constexpr std::size_t chunk = 2 << 20;  // elements: 8 MB an array

// ---- CPU reference

void saxpy_cpu(float factor, std::span<const float> x, std::span<const float> y, std::span<float> z) {
  for (std::size_t i = 0; i < z.size(); i++) z[i] = factor * x[i] + y[i];
}

// ---- launcher (kernels: saxpy_kernels.cuh)

class Saxpy {
 public:
  explicit Saxpy(const std::string& method) : method_(method) {
#ifdef __CUDACC__
    if (method == "cublas" && cublasCreate(&cublas_) != CUBLAS_STATUS_SUCCESS) {
      std::fprintf(stderr, "saxpy: cuBLAS could not be started\n");
      std::exit(1);
    }
#endif
  }
  ~Saxpy() {
#ifdef __CUDACC__
    if (cublas_ != nullptr) cublasDestroy(cublas_);
#endif
  }
  Saxpy(const Saxpy&) = delete;
  Saxpy& operator=(const Saxpy&) = delete;

  // cuBLAS computes y = a x + y: its y has to lie in z.
  bool in_place() const { return method_ == "cublas"; }

  void operator()(std::size_t n, const float* x, const float* y, float* z, cudaStream_t stream = 0) const {
    if (n == 0) return;
    if (method_ == "simple") {
      saxpy_simple<<<(n + block_size - 1) / block_size, block_size, 0, stream>>>(n, a, x, y, z);
      HANDLE_ERROR(cudaGetLastError());
    } else if (method_ == "vector") {
      const std::size_t per_block = 4 * block_size;
      saxpy_vector<<<(n + per_block - 1) / per_block, block_size, 0, stream>>>(n, a, x, y, z);
      HANDLE_ERROR(cudaGetLastError());
    }
#ifdef __CUDACC__
    if (method_ == "cublas") {
      cublasSetStream(cublas_, stream);
      // 32-bit counts: larger arrays in pieces.
      for (std::size_t first = 0; first < n; first += 1 << 30) {
        const int count = static_cast<int>(std::min<std::size_t>(n - first, 1 << 30));
        if (cublasSaxpy(cublas_, count, &a, x + first, 1, z + first, 1) != CUBLAS_STATUS_SUCCESS) {
          std::fprintf(stderr, "saxpy: cublasSaxpy failed\n");
          std::exit(1);
        }
      }
    }
#endif
  }

 private:
  std::string method_;
#ifdef __CUDACC__
  cublasHandle_t cublas_ = nullptr;
#endif
};

// ---- the trips

struct HostArrays {
  std::span<const float> x, y;
  std::span<float> z;
};
struct DeviceArrays {
  explicit DeviceArrays(std::size_t n) : x(n), y(n), z(n) {}
  DeviceMemory<float> x, y, z;
};

// One after the other. From pageable memory the driver copies through a buffer of its own; from page-locked
// memory the device fetches by itself.
void trip_in_order(const Saxpy& saxpy, const HostArrays& host, const DeviceArrays& device) {
  const std::size_t bytes = host.z.size_bytes();
  float* y = saxpy.in_place() ? device.z.get() : device.y.get();
  HANDLE_ERROR(cudaMemcpy(device.x.get(), host.x.data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(y, host.y.data(), bytes, cudaMemcpyHostToDevice));
  saxpy(host.z.size(), device.x.get(), y, device.z.get());
  HANDLE_ERROR(cudaMemcpy(host.z.data(), device.z.get(), bytes, cudaMemcpyDeviceToHost));
}

// In chunks on three streams: one uploads, one computes, one downloads. Events hand a chunk from one to the
// next, and both copy engines work at the same time. Needs page-locked memory.
class Overlapped {
 public:
  Overlapped() {
    for (cudaStream_t* stream : {&up_, &compute_, &down_}) HANDLE_ERROR(cudaStreamCreate(stream));
    for (cudaEvent_t* event : {&uploaded_, &computed_})
      HANDLE_ERROR(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~Overlapped() {
    for (cudaStream_t stream : {up_, compute_, down_}) cudaStreamDestroy(stream);
    for (cudaEvent_t event : {uploaded_, computed_}) cudaEventDestroy(event);
  }
  Overlapped(const Overlapped&) = delete;
  Overlapped& operator=(const Overlapped&) = delete;

  void trip(const Saxpy& saxpy, const HostArrays& host, const DeviceArrays& device) const {
    float* y = saxpy.in_place() ? device.z.get() : device.y.get();
    for (std::size_t first = 0; first < host.z.size(); first += chunk) {
      const std::size_t count = std::min(chunk, host.z.size() - first), bytes = count * sizeof(float);
      HANDLE_ERROR(
          cudaMemcpyAsync(device.x.get() + first, host.x.data() + first, bytes, cudaMemcpyHostToDevice, up_));
      HANDLE_ERROR(cudaMemcpyAsync(y + first, host.y.data() + first, bytes, cudaMemcpyHostToDevice, up_));
      HANDLE_ERROR(cudaEventRecord(uploaded_, up_));
      HANDLE_ERROR(cudaStreamWaitEvent(compute_, uploaded_, 0));
      saxpy(count, device.x.get() + first, y + first, device.z.get() + first, compute_);
      HANDLE_ERROR(cudaEventRecord(computed_, compute_));
      HANDLE_ERROR(cudaStreamWaitEvent(down_, computed_, 0));
      HANDLE_ERROR(cudaMemcpyAsync(host.z.data() + first, device.z.get() + first, bytes,
                                   cudaMemcpyDeviceToHost, down_));
    }
    HANDLE_ERROR(cudaStreamSynchronize(down_));
  }

 private:
  cudaStream_t up_, compute_, down_;
  cudaEvent_t uploaded_, computed_;
};

// The host's arrays for one kind of trip, and the trip.
class Trip {
 public:
  Trip(const std::string& kind, std::size_t n) : overlapped_(kind == "overlapped") {
    if (kind == "pageable") {
      pageable_.resize(3 * n);
    } else {
      pinned_ = PinnedMemory<float>(3 * n);
    }
    float* start = kind == "pageable" ? pageable_.data() : pinned_.get();
    x_ = {start, n};
    y_ = {start + n, n};
    z_ = {start + 2 * n, n};
    for (std::size_t i = 0; i < n; i++) x_[i] = y_[i] = static_cast<float>(i % 10);
  }
  void run(const Saxpy& saxpy, const DeviceArrays& device) {
    if (z_.empty()) return;
    const HostArrays host{x_, y_, z_};
    overlapped_ ? streams_.trip(saxpy, host, device) : trip_in_order(saxpy, host, device);
  }
  // Small whole numbers: the result must be exact. Forgets z, so that the next check sees what the next trip
  // wrote.
  bool check(const std::string& what) {
    std::vector<float> expected(z_.size());
    saxpy_cpu(a, x_, y_, expected);
    const bool right = check_equal(what, std::span<const float>(z_), std::span<const float>(expected));
    std::fill(z_.begin(), z_.end(), -1.0f);
    return right;
  }

 private:
  bool overlapped_;
  std::vector<float> pageable_;
  PinnedMemory<float> pinned_;
  std::span<float> x_, y_, z_;
  Overlapped streams_;
};

// ---- main

double gigabytes_a_second(std::size_t n, double ms) {
  return ms > 0 ? 12e-6 * static_cast<double>(n) / ms : 0;
}

bool benchmark(std::size_t n, const std::vector<std::string>& methods) {
  const DeviceArrays device(n);
  bool passed = true;
  BenchmarkTable kernels("kernel alone"), trips("whole trip (rate: bytes over the bus)");
  for (const std::string kind : {"pageable", "pinned", "overlapped"}) {
    Trip trip(kind, n);
    for (const std::string& method : methods) {
      const Saxpy saxpy(method);
      trip.run(saxpy, device);
      if (!trip.check(method + ", " + kind)) {
        passed = false;
        continue;
      }
      if (kind == "pinned")
        kernels.add(method, measure([&] { saxpy(n, device.x.get(), device.y.get(), device.z.get()); }),
                    12.0 * static_cast<double>(n));
      if (method == "vector")
        trips.add(kind, measure_host([&] { trip.run(saxpy, device); }, 7, 1), 12.0 * static_cast<double>(n));
    }
    if (kind == "pinned" && n > 0) {
      const PinnedMemory<float> both(2 * n);
      trips.add("copy of x and y alone",
                measure_host(
                    [&] {
                      HANDLE_ERROR(cudaMemcpyAsync(device.x.get(), both.get(), n * sizeof(float),
                                                   cudaMemcpyHostToDevice));
                      HANDLE_ERROR(cudaMemcpyAsync(device.y.get(), both.get() + n, n * sizeof(float),
                                                   cudaMemcpyHostToDevice));
                    },
                    7, 1),
                8.0 * static_cast<double>(n));
    }
  }
  kernels.print();
  trips.print();
  return passed;
}

int main(int argc, char** argv) {
  Options options("saxpy", "z = a x + y: the bandwidth of the kernel and of the whole trip.",
                  Common::check | Common::benchmark | Common::device);
  std::size_t n = 100'000'000;
  std::string kind = "overlapped";
  options.add("-n,--arraysize", n, "elements", 0, std::size_t{1} << 33);
  options.add_choice("--trip", kind,
                     "how the arrays travel: pageable memory, page-locked memory, chunks on streams",
                     {"pageable", "pinned", "overlapped"});
  options.add_methods({{"simple", "one element a thread"},
                       {"vector", "four elements a thread, 16 bytes an access"},
                       {"cublas", "cublasSaxpy, in place", true}},
                      "vector");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (options.benchmark) {
#ifdef __CUDACC__
    return verdict("saxpy", benchmark(n, {"simple", "vector", "cublas"}));
#else
    return verdict("saxpy", benchmark(n, {"simple", "vector"}));
#endif
  }

  const Saxpy saxpy(options.method);
  const DeviceArrays device(n);
  Trip trip(kind, n);
  bool passed = true;
  for (int run = 0; run < 3; run++) {
    const auto start = std::chrono::steady_clock::now();
    trip.run(saxpy, device);
    const double trip_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    EventTimer timer;
    timer.start();
    // x and y still lie on the device.
    saxpy(n, device.x.get(), device.y.get(), device.z.get());
    const double kernel_ms = timer.stop();
    std::printf("Kernel: %.3f ms [%.3f GB/s]   Overall: %.3f ms [%.3f GB/s]\n", kernel_ms,
                gigabytes_a_second(n, kernel_ms), trip_ms, gigabytes_a_second(n, trip_ms));
    if (!trip.check(options.method + ", " + kind)) passed = false;
  }
  return verdict("saxpy", passed);
}
