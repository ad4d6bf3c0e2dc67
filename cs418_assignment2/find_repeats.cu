// find_repeats - all i with in[i] == in[i+1], ascending, and how many there are.
//
// Stanford CS149 assignment 3, part 2. {1,2,2,1,1,1,3,5,3,3} gives {1,3,4,8}.
//
// The course's way: flag every repeat, scan the flags, and the sum before a flag is its index's place. Five
// passes over memory. The fused kernel reads the array once and keeps one bit of each number. README.md says
// why it is faster; find_repeats_kernels.cuh has the kernels, find_repeats_test.cuh the CPU reference.
//
//   find_repeats -n 1000000                 best of three runs, count on the host, as the course's program
//   prints it find_repeats -i ones --method scan      every number repeats; the course's way find_repeats -n
//   40000000 --benchmark    every method

#include "find_repeats_test.cuh"
#include "scan_test.cuh"

int main(int argc, char** argv) {
  Options options("find_repeats", "The indices of numbers that are equal to their successor.",
                  Common::seed | Common::check | Common::benchmark | Common::device);
  CourseOptions course(options, "find_repeats", RepeatFinder::limit);
  options.add_methods(find_repeats_methods(), "fused");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (course.thrust && is_emulated()) {
    std::fprintf(stderr, "find_repeats: -t needs CUB, which comes with the CUDA toolkit: gpu build only\n");
    return 77;
  }

  if (course.test == "scan")
    return run_course_test<ScanTest>(
        options, course, scan_methods(), course.thrust ? "thrust" : "best",
        [&](auto& method) { return method != "exchange" || course.n <= Scanner::exchange_limit(); });
  return run_course_test<FindRepeatsTest>(options, course, find_repeats_methods(),
                                          course.thrust ? "cub" : options.method,
                                          [](const std::string&) { return true; });
}
