// A picture that does not move, for the window tests: nothing happens in its window without input.
#include "../../../common/cpu_bitmap.h"
#include "../../../common/options.h"

int main(int argc, char** argv) {
  Options options("still", Common::picture);
  options.size = 200;
  options.parse(argc, argv);
  const CPUBitmap bitmap(options.size, options.size);
  return bitmap.show(options);
}
