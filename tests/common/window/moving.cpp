// A small animation for the window tests: a square that moves, on the CPU alone. It tells on
// standard output what reaches it, line by line, so that the test can compare.
#include <cstdio>

#include "../../../common/cpu_anim.h"
#include "../../../common/options.h"

int main(int argc, char** argv) {
  Options options("moving", Common::animation);
  options.size = 300;
  int height = 200;
  options.add("--height", height, "rows", 1, 65535);
  options.add_keys({{"k", "reports that it was pressed"}});
  options.parse(argc, argv);

  CPUAnimBitmap bitmap(options.size, height);
  const auto draw = [&](int frame) {
    unsigned char* pixel = bitmap.get_ptr();
    for (int y = 0; y < bitmap.height; ++y) {
      for (int x = 0; x < bitmap.width; ++x, pixel += 4) {
        const bool inside =
            (x + frame) % 64 < 32 && y < bitmap.height / 2;  // the upper half stays dark
        pixel[0] = inside ? 255 : 0;
        pixel[1] = 64;
        pixel[2] = inside ? 0 : 64;
        pixel[3] = 0;  // a window ignores it, and so must the files
      }
    }
    if (frame == 0) {
      std::printf("frame 0\n");
      std::fflush(stdout);
    }
  };
  Interaction interaction;
  interaction.drag = [](int x0, int y0, int x1, int y1) {
    std::printf("drag %d %d %d %d\n", x0, y0, x1, y1);
    std::fflush(stdout);
  };
  interaction.released = [](int x0, int y0, int x1, int y1) {
    std::printf("released %d %d %d %d\n", x0, y0, x1, y1);
    std::fflush(stdout);
  };
  interaction.restart = [] { std::printf("restart\n"); };
  interaction.key = [](unsigned char key) {
    std::printf("key %c\n", key);
    std::fflush(stdout);
  };
  const int code = bitmap.animate(options, draw, interaction);
  std::printf("returned %d\n", code);
  return code;
}
