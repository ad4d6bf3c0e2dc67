#include "../exercise.h"

void warp_mins(const int* in, int n, int* mins);
extern int rounds;

static void check_warp_min(exercise::Check& check) {
  check.for_sizes({1, 31, 32, 33, 128, 129, 1000, 20003}, [&](int n) {
    std::vector<int> values = exercise::random_numbers<int>(n, 999999);
    for (int& value : values) ++value;
    std::vector<int> expected((n + 31) / 32, 1000000);
    for (int i = 0; i < n; ++i) expected[i / 32] = std::min(expected[i / 32], values[i]);
    const exercise::Array<int> in("in", values);
    const exercise::Array<int> mins("mins", expected.size());
    warp_mins(in.data(), n, mins.data());
    check.ran();
    check.equal(mins, expected);
  });

  check.cost_at_most(1.5, "load global", "sectors");  // no thread goes through 32 numbers alone

  check.predicted("rounds", rounds, 5,
                  "each round doubles of how many numbers lane 0 has the least");
}

int main(int argc, char** argv) { return exercise::run("warp_min", argc, argv, check_warp_min); }
