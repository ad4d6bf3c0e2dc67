#include "../exercise.h"

void exclusive_scan(int* input, int N, int* result);

static void check_scan(exercise::Check& check) {
  check.for_sizes({1, 2, 3, 8, 64, 1000, 1024, 1025, 5000, 100000}, [&](int n) {
    const std::vector<int> values =
        check.input == "ones" ? std::vector<int>(n, 1) : exercise::random_numbers<int>(n, 100);
    std::vector<int> expected(n);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
      expected[i] = static_cast<int>(sum);
      sum += static_cast<unsigned>(values[i]);
    }
    std::vector<int> with_room = values;
#ifdef __SANITIZE_ADDRESS__  // it fills memory with large numbers, whose sums overflow
    with_room.resize(exercise::next_power_of_two(n), 7);
#endif
    const exercise::Array<int> input("input", with_room, exercise::next_power_of_two(n));
    const exercise::Array<int> result("result", with_room, exercise::next_power_of_two(n));
    exclusive_scan(input.data(), n, result.data());
    check.ran();
    check.equal(result, expected);
    check.time([&] { exclusive_scan(input.data(), n, result.data()); });
  });
}

int main(int argc, char** argv) { return exercise::run("scan", argc, argv, check_scan); }
