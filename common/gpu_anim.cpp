#include "gpu_anim.h"

#include "device.h"
#include "device_memory.h"
#include "gl_interop.h"
#include "options.h"
#include "picture/book_bitmap.h"
#include "picture/present.h"

GPUAnimBitmap::GPUAnimBitmap(int width, int height, void* data)
    : host_pixels_(size_t{4} * width * height), width(width), height(height), dataBlock(data) {}

int GPUAnimBitmap::animate(const Options& options, const std::function<void(uchar4*, int)>& draw,
                           const Interaction& interaction) {
  WindowBuffer in_window(options.name(), host_pixels_.data(), host_pixels_.size());
  DeviceMemory<uchar4> own;  // used if there is no such buffer
  const auto draw_frame = [&](int frame) {
    if (InteropBuffer* const shared = in_window.get()) {
      draw(shared->map(), frame);
      // A failed launch would look like a picture that stands still.
      HANDLE_ERROR(cudaGetLastError());
      shared->unmap();
      return;
    }
    if (own.get() == nullptr) own = DeviceMemory<uchar4>(size_t{1} * width * height);
    draw(own.get(), frame);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(
        cudaMemcpy(host_pixels_.data(), own.get(), host_pixels_.size(), cudaMemcpyDeviceToHost));
  };
  // An emulated device could only copy, too.
  return present(options, {width, height, host_pixels_.data()}, draw_frame, interaction,
                 is_emulated ? nullptr : &in_window.gl_frame());
}

void GPUAnimBitmap::anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*)) {
  animate(
      Options::from_environment(Common::animation),
      [&](uchar4* device_pixels, int frame) { f(device_pixels, dataBlock, frame + 1); },
      book_interaction(*this));
  if (e != nullptr) e(dataBlock);
}
