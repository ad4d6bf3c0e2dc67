#include "../exercise.h"

void transpose(const float* in, float* out, int rows, int columns);
extern int wavefronts_of_a_column;

// What the reader predicts, for the device to count.
__global__ void read_column(float* column) {
  __shared__ float tile[32][32];
  for (int row = 0; row < 32; ++row) tile[row][threadIdx.x] = row;
  __syncthreads();
  column[threadIdx.x] = tile[threadIdx.x][0];
}

static void check_transpose(exercise::Check& check) {
  check.for_sizes({1, 2, 16, 31, 32, 33, 100, 257}, [&](int rows) {
    const int columns = rows + rows / 3;
    const std::size_t count = static_cast<std::size_t>(rows) * columns;
    std::vector<float> values(count);
    std::vector<float> expected(count);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const std::size_t i = static_cast<std::size_t>(r) * columns + c;
        values[i] = static_cast<float>(i % 9973);
        expected[static_cast<std::size_t>(c) * rows + r] = values[i];
      }
    const exercise::Array<float> in("in", values);
    const exercise::Array<float> out("out", count);
    transpose(in.data(), out.data(), rows, columns);
    check.ran();
    check.equal(exercise::row_and_column_of("out", rows), out, expected);
  });

  // A row that does not begin at a multiple of 32 bytes takes one sector more than the least, 4.
  check.cost_at_most(1.5, "load global", "sectors");
  check.cost_at_most(1.5, "store global", "sectors");
  check.cost_at_most(1.1, "store shared", "wavefronts");
  check.cost_at_most(1.1, "load shared", "wavefronts");

  const long long before = static_cast<long long>(exercise::Check::counted("load shared").cost);
  const exercise::Array<float> column("column", 32);
  read_column<<<1, 32>>>(column.data());
  check.ran();
  const long long counted =
      static_cast<long long>(exercise::Check::counted("load shared").cost) - before;
  check.predicted("wavefronts_of_a_column", wavefronts_of_a_column, 32,
                  "the elements of a column are 32 words apart, so look for their banks", counted);
}

int main(int argc, char** argv) { return exercise::run("transpose", argc, argv, check_transpose); }
