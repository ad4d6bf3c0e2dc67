#include "../exercise.h"

int find_repeats(int* input, int length, int* output);

static void check_find_repeats(exercise::Check& check) {
  check.for_sizes({1, 2, 3, 10, 64, 1000, 1024, 1025, 100000}, [&](int n) {
    const std::vector<int> values =
        check.input == "ones" ? std::vector<int>(n, 1) : exercise::random_numbers<int>(n, 10);
    std::vector<int> expected;
    for (int i = 0; i + 1 < n; ++i)
      if (values[i] == values[i + 1]) expected.push_back(i);
    const exercise::Array<int> input("input", values, exercise::next_power_of_two(n));
    const exercise::Array<int> output("output", exercise::next_power_of_two(n));
    const int count = find_repeats(input.data(), n, output.data());
    check.ran();
    check.equal(output, expected);
    check.equal("what it returns", count, static_cast<int>(expected.size()));
    check.time([&] { find_repeats(input.data(), n, output.data()); });
  });
}

int main(int argc, char** argv) {
  return exercise::run("find_repeats", argc, argv, check_find_repeats);
}
