#pragma once
// What the course's two tests, scan and find_repeats, share: command line, input, output lines.

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "../common/check.h"
#include "../common/fail.h"
#include "../common/method_table.h"
#include "../common/options.h"
#include "../common/random.h"
#include "../common/timing.h"

/// Whether this program was called by the name of the course's (cmake/CourseNames.cmake makes the links). It then
/// takes the course's defaults.
inline bool called(const char* course_name) { return program_name() == course_name; }

/// -m/--test, -i/--input, -n/--arraysize and -t/--thrust, as the course's program cudaScan has them. test1 is what
/// older years of the course call ones.
struct CourseOptions {
  std::string test, input = "random";
  std::size_t n = 1'000'000;
  bool thrust = false;

  /// `own_test`: what this program runs without -m. `most`: the largest array.
  CourseOptions(Options& options, const std::string& own_test, std::size_t most) : test(own_test) {
    if (called("cudaScan")) {
      n = 64;
      test = "scan";
    }
    options.add_choice("-m,--test", test, "which of the course's tests to run", {"scan", "find_repeats"});
    options.add_choice("-i,--input", input, "all ones (test1 is the same), or random numbers from 0 to 9",
                       {"ones", "random", "test1"});
    options.add("-n,--arraysize", n, "numbers in the array", 0, most);
    options.add_flag("-t,--thrust", thrust, "the library instead of our best method (gpu build only)");
  }
};

/// The course has one program for both tests, here each has its own, in one folder: with -m and the name of
/// the other test, that program runs with the same arguments, and under the same name, in place of this one. Never
/// returns.
[[noreturn]] inline void run_in_place_of_this(const std::string& test, int argc, char** argv) {
  std::error_code error;
  std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) program = argv[0];
  std::string name = program.replace_filename(test).string();
  std::vector<char*> arguments(argv, argv + argc);
  arguments.push_back(nullptr);
  std::fflush(stdout);
  execv(name.c_str(), arguments.data());
  fail(exit_code::failed, "-m " + test + " is the program " + test + ", which is not here: build it too");
}

template <class T>
std::vector<T> course_input(const CourseOptions& course, std::uint64_t seed) {
  std::vector<T> in(course.n, T{1});
  Random random(seed);
  if (course.input == "random")
    for (T& value : in) value = static_cast<T>(random.bits() % 10);
  return in;
}

/// Checks, then times: one method the course's way (with --check it is not timed), or with --benchmark every method
/// that can take this many numbers. `library`: the method that stands for -t. Test is made from the input, numbers of
/// type Test::Number, and has check(method), call(method): one call of the method, time(call), and bytes() that a
/// call moves.
template <class Test, class AnyMethod>
int run_course_test(const Options& options, const CourseOptions& course,
                    const MethodTable<AnyMethod>& methods, const std::string& library) {
  const AnyMethod& chosen = methods[course.thrust ? library : options.method];
  if (!chosen.built()) fail(exit_code::cannot_here, "-t needs the CUDA toolkit's library: gpu build only");
  if (const Refusal no = chosen.refusal(course.n); !options.benchmark && no)
    options.fail("--method " + chosen.name + " " + no.why);

  Test test(course_input<typename Test::Number>(course, options.seed));
  if (!options.check) std::printf("Array size: %zu\n", course.n);
  bool passed = true;
  if (options.benchmark) {
    BenchmarkTable table(course.test + ", n = " + std::to_string(course.n));
    for (const AnyMethod& method : methods) {
      if (!method.built() || method.refusal(course.n)) continue;
      if (test.check(method))
        table.add(method.name, test.time(test.call(method)), test.bytes());
      else
        passed = false;
    }
    table.print();
  } else {
    passed = test.check(chosen);
    if (passed && !options.check)  // the course's way: the best of three calls, each waited for
      std::printf("%s GPU time: %.3f ms\n", course.thrust ? "Thrust" : "Student",
                  measure_host(test.call(chosen), 3, 0).best_ms);
  }
  return verdict(options.name(), passed);
}
