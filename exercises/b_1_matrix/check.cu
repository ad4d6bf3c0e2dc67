#include "../exercise.h"

void multiply(const int* a, const int* b, int* c, int rows, int inner, int columns);
extern int loads_of_an_element;

// How often each element is loaded in the product of two matrices with 64 x 64 elements, or 0 where
// the device does not count.
static long long loads_in_product(exercise::Check& check) {
  constexpr int size = 64;
  const std::vector<int> zeros(size * size);
  const exercise::Array<int> a("a", zeros);
  const exercise::Array<int> b("b", zeros);
  const exercise::Array<int> c("c", zeros.size());
  const unsigned long long before = exercise::Check::counted("load global").requests;
  multiply(a.data(), b.data(), c.data(), size, size, size);
  check.ran();
  const unsigned long long requests = exercise::Check::counted("load global").requests - before;
  const auto loads = static_cast<long long>(requests * 32 / (2 * zeros.size()));
  return loads < size / 16 ? 0 : loads;  // with larger tiles there are fewer, which is right, too
}

static void check_matrix(exercise::Check& check) {
  check.for_sizes({1, 2, 16, 17, 50, 64}, [&](int rows) {
    const int inner = rows + rows / 2;
    const int columns = rows + rows / 3;
    const std::size_t count = static_cast<std::size_t>(rows) * columns;
    const auto a_values =
        exercise::random_numbers<int>(static_cast<std::size_t>(rows) * inner, 100);
    const auto b_values =
        exercise::random_numbers<int>(static_cast<std::size_t>(inner) * columns, 50);
    std::vector<int> expected(count);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        for (int k = 0; k < inner; ++k)
          expected[row * columns + column] +=
              a_values[row * inner + k] * b_values[k * columns + column];
    const exercise::Array<int> a("a", a_values);
    const exercise::Array<int> b("b", b_values);
    const exercise::Array<int> c("c", count);
    multiply(a.data(), b.data(), c.data(), rows, inner, columns);
    check.ran();
    check.equal(exercise::row_and_column_of("c", columns), c, expected);
  });

  // With tiles a warp loads twice for 16 products, without tiles twice for each. `inner` is at most
  // 96, which is 6 steps.
  const exercise::Counts loads = exercise::Check::counted("load global");
  const exercise::Counts stores = exercise::Check::counted("store global");
  if (loads.requests > 4 * 6 * stores.requests)
    check.fail("the elements of a and b are loaded more often than tiles need", "hint");

  check.predicted("loads_of_an_element", loads_of_an_element, 64 / 16,
                  "a block loads it once, if it needs it", loads_in_product(check));
}

int main(int argc, char** argv) { return exercise::run("matrix", argc, argv, check_matrix); }
