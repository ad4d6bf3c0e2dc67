// cudaScan - the course's program for scan and find_repeats, with its command line and output.
//
// Stanford CS149 assignment 3, part 2. The course's own scripts can drive it. The work is done by
// the ladders in ../scan and ../find_repeats.
//
//   ./run cudaScan -m scan -i random -n 1000000
//   ./run cudaScan -m find_repeats -n 1000000 --method blocks
//
// What to see: the time of the best of three calls, and PASS if the result is the CPU's.
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../../common/options.h"
#include "../../common/random.h"
#include "../../common/timing.h"
#include "../find_repeats/methods.h"
#include "../scan/methods.h"

// The milliseconds of the best of three calls, each waited for.
template <class Call>
double best_of_three(Call call) {
  return measure_host(call, 3, 0).best_ms;
}

// Returns whether the sums are right; ms becomes the time of a call.
bool test_scan(const std::vector<unsigned>& numbers, const std::string& method, double& ms) {
  const size_t n = numbers.size();
  const auto scan = scan::methods()[method].make(n);
  const DeviceMemory<unsigned> in(n);
  const DeviceMemory<unsigned> out(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(in.get(), numbers.data(), in.bytes(), cudaMemcpyHostToDevice));

  ms = best_of_three([&] { scan(in.get(), out.get(), n); });

  std::vector<unsigned> got(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
  std::vector<unsigned> expected(n);
  for (size_t i = 1; i < n; ++i) expected[i] = expected[i - 1] + numbers[i - 1];
  return check_equal("scan", got, expected);
}

// Returns whether the indices are right; ms becomes the time of a call.
bool test_find_repeats(const std::vector<int>& numbers, const std::string& method, double& ms) {
  const size_t n = numbers.size();
  const auto find = find_repeats::methods()[method].make(n);
  const DeviceMemory<int> in(n);
  const DeviceMemory<int> out(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(in.get(), numbers.data(), in.bytes(), cudaMemcpyHostToDevice));

  size_t count = 0;
  ms = best_of_three([&] { count = find(in.get(), n, out.get()); });

  std::vector<int> got(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
  got.resize(count);
  std::vector<int> expected;
  for (size_t i = 0; i + 1 < n; ++i)
    if (numbers[i] == numbers[i + 1]) expected.push_back(static_cast<int>(i));
  return check_equal("find_repeats", got, expected);
}

int main(int argc, char** argv) {
  Options options("cudaScan", Common::nothing);
  std::string test = "scan";
  std::string input = "random";
  std::string method;
  size_t n = 64;
  bool thrust = false;
  options.add_choice("-m,--test", test, "what to compute", {"scan", "find_repeats"});
  options.add_choice("-i,--input", input,
                     "all ones (test1 is the same), or random numbers from 0 to 9",
                     {"ones", "random", "test1"});
  options.add("-n,--arraysize", n, "numbers in the array", 0, size_t{1} << 33);
  options.add_flag("-t,--thrust", thrust,
                   "use the library instead of our best method (gpu build only)");
  options.add("--method", method, "a rung of the ladder instead of the best one");
  options.parse(argc, argv);
  if (test == "find_repeats" && n > find_repeats::max_with_int_indices)
    options.fail("-n " + std::to_string(n) +
                 " is more than find_repeats takes: its indices are ints");

  std::vector<int> numbers(n, 1);
  Random random(1);
  if (input == "random")
    for (int& number : numbers) number = static_cast<int>(random.bits() % 10);

  std::printf("Array size: %zu\n", n);
  bool passed = false;
  double ms = 0;
  if (test == "scan") {
    if (method.empty()) method = thrust ? "thrust" : "best";
    passed = test_scan({numbers.begin(), numbers.end()}, method, ms);
  } else {
    if (method.empty()) method = thrust ? "cub" : "fused";
    passed = test_find_repeats(numbers, method, ms);
  }
  if (passed)
    std::printf("%s GPU time: %s\n", thrust ? "Thrust" : "Student", time_text(ms).c_str());
  return verdict(test, passed);
}
