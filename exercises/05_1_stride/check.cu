#include "../exercise.h"

void sum_per_thread(const int* data, int n, int* sums, int blocks, int threads_per_block);
extern int elements_of_first_thread;

static void check_stride(exercise::Check& check) {
  check.for_sizes({1, 50, 1024, 1025, 5000, 100003}, [&](int n) {
    for (const auto& [blocks, threads] : {std::pair(8, 128), std::pair(1, 32), std::pair(3, 100)}) {
      check.begin("n = " + std::to_string(n) + ", " + std::to_string(blocks) + " blocks of " +
                      std::to_string(threads) + " threads",
                  "-n " + std::to_string(n));
      const std::vector<int> values = exercise::random_numbers<int>(n, 1000);
      std::vector<int> expected(blocks * threads);
      for (int i = 0; i < n; ++i) expected[i % expected.size()] += values[i];
      const exercise::Array<int> data("data", values);
      const exercise::Array<int> sums("sums", expected.size());
      sum_per_thread(data.data(), n, sums.data(), blocks, threads);
      check.ran();
      check.equal(sums, expected);
      const exercise::Launched launched = exercise::Check::launched();
      if (launched.threads > 0 && (launched.blocks != static_cast<unsigned>(blocks) ||
                                   launched.threads != static_cast<unsigned>(threads)))
        check.fail("the launch has " + std::to_string(launched.blocks) + " blocks of " +
                       std::to_string(launched.threads) + " threads",
                   "hint");
    }
  });

  check.predicted("elements_of_first_thread", elements_of_first_thread, 5,
                  "the thread begins at element 0, and its elements are a whole grid apart");
}

int main(int argc, char** argv) { return exercise::run("stride", argc, argv, check_stride); }
