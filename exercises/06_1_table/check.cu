#include "../exercise.h"

void polynomial(const int* numbers, const int* x, int* y, int n);
extern int reads_of_a_warp;

// What the reader predicts, for the device to count.
__constant__ int four_numbers[4] = {1, 2, 3, 4};
__global__ void read_entries(int* entries) { entries[threadIdx.x] = four_numbers[threadIdx.x % 4]; }

static void check_table(exercise::Check& check) {
  check.for_sizes({1, 50, 128, 129, 1000}, [&](int n) {
    for (const std::vector<int>& numbers : {std::vector<int>{1, 2, 3, 4}, {7, 0, -5, 2}}) {
      const std::vector<int> x_values = exercise::random_numbers<int>(n, 20);
      std::vector<int> expected;
      for (const int x : x_values)
        expected.push_back(numbers[0] + numbers[1] * x + numbers[2] * x * x +
                           numbers[3] * x * x * x);
      const exercise::Array<int> x("x", x_values);
      const exercise::Array<int> y("y", n);
      polynomial(numbers.data(), x.data(), y.data(), n);
      check.ran();
      check.equal(y, expected);
    }
  });

  const long long before = static_cast<long long>(exercise::Check::counted("load constant").cost);
  const exercise::Array<int> entries("entries", 32);
  read_entries<<<1, 32>>>(entries.data());
  check.ran();
  const long long counted =
      static_cast<long long>(exercise::Check::counted("load constant").cost) - before;
  check.predicted("reads_of_a_warp", reads_of_a_warp, 4,
                  "each different entry takes a read of its own, which serves all who want it",
                  counted);
}

int main(int argc, char** argv) { return exercise::run("table", argc, argv, check_table); }
