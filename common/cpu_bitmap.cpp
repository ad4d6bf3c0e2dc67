#include "cpu_bitmap.h"

#include "options.h"
#include "picture/present.h"

CPUBitmap::CPUBitmap(int width, int height, void* data)
    : bytes_(size_t{4} * width * height),
      pixels(bytes_.data()),
      x(width),
      y(height),
      dataBlock(data) {}

int CPUBitmap::show(const Options& options) const { return present(options, view()); }

void CPUBitmap::display_and_exit(void (*e)(void*)) {
  show(Options::from_environment(Common::picture));
  if (e != nullptr && dataBlock != nullptr) e(dataBlock);
}
