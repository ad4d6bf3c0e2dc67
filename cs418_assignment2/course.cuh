#pragma once
// What the course's two tests, scan and find_repeats, share: command line, input, output lines.

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"

// -m/--test, -i/--input, -n/--arraysize and -t/--thrust, as the course's program has them.
struct CourseOptions {
  std::string test, input = "random";
  std::size_t n = 1'000'000;
  bool thrust = false;

  // `test`: what this program runs without -m.
  CourseOptions(Options& options, const std::string& default_test, std::size_t most) : test(default_test) {
    options.add_choice("-m,--test", test, "which of the course's tests to run", {"scan", "find_repeats"});
    options.add_choice("-i,--input", input, "all ones, or random numbers from 0 to 9", {"ones", "random"});
    options.add("-n,--arraysize", n, "numbers in the array", 0, most);
    options.add_flag("-t,--thrust", thrust, "the library instead of our best method (gpu build only)");
  }
};

inline std::vector<int> course_input(const CourseOptions& course, std::uint64_t seed) {
  std::vector<int> in(course.n, 1);
  Random random(seed);
  if (course.input == "random")
    for (int& value : in) value = static_cast<int>(random.bits() % 10);
  return in;
}

inline double best_of_three_ms(const std::function<void()>& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 3; run++) {
    const auto start = std::chrono::steady_clock::now();
    work();
    HANDLE_ERROR(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

inline bool is_emulated() {
#ifdef __CUDACC__
  return false;
#else
  return true;
#endif
}

// Checks, then times: one method the course's way, or with --benchmark every method that can take this many
// numbers. Test: ScanTest or FindRepeatsTest.
template <class Test>
int run_course_test(const Options& options, const CourseOptions& course,
                    const std::vector<Options::Method>& methods, const std::string& chosen,
                    const std::function<bool(const std::string&)>& can_take) {
  Test test(course_input(course, options.seed));
  std::printf("Array size: %zu\n", course.n);
  bool passed = true;
  if (options.benchmark) {
    BenchmarkTable table(course.test + ", n = " + std::to_string(course.n));
    for (const Options::Method& method : methods) {
      if ((method.gpu_only && is_emulated()) || !can_take(method.name)) continue;
      if (test.check(method.name))
        test.benchmark(method.name, table);
      else
        passed = false;
    }
    table.print();
  } else {
    passed = test.check(chosen);
    if (passed)
      std::printf("%s GPU time: %.3f ms\n", course.thrust ? "Thrust" : "Student",
                  test.best_of_three_ms(chosen));
  }
  return verdict(options.name(), passed);
}
