#pragma once
// The course's second test: find_repeats against the CPU. `find_repeats` runs it, and so does `scan -m
// find_repeats`, because the course's scripts drive one program.

#include "course.cuh"
#include "find_repeats_methods.cuh"

// CPU reference.
inline std::vector<int> find_repeats_cpu(std::span<const int> in) {
  std::vector<int> indices;
  for (std::size_t i = 0; i + 1 < in.size(); i++)
    if (in[i] == in[i + 1]) indices.push_back(static_cast<int>(i));
  return indices;
}

class FindRepeatsTest {
 public:
  explicit FindRepeatsTest(std::span<const int> in)
      : n_(in.size()), in_(n_), out_(n_), expected_(find_repeats_cpu(in)) {
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(in_.get(), in.data(), in_.bytes(), cudaMemcpyHostToDevice));
  }

  // Runs `method` once and compares. The output is filled with another value first, so that every index must
  // be written, and nothing may be written behind the last.
  bool check(const std::string& method) {
    constexpr int untouched = -1;
    RepeatFinder finder(method, n_);
    if (n_ > 0) HANDLE_ERROR(cudaMemset(out_.get(), untouched, out_.bytes()));
    const std::size_t count = finder.run(in_.get(), n_, out_.get(), n_);
    std::vector<int> got(n_), expected(expected_);
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out_.get(), out_.bytes(), cudaMemcpyDeviceToHost));
    expected.resize(n_, untouched);
    const std::vector<std::size_t> counts{count}, expected_counts{expected_.size()};
    return check_equal(method + ", number of repeats", counts, expected_counts) &&
           check_equal(method + ", indices", got, expected);
  }

  // The course's way: the best of three calls, each waited for.
  double best_of_three_ms(const std::string& method) {
    RepeatFinder finder(method, n_);
    return ::best_of_three_ms([&] { finder.run(in_.get(), n_, out_.get(), n_); });
  }

  void benchmark(const std::string& method, BenchmarkTable& table) {
    RepeatFinder finder(method, n_);
    table.add(method, measure_host([&] { finder.run(in_.get(), n_, out_.get(), n_); }),
              4.0 * static_cast<double>(n_ + expected_.size()));
  }

 private:
  std::size_t n_;
  DeviceMemory<int> in_, out_;
  std::vector<int> expected_;
};

inline const std::vector<Options::Method>& find_repeats_methods() {
  static const std::vector<Options::Method> methods{
      {"scan", "flags, their exclusive scan, scatter: as the course says"},
      {"fused", "one launch: flags as bits in registers, one exchange a round, indices written in order"},
      {"cub", "cub::DeviceSelect", true}};
  return methods;
}
