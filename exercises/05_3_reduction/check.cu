#include "../exercise.h"

int reduce(const int* input, int n);

static void check_reduction(exercise::Check& check) {
  check.for_sizes({1, 2, 31, 255, 256, 257, 1000, 100003}, [&](int n) {
    const std::vector<int> values = exercise::random_numbers<int>(n, 100);
    int expected = 0;
    for (const int value : values) expected += value;
    // With room: adding the numbers there makes the sum wrong.
    const exercise::Array<int> input("input", values, values.size());
    const int sum = reduce(input.data(), n);
    check.ran();
    check.equal("the sum", sum, expected);
    check.equal(input, values);
  });
}

int main(int argc, char** argv) { return exercise::run("reduction", argc, argv, check_reduction); }
