#include "../exercise.h"

void sum_neighbors(const int* in, int* out, int n);
extern int elements_per_block;

static void check_halo(exercise::Check& check) {
  check.for_sizes({1, 2, 127, 128, 129, 131, 1000, 100003}, [&](int n) {
    const std::vector<int> values = exercise::random_numbers<int>(n, 1000);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i)
      for (int j = std::max(i - 3, 0); j <= std::min(i + 3, n - 1); ++j) expected[i] += values[j];
    const exercise::Array<int> in("in", values);
    const exercise::Array<int> out("out", n);
    sum_neighbors(in.data(), out.data(), n);
    check.ran();
    check.equal(out, expected);
  });

  // A warp loads its own elements, and a few warps those at the sides: less than two for a result.
  const exercise::Counts loads = exercise::Check::counted("load global");
  const exercise::Counts stores = exercise::Check::counted("store global");
  if (loads.requests > 3 * stores.requests)
    check.fail("each element is read more than once from `in`: let the threads share a tile",
               "hint");

  check.predicted("elements_per_block", elements_per_block, 128 + 2 * 3,
                  "neighboring results share their elements, except for those at the two sides");
}

int main(int argc, char** argv) { return exercise::run("halo", argc, argv, check_halo); }
