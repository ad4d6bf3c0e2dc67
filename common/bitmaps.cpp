// The three bitmap classes with the book's names.
#include <cuda_runtime.h>

#include "book.h"
#include "cpu_anim.h"
#include "cpu_bitmap.h"
#include "fail.h"
#include "gpu_anim.h"
#include "options.h"

namespace {

std::size_t picture_bytes(int width, int height) {
  if (width < 1 || height < 1) fail(exit_code::wrong_use, "a picture must be at least 1 x 1 pixels");
  return std::size_t{4} * width * height;
}

/// The book counts frames from 1, and measures the mouse from the top.
template <class Bitmap>
Interaction book_interaction(const Bitmap& bitmap) {
  Interaction interaction;
  if (bitmap.clickDrag != nullptr) {
    interaction.released = [&bitmap](int x0, int y0, int x1, int y1) {
      bitmap.clickDrag(bitmap.dataBlock, x0, bitmap.height - 1 - y0, x1, bitmap.height - 1 - y1);
    };
  }
  return interaction;
}

}  // namespace

CPUBitmap::CPUBitmap(int width, int height, void* data)
    : bytes_(picture_bytes(width, height)), pixels(bytes_.data()), x(width), y(height), dataBlock(data) {}

int CPUBitmap::show(const Options& options) const { return present(options, view()); }

void CPUBitmap::display_and_exit(void (*e)(void*)) {
  show(Options::from_environment(SampleKind::still));
  if (e != nullptr && dataBlock != nullptr) e(dataBlock);
}

CPUAnimBitmap::CPUAnimBitmap(int width, int height, void* data)
    : bytes_(picture_bytes(width, height)),
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
      Options::from_environment(SampleKind::animation), [&](int frame) { f(dataBlock, frame + 1); },
      book_interaction(*this));
  if (e != nullptr) e(dataBlock);
}

GPUAnimBitmap::GPUAnimBitmap(int width, int height, void* data)
    : device_pixels_(picture_bytes(width, height) / 4),
      host_pixels_(picture_bytes(width, height)),
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
      Options::from_environment(SampleKind::animation),
      [&](uchar4* device_pixels, int frame) { f(device_pixels, dataBlock, frame + 1); },
      book_interaction(*this));
  if (e != nullptr) e(dataBlock);
}
