#include "gpu_anim.h"

#include <cstdio>
#include <memory>
#include <string>

#include "device.h"
#include "device_memory.h"
#include "gl_interop.h"
#include "options.h"
#include "picture/book_bitmap.h"
#include "picture/gl_frame.h"
#include "picture/present.h"

GPUAnimBitmap::GPUAnimBitmap(int width, int height, void* data)
    : host_pixels_(size_t{4} * width * height), width(width), height(height), dataBlock(data) {}

int GPUAnimBitmap::animate(const Options& options, const std::function<void(uchar4*, int)>& draw,
                           const Interaction& interaction) {
  std::unique_ptr<InteropBuffer> shared;  // with OpenGL, while there is a window that can
  DeviceMemory<uchar4> own;               // else

  GlFrame frame_in_window;
  frame_in_window.opened = [&] {
    if (is_emulated) return;  // to copy is all that an emulated device could do
    const std::string problem = interop_problem();
    if (problem.empty()) {
      shared = std::make_unique<InteropBuffer>(host_pixels_.size());
    } else {
      std::fprintf(stderr, "%s: %s\n", options.name().c_str(), problem.c_str());
    }
  };
  frame_in_window.buffer = [&] { return shared ? shared->name() : 0; };
  frame_in_window.fetch = [&] { shared->read(host_pixels_.data()); };
  frame_in_window.closing = [&] { shared.reset(); };

  const auto draw_frame = [&](int frame) {
    if (shared) {
      draw(shared->map(), frame);
      // A launch that failed would show as a picture that stands still.
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
  return present(options, {width, height, host_pixels_.data()}, draw_frame, interaction,
                 &frame_in_window);
}

void GPUAnimBitmap::anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*)) {
  animate(
      Options::from_environment(Common::animation),
      [&](uchar4* device_pixels, int frame) { f(device_pixels, dataBlock, frame + 1); },
      book_interaction(*this));
  if (e != nullptr) e(dataBlock);
}
