// scan - exclusive prefix sums: out[i] = in[0] + ... + in[i-1].
//
// Stanford CS149 assignment 3, part 2; GPU Gems 3, chapter 39. The course's tree of sums goes
// through the array once per level. Each rung of the ladder in this folder avoids a part of that,
// down to one launch that reads every number once and writes it once. README.md lists the gain of
// each.
// Terms (docs/glossary.md): exclusive scan, lane, shared memory, barrier,
// look-back, cooperative launch.
//
//   ./run scan -n 1000000                  the best method
//   ./run scan -n 1000000 --method sweep   one rung
//   ./run scan -n 40000000 --benchmark     all of them; half a minute without a GPU
// What to see: the time of a call, and PASS if all sums agree with the CPU's. The
// rungs are listed in methods.cu.

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

using namespace scan;

// ---- CPU reference

std::vector<unsigned> exclusive_scan_cpu(std::span<const unsigned> in) {
  std::vector<unsigned> out(in.size());
  unsigned sum = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    out[i] = sum;
    sum += in[i];
  }
  return out;
}

// ---- the calls

struct Arrays {
  explicit Arrays(const std::vector<unsigned>& numbers)
      : n(numbers.size()), sums(exclusive_scan_cpu(numbers)), in(n), out(n) {
    HANDLE_ERROR(cudaMemcpy(in.get(), numbers.data(), in.bytes(), cudaMemcpyHostToDevice));
  }

  size_t n;
  std::vector<unsigned> sums;  // of the CPU reference
  DeviceMemory<unsigned> in;
  DeviceMemory<unsigned> out;
};

// Are the method's sums the CPU's, from `in` to `out` and in place?
bool is_right(const ScanMethod& method, const Arrays& arrays) {
  const auto scan = method.make(arrays.n);
  const size_t bytes = arrays.out.bytes();
  unsigned* const out = arrays.out.get();
  std::vector<unsigned> got(arrays.n);

  HANDLE_ERROR(cudaMemset(out, 0xcc, bytes));  // so every element must be written
  scan(arrays.in.get(), out, arrays.n);
  HANDLE_ERROR(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
  if (!check_equal(method.name, got, arrays.sums)) return false;

  HANDLE_ERROR(cudaMemcpy(out, arrays.in.get(), bytes, cudaMemcpyDeviceToDevice));
  scan(out, out, arrays.n);
  HANDLE_ERROR(cudaMemcpy(got.data(), out, bytes, cudaMemcpyDeviceToHost));
  return check_equal(method.name + ", in place", got, arrays.sums);
}

// A call of the method for timing.
auto call(const ScanMethod& method, const Arrays& arrays) {
  return [scan = method.make(arrays.n), &arrays] {
    scan(arrays.in.get(), arrays.out.get(), arrays.n);
  };
}

bool benchmark(const Arrays& arrays) {
  bool passed = true;
  BenchmarkTable table("scan, n = " + std::to_string(arrays.n));
  for (const ScanMethod& method : methods()) {
    if (!method.built() || method.refusal(arrays.n)) continue;
    passed &= is_right(method, arrays);
    // Each number read once, each sum written once.
    const double bytes = 8.0 * static_cast<double>(arrays.n);
    table.add(method.name, measure_back_to_back(call(method, arrays)), bytes);
  }
  table.print();
  return passed;
}

int main(int argc, char** argv) {
  Options options("scan",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  Input input;
  input.add_to(options, size_t{1} << 33);
  options.add_methods(methods().for_options(), "best");
  options.parse(argc, argv);
  const ScanMethod& method = methods()[options.method];
  if (const Refusal refusal = method.refusal(input.n))
    options.fail("--method " + method.name + " " + refusal.why);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const Arrays arrays(input.numbers<unsigned>(options.seed));
  if (!options.check) std::printf("Array size: %zu\n", input.n);
  if (options.benchmark) return verdict("scan", benchmark(arrays));

  const bool passed = is_right(method, arrays);
  if (passed && !options.check)
    std::printf("Best of three calls: %s\n",
                time_text(measure_host(call(method, arrays), 3, 0).best_ms).c_str());
  return verdict("scan", passed);
}
