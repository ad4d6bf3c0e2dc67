#include "../exercise.h"

#ifndef ONE_PROGRAM  // of the tests, where the solution comes first
struct Best {        // as the reader's file declares it
  int value;
  int index;
};
#endif

void find_best(const int* a, int n, Best* best);

static void check_lock(exercise::Check& check) {
  check.for_sizes({1, 2, 50, 1000}, [&](int n) {
    std::vector<int> values(n);  // all different
    for (int i = 0; i < n; ++i) values[i] = static_cast<int>(7919LL * (i + 1) % 100003);
    const auto greatest = std::max_element(values.begin(), values.end());
    const std::vector<int> expected{*greatest, static_cast<int>(greatest - values.begin())};
    const exercise::Array<int> a("a", values);
    const exercise::Array<int> best("best", {-1, -1}, 2);
    find_best(a.data(), n, reinterpret_cast<Best*>(best.data()));
    check.ran();
    const auto name = [](std::size_t i) { return i == 0 ? "best->value" : "best->index"; };
    check.equal(name, best, expected);
  });
}

int main(int argc, char** argv) { return exercise::run("lock", argc, argv, check_lock); }
