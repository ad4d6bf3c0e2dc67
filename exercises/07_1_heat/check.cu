#include "../exercise.h"

void heat(float* a, float* b, int dim, int steps);

// The plate after one step.
static std::vector<float> heat_step(const std::vector<float>& plate, int dim) {
  std::vector<float> next(plate.size());
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const int i = x + y * dim;
      const float left = plate[x > 0 ? i - 1 : i];
      const float right = plate[x + 1 < dim ? i + 1 : i];
      const float top = plate[y > 0 ? i - dim : i];
      const float bottom = plate[y + 1 < dim ? i + dim : i];
      next[i] = plate[i] + 0.25f * (top + bottom + left + right - 4 * plate[i]);
    }
  return next;
}

static void check_heat(exercise::Check& check) {
  check.for_sizes({1, 2, 16, 17, 100}, [&](int dim) {
    for (const int steps : {0, 1, 2, 7}) {
      check.begin(std::to_string(dim) + " x " + std::to_string(dim) +
                      " cells, steps = " + std::to_string(steps),
                  "-n " + std::to_string(dim));
      std::vector<float> plate =
          exercise::random_numbers<float>(static_cast<std::size_t>(dim) * dim, 100);
      const exercise::Array<float> a("a", plate, plate.size());
      const exercise::Array<float> b("b", plate.size());
      for (int step = 0; step < steps; ++step) plate = heat_step(plate, dim);
      heat(a.data(), b.data(), dim, steps);
      check.ran();
      const auto place = [&](std::size_t i) {
        return "the cell (" + std::to_string(i % dim) + ", " + std::to_string(i / dim) + ")";
      };
      check.equal(place, a, plate, 1e-3);
    }
  });
}

int main(int argc, char** argv) { return exercise::run("heat", argc, argv, check_heat); }
