// find_repeats - all i with in[i] == in[i+1], ascending, and how many there are.
//
// Stanford CS149 assignment 3, part 2. {1,2,2,1,1,1,3,5,3,3} gives {1,3,4,8}. The course's way: flag every
// repeat, scan the flags, and the sum before a flag is the place of its index. Five passes over memory. The
// fused kernel reads the array once and keeps one bit of each number. README.md says why that is faster.
// Terms (docs/glossary.md): exclusive scan, compaction, lane, shared memory, barrier, cooperative launch.
//
//   ./run find_repeats -n 1000000                best of three runs, as the course's program prints it
//   ./run find_repeats -i ones --method scan     every number repeats; the course's way
//   ./run find_repeats -n 40000000 --benchmark   every method; a minute or more without a GPU
//
// You see the time of a call, and PASS when count and indices are those of the CPU.

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../course.h"
#include "methods.h"

// ---- kernels and their launches: 1_scan.cuh and 2_fused.cuh, listed in methods.cu

// ---- CPU reference

std::vector<int> find_repeats_cpu(std::span<const int> in) {
  std::vector<int> indices;
  for (std::size_t i = 0; i + 1 < in.size(); ++i)
    if (in[i] == in[i + 1]) indices.push_back(static_cast<int>(i));
  return indices;
}

// ---- the course's test

class FindRepeatsTest {
 public:
  using Number = int;
  explicit FindRepeatsTest(std::span<const int> in)
      : n_(in.size()), in_(n_), out_(n_), expected_(find_repeats_cpu(in)) {
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(in_.get(), in.data(), in_.bytes(), cudaMemcpyHostToDevice));
  }

  // Runs `method` once and compares. The output is filled with another value first, so that every index must
  // be written, and nothing may be written behind the last.
  bool check(const RepeatsMethod& method) {
    constexpr int untouched = -1;
    const auto find = method.make(n_);
    if (n_ > 0) HANDLE_ERROR(cudaMemset(out_.get(), untouched, out_.bytes()));
    const std::size_t count = find(in_.get(), n_, out_.get(), n_);
    std::vector<int> got(n_), expected(expected_);
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out_.get(), out_.bytes(), cudaMemcpyDeviceToHost));
    expected.resize(n_, untouched);
    const std::vector<std::size_t> counts{count}, expected_counts{expected_.size()};
    return check_equal(method.name + ", number of repeats", counts, expected_counts) &&
           check_equal(method.name + ", indices", got, expected);
  }

  std::function<void()> call(const RepeatsMethod& method) {
    return [this, find = method.make(n_)] { find(in_.get(), n_, out_.get(), n_); };
  }
  // By the host's clock: the count has to reach the host.
  static Timing time(const std::function<void()>& call) { return measure_host(call); }
  double bytes() const { return 4.0 * static_cast<double>(n_ + expected_.size()); }

 private:
  std::size_t n_;
  DeviceMemory<int> in_, out_;
  std::vector<int> expected_;
};

int main(int argc, char** argv) {
  Options options("find_repeats", "The indices of numbers that are equal to their successor.",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  CourseOptions course(options, "find_repeats", most_with_int_indices);
  options.add_methods(find_repeats_methods().for_options(), "fused");
  options.parse(argc, argv);
  if (course.test != "find_repeats") run_in_place_of_this(course.test, argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  return run_course_test<FindRepeatsTest>(options, course, find_repeats_methods(), "cub");
}
