#include "../exercise.h"

void add(const int* a, const int* b, int* c, int n);
extern int blocks_for_1000;

static void check_add(exercise::Check& check) {
  check.predicted("blocks_for_1000", blocks_for_1000, (1000 + 128 - 1) / 128,
                  "7 blocks have 896 threads, so the last 104 elements need one more");

  check.for_sizes({1, 2, 127, 128, 129, 1000, 100003}, [&](int n) {
    const std::vector<int> a_values = exercise::random_numbers<int>(n, 100);
    std::vector<int> b_values(n);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
      b_values[i] = i * 3;
      expected[i] = a_values[i] + b_values[i];
    }
    const exercise::Array<int> a("a", a_values);
    const exercise::Array<int> b("b", b_values);
    const exercise::Array<int> c("c", n);
    add(a.data(), b.data(), c.data(), n);
    check.ran();
    check.equal(c, expected);
  });
}

int main(int argc, char** argv) { return exercise::run("add", argc, argv, check_add); }
