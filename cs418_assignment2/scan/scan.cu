// scan - exclusive prefix sums: out[i] = in[0] + ... + in[i-1].
//
// Stanford CS149 assignment 3, part 2; GPU Gems 3, chapter 39. The course's tree of sums reads and writes the
// array twenty times, with two launches per level. Each rung of the ladder in this folder avoids a part of
// that, down to one launch that reads every number once and writes it once. README.md lists what each gains.
// Terms (docs/glossary.md): exclusive scan, lane, shared memory, barrier, look-back, cooperative launch.
//
//   ./run scan -n 1000000                  the best method, as the course's program prints it: best of 3
//   ./run scan -n 1000000 --method sweep   one rung
//   ./run scan -n 40000000 --benchmark     all of them; half a minute without a GPU
// What to see: the time of a call, and PASS if all sums agree with the CPU's. The rungs are listed in
// methods.cu.

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/device_memory.h"
#include "../course.h"
#include "methods.h"

using namespace scan;

/// The main() of ../find_repeats/find_repeats.cu (cmake/CourseNames.cmake): the course has one program for
/// both tests.
int find_repeats_main(int argc, char** argv);

// ---- CPU reference

std::vector<unsigned> exclusive_scan_cpu(std::span<const unsigned> in) {
  std::vector<unsigned> out(in.size());
  unsigned sum = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = sum;
    sum += in[i];
  }
  return out;
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).ends_with("find_repeats")) return find_repeats_main(argc, argv);
  Options options("scan", Common::seed | Common::always_checked | Common::benchmark | Common::device);
  const CourseOptions course(options, {"scan", "find_repeats"}, std::size_t{1} << 33);
  options.add_methods(methods().for_options(), "best");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const std::size_t n = course.n;
  const ScanMethod& chosen = course.chosen(options, methods(), "thrust");
  const std::vector<unsigned> numbers = course.numbers<unsigned>(options.seed),
                              sums = exclusive_scan_cpu(numbers);
  const DeviceMemory<unsigned> in(n), out(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(in.get(), numbers.data(), in.bytes(), cudaMemcpyHostToDevice));

  // Once, and then in place. The output is another value first, so that every element must be written.
  const auto right = [&](const ScanMethod& method) {
    const auto scan = method.make(n);
    std::vector<unsigned> got(n);
    for (const bool in_place : {false, true}) {
      if (n > 0 && in_place)
        HANDLE_ERROR(cudaMemcpy(out.get(), in.get(), in.bytes(), cudaMemcpyDeviceToDevice));
      if (n > 0 && !in_place) HANDLE_ERROR(cudaMemset(out.get(), 0xcc, out.bytes()));
      scan(in_place ? out.get() : in.get(), out.get(), n);
      if (n > 0) HANDLE_ERROR(cudaMemcpy(got.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
      if (!check_equal(method.name + (in_place ? ", in place" : ""), got, sums)) return false;
    }
    return true;
  };
  const auto call = [&](const ScanMethod& method) {
    return [&in, &out, n, scan = method.make(n)] { scan(in.get(), out.get(), n); };
  };
  const auto measure = [](const auto& work) { return measure_back_to_back(work); };
  return course.run(options, methods(), chosen, right, call, measure, 8.0 * static_cast<double>(n));
}
