#pragma once
// What scan and find_repeats have in common: the command line of the course's program cudaScan, its input,
// its output line, and what a run does with a method or with all of them.

#include <cstdio>
#include <string>
#include <vector>

#include "../common/check.h"
#include "../common/fail.h"
#include "../common/method_table.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"

struct CourseOptions {
  std::string test, input = "random";
  std::size_t n = 1'000'000;
  bool thrust = false;

  /// `tests`: what -m may be, the default first. `most`: the largest array. Called by the name of the
  /// course's program (cmake/CourseNames.cmake makes the link), a sample takes its default, too.
  CourseOptions(Options& options, const std::vector<std::string>& tests, std::size_t most) : test(tests[0]) {
    if (program_name() == "cudaScan") n = 64;
    options.add_choice("-m,--test", test, "the course's test to run", tests);
    options.add_choice("-i,--input", input, "all ones (test1 is the same), or random numbers from 0 to 9",
                       {"ones", "random", "test1"});
    options.add("-n,--arraysize", n, "numbers in the array", 0, most);
    options.add_flag("-t,--thrust", thrust, "use the library instead of our best method (gpu build only)");
  }

  template <class T>
  std::vector<T> numbers(std::uint64_t seed) const {
    std::vector<T> in(n, T{1});
    Random random(seed);
    if (input == "random")
      for (T& value : in) value = static_cast<T>(random.bits() % 10);
    return in;
  }

  /// The method that -t or --method asks for. Ends the program where it cannot take n numbers.
  template <class AnyMethod>
  const AnyMethod& chosen(const Options& options, const MethodTable<AnyMethod>& methods,
                          const std::string& library) const {
    const AnyMethod& method = methods[thrust ? library : options.method];
    if (const Refusal no = method.refusal(n)) options.fail("--method " + method.name + " " + no.why);
    return method;
  }

  /// Checks and times `chosen`, or with --benchmark every method. Returns main's exit code. `right(method)`:
  /// is its result the CPU's? `call(method)`: a call of it to be timed, for the table by `measure`. `bytes`:
  /// what has to move.
  template <class AnyMethod, class Right, class Call, class Measure>
  int run(const Options& options, const MethodTable<AnyMethod>& methods, const AnyMethod& chosen, Right right,
          Call call, Measure measure, double bytes) const {
    if (!options.check) std::printf("Array size: %zu\n", n);
    bool passed = true;
    if (options.benchmark) {
      BenchmarkTable table(test + ", n = " + std::to_string(n));
      for (const AnyMethod& method : methods) {
        if (!method.built() || method.refusal(n)) continue;
        if (!right(method)) passed = false;
        table.add(method.name, measure(call(method)), bytes);
      }
      table.print();
    } else {
      passed = right(chosen);
      // The course's line: the best of three calls, each waited for.
      if (passed && !options.check)
        std::printf("%s GPU time: %s\n", thrust ? "Thrust" : "Student",
                    time_text(measure_host(call(chosen), 3, 0).best_ms).c_str());
    }
    return verdict(test, passed);
  }
};
