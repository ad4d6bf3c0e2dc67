#include "../exercise.h"

void draw(unsigned char* gray, int width, int height);
extern int blocks_for_100_by_50;

static void check_picture(exercise::Check& check) {
  check.for_sizes({1, 2, 16, 17, 100, 250}, [&](int width) {
    const int height = width - width / 3;  // so that exchanging the two shows
    std::vector<unsigned char> expected(static_cast<std::size_t>(width) * height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int dx = x - width / 2;
        const int dy = y - height / 2;
        expected[x + static_cast<std::size_t>(y) * width] =
            static_cast<unsigned char>((dx * dx + dy * dy) / 4 % 256);
      }
    const exercise::Array<unsigned char> gray("gray", expected.size());
    draw(gray.data(), width, height);
    check.ran();
    check.equal(exercise::pixel_of(width), gray, expected);
  });

  check.predicted("blocks_for_100_by_50", blocks_for_100_by_50, 7 * 4,
                  "blocks are whole, also at the right and the lower edge");
}

int main(int argc, char** argv) { return exercise::run("picture", argc, argv, check_picture); }
