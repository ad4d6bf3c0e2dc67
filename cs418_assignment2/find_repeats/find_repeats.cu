// find_repeats - all i with in[i] == in[i+1], ascending, and how many there are.
//
// Stanford CS149 assignment 3, part 2. {1,2,2,1,1,1,3,5,3,3} gives {1,3,4,8}. The course's method
// flags every repeat and scans the flags. The fastest kernel reads the array once and keeps one bit
// of each number. README.md lists the gain of each rung.
// Terms (docs/glossary.md): exclusive scan, compaction, lane, shared
// memory, barrier, cooperative launch.
//
//   ./run find_repeats -n 1000000                the fastest method
//   ./run find_repeats -i ones --method scan     every number repeats; the course's method
//   ./run find_repeats -n 40000000 --benchmark   every method; half a minute without a GPU
// What to see: the time of a call, and PASS if count and indices agree with the CPU's. The rungs
// are listed in methods.cu.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/timing.h"
#include "../numbers.h"
#include "methods.h"

using namespace find_repeats;

// ---- CPU reference

std::vector<int> find_repeats_cpu(std::span<const int> in) {
  std::vector<int> indices;
  for (size_t i = 0; i + 1 < in.size(); ++i)
    if (in[i] == in[i + 1]) indices.push_back(static_cast<int>(i));
  return indices;
}

// ---- the calls

struct Arrays {
  explicit Arrays(const std::vector<int>& numbers)
      : n(numbers.size()), indices(find_repeats_cpu(numbers)), in(n), out(n) {
    if (n > 0)
      HANDLE_ERROR(cudaMemcpy(in.get(), numbers.data(), in.bytes(), cudaMemcpyHostToDevice));
  }

  size_t n;
  std::vector<int> indices;  // of the CPU reference
  DeviceMemory<int> in;
  DeviceMemory<int> out;
};

// Are the method's count and indices the CPU's, and is nothing written after the last index?
bool is_right(const RepeatsMethod& method, const Arrays& arrays) {
  constexpr int untouched = -1;
  std::vector<int> expected(arrays.indices);
  expected.resize(arrays.n, untouched);
  if (arrays.n > 0) HANDLE_ERROR(cudaMemset(arrays.out.get(), untouched, arrays.out.bytes()));

  const size_t count = method.make(arrays.n)(arrays.in.get(), arrays.n, arrays.out.get());
  std::vector<int> got(arrays.n);
  if (arrays.n > 0)
    HANDLE_ERROR(
        cudaMemcpy(got.data(), arrays.out.get(), arrays.out.bytes(), cudaMemcpyDeviceToHost));

  const std::vector<size_t> got_count{count};
  const std::vector<size_t> expected_count{arrays.indices.size()};
  return check_equal(method.name + ", number of repeats", got_count, expected_count) &&
         check_equal(method.name + ", indices", got, expected);
}

// A call of the method, timed by the host's clock, because the count has to reach the host.
auto call(const RepeatsMethod& method, const Arrays& arrays) {
  return [find = method.make(arrays.n), &arrays] {
    find(arrays.in.get(), arrays.n, arrays.out.get());
  };
}

bool benchmark(const Arrays& arrays) {
  bool passed = true;
  BenchmarkTable table("find_repeats, n = " + std::to_string(arrays.n));
  // Read and written once.
  const double bytes = 4.0 * static_cast<double>(arrays.n + arrays.indices.size());
  for (const RepeatsMethod& method : methods()) {
    if (!method.built() || method.refusal(arrays.n)) continue;
    passed &= is_right(method, arrays);
    table.add(method.name, measure_host(call(method, arrays)), bytes);
  }
  table.print();
  return passed;
}

int main(int argc, char** argv) {
  Options options("find_repeats",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  Input input;
  input.add_to(options, max_with_int_indices);
  options.add_methods(methods().for_options(), "fused");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const RepeatsMethod& method = methods()[options.method];
  const Arrays arrays(input.numbers<int>(options.seed));
  if (!options.check) std::printf("Array size: %zu\n", input.n);
  if (options.benchmark) return verdict("find_repeats", benchmark(arrays));

  const bool passed = is_right(method, arrays);
  if (passed && !options.check)
    std::printf("Best of three calls: %s\n",
                time_text(measure_host(call(method, arrays), 3, 0).best_ms).c_str());
  return verdict("find_repeats", passed);
}
