// scan - exclusive prefix sums: out[i] = in[0] + ... + in[i-1].
//
// Stanford CS149 assignment 3, part 2; GPU Gems 3, chapter 39. The course's tree of sums reads and writes the
// array twenty times over, with two launches per level. Each rung of the ladder in this folder drops a part
// of that, down to one launch that reads every number once and writes it once. README.md says what each
// gains.
// Terms (docs/glossary.md): exclusive scan, lane, shared memory, barrier, look-back, cooperative launch.
//
//   ./run scan -n 1000000                  the best method, as the course's program prints it: best of 3
//   ./run scan -n 1000000 --method sweep   one rung
//   ./run scan -n 40000000 --benchmark     all of them; about a minute without a GPU
//
// You see the time of a call, and PASS when all sums are those of the CPU.

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "../../common/book.h"
#include "../../common/device_memory.h"
#include "../course.h"
#include "methods.h"

constexpr std::size_t most_numbers = std::size_t{1} << 33;

// ---- kernels and their launches: 1_sweep.cuh to 5_pipeline.cuh, listed in methods.cu

// ---- CPU reference

std::vector<unsigned> exclusive_scan_cpu(std::span<const unsigned> in) {
  std::vector<unsigned> out(in.size());
  unsigned sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = sum;
    sum += in[i];
  }
  return out;
}

// ---- the course's test

class ScanTest {
 public:
  using Number = unsigned;  // the sums wrap
  explicit ScanTest(std::span<const unsigned> in)
      : n_(in.size()), in_(n_), out_(n_), expected_(exclusive_scan_cpu(in)) {
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(in_.get(), in.data(), in_.bytes(), cudaMemcpyHostToDevice));
  }

  // Runs `method` twice, the second time in place, and compares. The output is filled with another value
  // first, so that every element must be written.
  bool check(const ScanMethod& method) {
    const auto scan = method.make(n_);
    if (n_ > 0) HANDLE_ERROR(cudaMemset(out_.get(), 0xcc, out_.bytes()));
    scan(in_.get(), out_.get(), n_);
    if (!compare(method.name)) return false;
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(out_.get(), in_.get(), in_.bytes(), cudaMemcpyDeviceToDevice));
    scan(out_.get(), out_.get(), n_);
    return compare(method.name + ", in place");
  }

  std::function<void()> call(const ScanMethod& method) {
    return [this, scan = method.make(n_)] { scan(in_.get(), out_.get(), n_); };
  }
  static Timing time(const std::function<void()>& call) { return measure_back_to_back(call); }
  double bytes() const { return 8.0 * static_cast<double>(n_); }

 private:
  bool compare(const std::string& what) {
    std::vector<unsigned> got(n_);
    if (n_ > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out_.get(), out_.bytes(), cudaMemcpyDeviceToHost));
    return check_equal(what, got, expected_);
  }

  std::size_t n_;
  DeviceMemory<unsigned> in_, out_;
  std::vector<unsigned> expected_;
};

int main(int argc, char** argv) {
  Options options(
      "scan", "Exclusive prefix sums of whole numbers that wrap, from the course's tree of sums to one pass.",
      Common::seed | Common::always_checked | Common::benchmark | Common::device);
  CourseOptions course(options, "scan", most_numbers);
  options.add_methods(scan_methods().for_options(), "best");
  options.parse(argc, argv);
  if (course.test != "scan") run_in_place_of_this(course.test, argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  return run_course_test<ScanTest>(options, course, scan_methods(), "thrust");
}
