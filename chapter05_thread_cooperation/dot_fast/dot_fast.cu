// dot_fast - the dot product, from the book's kernel to the memory's full bandwidth.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.3.1, and later techniques. One file
// per rung, numbered in reading order; README.md lists the gain of each.
// Terms (docs/glossary.md): reduction, shared memory, barrier, occupancy,
// lane, atomics, bandwidth-bound.
//
//   ./run dot_fast                                  2^24 elements, the fastest rung
//   ./run dot_fast --method shuffles -n 1000003
//   ./run dot_fast --errors -n 1000000              how the order of the additions rounds
//   ./run dot_fast --benchmark -n 1000000           every rung, checked, then timed
//
// No window. What to see: every rung gives the same sum, in less and less time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/random.h"
#include "../../common/timing.h"
#include "methods.h"

using namespace dot_fast;

// Whole numbers from -2 to 2. Products and sums are whole and far below 2^24, up to which a float
// is exact. So the order of the additions does not matter, and every rung must give the same bits.
std::vector<float> random_vector(size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> vector(n);
  for (float& element : vector)
    element = static_cast<float>(static_cast<int>(random.bits() % 5) - 2);
  return vector;
}

// CPU reference: a loop over whole numbers.
float reference_dot(const std::vector<float>& a, const std::vector<float>& b) {
  long long sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += static_cast<long long>(a[i] * b[i]);
  return static_cast<float>(sum);
}

// The vectors on the device, and their right dot product.
struct Work {
  Work(const std::vector<float>& host_a, const std::vector<float>& host_b)
      : a(host_a.size()), b(host_b.size()), result(1) {
    HANDLE_ERROR(cudaMemcpy(a.get(), host_a.data(), a.bytes(), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(b.get(), host_b.data(), b.bytes(), cudaMemcpyHostToDevice));
    expected = reference_dot(host_a, host_b);
  }
  void run(const std::function<Dot>& dot) const { dot(a.get(), b.get(), a.size(), result.get()); }
  float sum(const std::function<Dot>& dot) const {
    float host;
    HANDLE_ERROR(cudaMemset(result.get(), 0xff, result.bytes()));  // NaN: methods must write it
    run(dot);
    HANDLE_ERROR(cudaMemcpy(&host, result.get(), sizeof host, cudaMemcpyDeviceToHost));
    return host;
  }
  bool check(const std::string& name, float sum) const {
    return check_equal(name, std::vector<float>{sum}, std::vector<float>{expected});
  }

  DeviceMemory<float> a;
  DeviceMemory<float> b;
  DeviceMemory<float> result;
  float expected;
};

// Checks and times every rung. Returns whether all are right.
bool benchmark(const Work& work) {
  BenchmarkTable table("dot product of " + std::to_string(work.a.size()) + " elements");
  bool passed = true;
  for (const DotMethod& method : methods()) {
    if (!method.built()) continue;
    const auto dot = method.make();
    if (!work.check(method.name, work.sum(dot))) {
      std::fprintf(stderr, "%s is wrong and is not timed\n", method.name.c_str());
      passed = false;
      continue;
    }
    table.add(method.name, measure_back_to_back([&] { work.run(dot); }),
              static_cast<double>(work.a.bytes() + work.b.bytes()));
  }
  table.print();
  return passed;
}

// The same with numbers from 0 to 1, where every addition rounds. Prints the distance of each rung
// from the exact sum, and whether several runs give the same sum.
void print_errors(size_t n, std::uint64_t seed) {
  std::vector<float> a(n);
  std::vector<float> b(n);
  Random random(seed);
  double exact = 0;  // nearly exact: a double has 29 bits more than a float
  float loop = 0;
  for (size_t i = 0; i < n; ++i) {
    a[i] = random.uniform();
    b[i] = random.uniform();
    exact += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    loop += a[i] * b[i];
  }

  std::printf("%-25s %-15s %-15s %s\n", "order", "smallest sum", "largest sum", "relative error");
  const auto print = [&](const char* name, float smallest, float largest) {
    const double error = std::max(std::abs(smallest - exact), std::abs(largest - exact));
    std::printf("%-25s %-15.9g %-15.9g %.1e\n", name, smallest, largest,
                exact > 0 ? error / exact : 0);
  };
  print("CPU, one after the other", loop, loop);
  const Work work(a, b);
  for (const DotMethod& method : methods()) {
    if (!method.built()) continue;
    const auto dot = method.make();
    std::vector<float> sums(10);
    for (float& sum : sums) sum = work.sum(dot);
    const auto [smallest, largest] = std::minmax_element(sums.begin(), sums.end());
    print(method.name.c_str(), *smallest, *largest);
  }
}

int main(int argc, char** argv) {
  Options options("dot_fast",
                  Common::seed | Common::always_checked | Common::benchmark | Common::device);
  size_t n = size_t{1} << 24;
  options.add("-n", n, "elements of each vector", 0, size_t{1} << 33);
  bool errors = false;
  options.add_flag("--errors", errors, "print how far each order of additions is from exact");
  options.add_methods(methods().for_options(), "vector");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  if (errors && !options.check) print_errors(n, options.seed);
  const Work work(random_vector(n, options.seed), random_vector(n, options.seed + 1));
  if (options.benchmark) return verdict(options.name(), benchmark(work));

  const float sum = work.sum(methods()[options.method].make());
  if (!options.check) std::printf("dot product of %zu elements: %.9g\n", n, sum);
  return verdict(options.name(), work.check(options.method, sum));
}
