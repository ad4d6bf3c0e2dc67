#include "gpu_anim.h"

#include "book.h"
#include "options.h"
#include "picture/book_bitmap.h"
#include "picture/present.h"

GPUAnimBitmap::GPUAnimBitmap(int width, int height, void* data)
    : device_pixels_(std::size_t{1} * width * height),
      host_pixels_(std::size_t{4} * width * height),
      width(width),
      height(height),
      dataBlock(data) {}

int GPUAnimBitmap::animate(const Options& options, const std::function<void(uchar4*, int)>& draw,
                           const Interaction& interaction) {
  const auto draw_and_copy = [&](int frame) {
    draw(device_pixels_.get(), frame);
    HANDLE_ERROR(cudaGetLastError());  // a launch that failed would show as a picture that stands still
    HANDLE_ERROR(
        cudaMemcpy(host_pixels_.data(), device_pixels_.get(), host_pixels_.size(), cudaMemcpyDeviceToHost));
  };
  return present(options, view(), draw_and_copy, interaction);
}

void GPUAnimBitmap::anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*)) {
  animate(
      Options::from_environment(Common::animation),
      [&](uchar4* device_pixels, int frame) { f(device_pixels, dataBlock, frame + 1); },
      book_interaction(*this));
  if (e != nullptr) e(dataBlock);
}
