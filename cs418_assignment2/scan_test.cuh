#pragma once
// The course's first test: scan against the CPU. `scan` runs it, and so does `find_repeats -m scan`, because
// the course's scripts drive one program.

#include "course.cuh"
#include "scan_methods.cuh"

// CPU reference. Sums wrap, as the GPU's do: signed overflow is undefined in C++, so it counts unsigned.
inline std::vector<int> exclusive_scan_cpu(std::span<const int> in) {
  std::vector<int> out(in.size());
  unsigned sum = 0;
  for (std::size_t i = 0; i < in.size(); i++) {
    out[i] = static_cast<int>(sum);
    sum += static_cast<unsigned>(in[i]);
  }
  return out;
}

class ScanTest {
 public:
  explicit ScanTest(std::span<const int> in)
      : n_(in.size()), in_(n_), out_(n_), expected_(exclusive_scan_cpu(in)) {
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(in_.get(), in.data(), in_.bytes(), cudaMemcpyHostToDevice));
  }

  // Runs `method` twice, the second time in place, and compares. The output is filled with another value
  // first, so that every element must be written.
  bool check(const std::string& method) {
    Scanner scanner(method, n_);
    if (n_ > 0) HANDLE_ERROR(cudaMemset(out_.get(), 0xcc, out_.bytes()));
    scanner.run(in_.get(), out_.get(), n_);
    if (!compare(method)) return false;
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(out_.get(), in_.get(), in_.bytes(), cudaMemcpyDeviceToDevice));
    scanner.run(out_.get(), out_.get(), n_);
    return compare(method + ", in place");
  }

  // The course's way: the best of three calls, each waited for.
  double best_of_three_ms(const std::string& method) {
    Scanner scanner(method, n_);
    return ::best_of_three_ms([&] { scanner.run(in_.get(), out_.get(), n_); });
  }

  void benchmark(const std::string& method, BenchmarkTable& table) {
    Scanner scanner(method, n_);
    table.add(method, measure([&] { scanner.run(in_.get(), out_.get(), n_); }),
              8.0 * static_cast<double>(n_));
  }

 private:
  bool compare(const std::string& what) {
    std::vector<int> got(n_);
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out_.get(), out_.bytes(), cudaMemcpyDeviceToHost));
    return check_equal(what, got, expected_);
  }

  std::size_t n_;
  DeviceMemory<int> in_, out_;
  std::vector<int> expected_;
};

inline const std::vector<Options::Method>& scan_methods() {
  static const std::vector<Options::Method> methods{
      {"sweep", "a tree of sums, up and down, one launch a level: as the course says"},
      {"blocks", "every block scans a tile; then the tiles' sums are scanned and added"},
      {"lookback", "one launch, decoupled look-back"},
      {"exchange", "one launch, everything in registers, one exchange of sums; small arrays only"},
      {"pipeline", "one launch, blocks that stay, the next tiles already under way"},
      {"best", "exchange or pipeline, whichever is faster for n"},
      {"thrust", "thrust::exclusive_scan", true},
      {"cub", "cub::DeviceScan", true}};
  return methods;
}
