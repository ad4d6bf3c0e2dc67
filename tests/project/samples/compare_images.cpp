// compare_images GOT EXPECTED TOLERANCE: exit code 0 when both pictures have the same size and no
// channel differs by more than TOLERANCE; else 1, with the first difference.
#include <cstdio>
#include <cstdlib>

#include "../../../common/check.h"
#include "../../../common/picture/image.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: compare_images GOT EXPECTED TOLERANCE\n");
    return 2;
  }
  const Image got = read_image(argv[1]), expected = read_image(argv[2]);
  return verdict("compare_images", check_images("picture", got, expected, std::atoi(argv[3])));
}
