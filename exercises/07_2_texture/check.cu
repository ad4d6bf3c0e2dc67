#include "../exercise.h"

void sum_neighbors(const int* in, int* out, int width, int height);
extern int element_left_of_0_1;

static void check_texture(exercise::Check& check) {
  check.for_sizes({1, 2, 16, 17, 100}, [&](int width) {
    const int height = width - width / 3;  // so that exchanging the two shows
    const auto values =
        exercise::random_numbers<int>(static_cast<std::size_t>(width) * height, 1000);
    std::vector<int> expected(values.size());
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int i = x + y * width;
        if (x > 0) expected[i] += values[i - 1];
        if (x < width - 1) expected[i] += values[i + 1];
        if (y > 0) expected[i] += values[i - width];
        if (y < height - 1) expected[i] += values[i + width];
      }
    const exercise::Array<int> in("in", values);
    const exercise::Array<int> out("out", values.size());
    sum_neighbors(in.data(), out.data(), width, height);
    check.ran();
    const auto cell = [&](std::size_t i) {
      return "cell (" + std::to_string(i % width) + ", " + std::to_string(i / width) + ")";
    };
    check.equal(cell, out, expected);
  });

  check.predicted("element_left_of_0_1", element_left_of_0_1, 9,
                  "the element before the first cell of a row belongs to the row above");
}

int main(int argc, char** argv) { return exercise::run("texture", argc, argv, check_texture); }
