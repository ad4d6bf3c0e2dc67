#include "../exercise.h"

void histogram(const unsigned char* bytes, int size, unsigned* bins);
extern int additions_to_bins;

static void check_histogram(exercise::Check& check) {
  check.for_sizes({1, 2, 255, 256, 1000, 100003}, [&](int n) {
    // The largest array has few values, so lanes of a warp often have the same one.
    const auto values = exercise::random_numbers<unsigned char>(n, n > 1000 ? 4 : 200);
    std::vector<unsigned> expected(256);
    for (const unsigned char value : values) ++expected[value];
    const exercise::Array<unsigned char> bytes("bytes", values);
    const exercise::Array<unsigned> bins("bins", 256);
    histogram(bytes.data(), n, bins.data());
    check.ran();
    check.equal(bins, expected);
  });

  // The cost: how many lanes of a warp add to the same element.
  const exercise::Counts additions = exercise::Check::counted("atomic global");
  if (additions.cost > 2 * additions.least)
    check.fail("lanes of a warp queue for the same element of bins: count in shared memory first",
               "explain");

  check.predicted("additions_to_bins", additions_to_bins, 256 * 256,
                  "it depends on the blocks and on their counts, not on the bytes");
}

int main(int argc, char** argv) { return exercise::run("histogram", argc, argv, check_histogram); }
