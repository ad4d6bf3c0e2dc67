#include "../exercise.h"

void reverse(int* data, int n);

static void check_reverse(exercise::Check& check) {
  constexpr int piece = 256;
  const auto test = [&](int n) {
    const std::vector<int> values = exercise::random_numbers<int>(n, 1000000);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = values[i / piece * piece + piece - 1 - i % piece];
    const exercise::Array<int> data("data", values, values.size());
    reverse(data.data(), n);
    check.ran();
    check.equal(data, expected);
  };
  check.for_sizes({256, 512, 1024, 25600}, test, {piece, "a multiple of 256"});
}

int main(int argc, char** argv) { return exercise::run("reverse", argc, argv, check_reverse); }
