#include "../exercise.h"

void saxpy(int N, float alpha, const float* x, const float* y, float* result);

static void check_saxpy(exercise::Check& check) {
  check.for_sizes({1, 2, 255, 1000, 1025, 100003}, [&](int n) {
    const std::vector<float> x = exercise::random_numbers<float>(n, 10);
    const std::vector<float> y = exercise::random_numbers<float>(n + 1, 7);
    std::vector<float> result(n, -1);
    std::vector<float> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = 2 * x[i] + y[i];
    saxpy(n, 2, x.data(), y.data(), result.data());
    check.ran();
    check.equal("result", result, expected);
    check.freed();
  });
}

int main(int argc, char** argv) { return exercise::run("saxpy", argc, argv, check_saxpy); }
