// picture_probe FILE TOLERANCE X Y RED GREEN BLUE: is that pixel (y upward) of that color? Exit code 0 or 1.
#include <cstdio>
#include <cstdlib>

#include "../../../common/picture/image.h"

int main(int argc, char** argv) {
  if (argc != 8) return 2;
  const Image image = read_image(argv[1]);
  const int tolerance = std::atoi(argv[2]), x = std::atoi(argv[3]), y = std::atoi(argv[4]);
  if (x < 0 || x >= image.width || y < 0 || y >= image.height) return 2;
  const unsigned char* pixel = image.pixel(x, y);
  bool good = true;
  for (int c = 0; c < 3; c++) good = good && std::abs(pixel[c] - std::atoi(argv[5 + c])) <= tolerance;
  if (!good) {
    std::fprintf(stderr, "%s: pixel (%d, %d) is (%d, %d, %d), expected (%s, %s, %s)\n", argv[1], x, y, pixel[0],
                 pixel[1], pixel[2], argv[5], argv[6], argv[7]);
  }
  return good ? 0 : 1;
}
