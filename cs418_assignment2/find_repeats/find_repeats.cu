// find_repeats - all i with in[i] == in[i+1], ascending, and how many there are.
//
// Stanford CS149 assignment 3, part 2. {1,2,2,1,1,1,3,5,3,3} gives {1,3,4,8}. The course's method flags every
// repeat and scans the flags; the sum before a flag is the position of its index. This moves 24 bytes per
// number. The fused kernel reads the array once and keeps one bit of each number. README.md says why.
// Terms (docs/glossary.md): exclusive scan, compaction, lane, shared memory, barrier, cooperative launch.
//
//   ./run find_repeats -n 1000000                best of three runs, as the course's program prints it
//   ./run find_repeats -i ones --method scan     every number repeats; the course's method
//   ./run find_repeats -n 40000000 --benchmark   every method; half a minute without a GPU
// What to see: the time of a call, and PASS if count and indices agree with the CPU's. The rungs are listed
// in methods.cu.

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../course.h"
#include "methods.h"

using namespace find_repeats;

// ---- CPU reference

std::vector<int> find_repeats_cpu(std::span<const int> in) {
  std::vector<int> indices;
  for (std::size_t i = 0; i + 1 < in.size(); ++i)
    if (in[i] == in[i + 1]) indices.push_back(static_cast<int>(i));
  return indices;
}

int main(int argc, char** argv) {
  Options options("find_repeats", Common::seed | Common::always_checked | Common::benchmark | Common::device);
  const CourseOptions course(options, {"find_repeats"}, max_with_int_indices);
  options.add_methods(methods().for_options(), "fused");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const std::size_t n = course.n;
  const RepeatsMethod& chosen = course.chosen(options, methods(), "cub");
  const std::vector<int> numbers = course.numbers<int>(options.seed), indices = find_repeats_cpu(numbers);
  const DeviceMemory<int> in(n), out(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(in.get(), numbers.data(), in.bytes(), cudaMemcpyHostToDevice));

  // The output is another value first: every index must be written, and nothing behind the last.
  const auto right = [&](const RepeatsMethod& method) {
    constexpr int untouched = -1;
    std::vector<int> got(n), expected(indices);
    expected.resize(n, untouched);
    if (n > 0) HANDLE_ERROR(cudaMemset(out.get(), untouched, out.bytes()));
    const std::vector<std::size_t> count{method.make(n)(in.get(), n, out.get())}, found{indices.size()};
    if (n > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
    return check_equal(method.name + ", number of repeats", count, found) &&
           check_equal(method.name + ", indices", got, expected);
  };
  const auto call = [&](const RepeatsMethod& method) {
    return [&in, &out, n, find = method.make(n)] { find(in.get(), n, out.get()); };
  };
  // By the host's clock: the count has to reach the host.
  const auto measure = [](const auto& work) { return measure_host(work); };
  return course.run(options, methods(), chosen, right, call, measure,
                    4.0 * static_cast<double>(n + indices.size()));
}
