#include "cpu_anim.h"

#include "options.h"
#include "picture/book_bitmap.h"
#include "picture/present.h"

CPUAnimBitmap::CPUAnimBitmap(int width, int height, void* data)
    : bytes_(size_t{4} * width * height),
      pixels(bytes_.data()),
      width(width),
      height(height),
      dataBlock(data) {}

int CPUAnimBitmap::animate(const Options& options, const std::function<void(int)>& draw,
                           const Interaction& interaction) const {
  return present(options, view(), draw, interaction);
}

void CPUAnimBitmap::anim_and_exit(void (*f)(void*, int), void (*e)(void*)) {
  animate(
      Options::from_environment(Common::animation), [&](int frame) { f(dataBlock, frame + 1); },
      book_interaction(*this));
  if (e != nullptr) e(dataBlock);
}
