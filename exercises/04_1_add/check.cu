#include "../exercise.h"

void add(const int* a, const int* b, int* c, int n);
extern int blocks_for_1000;

static void check_add(exercise::Check& check) {
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
    const exercise::Launched launched = exercise::Check::launched();
    if (n == 1000 && launched.threads > 1 && launched.blocks == 1000)
      check.fail("the results are right, but the launch has a block of " +
                     std::to_string(launched.threads) +
                     " threads for each element: one thread is enough",
                 "hint");
  });

  check.predicted("blocks_for_1000", blocks_for_1000, (1000 + 128 - 1) / 128,
                  "blocks are launched whole, and as many as it takes, the last one partly used");
}

int main(int argc, char** argv) { return exercise::run("add", argc, argv, check_add); }
