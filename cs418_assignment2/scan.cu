// scan - exclusive prefix sums: out[i] = in[0] + ... + in[i-1].
//
// Stanford CS149 assignment 3, part 2; GPU Gems 3, chapter 39.
//
// The course's tree of sums reads and writes the array twenty times over, with two launches a level. Each
// step of the ladder in --help drops a part of that, down to one launch that reads every number once and
// writes it once. README.md says what each step gains and why; scan_kernels.cuh has the kernels,
// scan_test.cuh the CPU reference.
//
//   scan -n 1000000                  best method, best of three runs, as the course's program prints it
//   scan -n 1000000 --method sweep   one step of the ladder
//   scan -n 40000000 --benchmark     all of them
//   scan -m find_repeats -n 1000     the course's other test (see find_repeats)

#include "find_repeats_test.cuh"
#include "scan_test.cuh"

int main(int argc, char** argv) {
  Options options(
      "scan", "Exclusive prefix sums of whole numbers that wrap, from the course's tree of sums to one pass.",
      Common::seed | Common::check | Common::benchmark | Common::device);
  CourseOptions course(options, "scan", std::size_t{1} << 33);
  options.add_methods(scan_methods(), "best");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (course.thrust && is_emulated()) {
    std::fprintf(stderr, "scan: -t needs Thrust, which comes with the CUDA toolkit: gpu build only\n");
    return 77;
  }

  if (course.test == "find_repeats") {
    if (course.n > RepeatFinder::limit)
      options.fail("find_repeats has int indices: at most 2147483647 numbers");
    return run_course_test<FindRepeatsTest>(options, course, find_repeats_methods(),
                                            course.thrust ? "cub" : "fused",
                                            [](const std::string&) { return true; });
  }
  const auto can_take = [&](const std::string& method) {
    return method != "exchange" || course.n <= Scanner::exchange_limit();
  };
  const std::string method = course.thrust ? "thrust" : options.method;
  if (!options.benchmark && !can_take(method))
    options.fail("--method exchange keeps the whole array in registers: at most " +
                 std::to_string(Scanner::exchange_limit()) + " numbers on this device");
  return run_course_test<ScanTest>(options, course, scan_methods(), method, can_take);
}
