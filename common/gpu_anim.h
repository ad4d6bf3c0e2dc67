#pragma once
#include <cuda_runtime.h>
#include <math.h>
#include <string.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "picture/interaction.h"

class Options;

#pragma GCC diagnostic ignored "-Wcast-function-type"  // as in cpu_anim.h

/// The book's moving picture in device memory: one uchar4 (RGBA) per pixel, row 0 at the
/// bottom. In a window that the CUDA device draws, kernels write into an OpenGL buffer, as
/// in the book. Elsewhere (over SSH, without a display, on the emulated device) each frame
/// is copied through the host.
struct GPUAnimBitmap {
  /// `data` is passed to the functions given below.
  GPUAnimBitmap(int width, int height, void* data = nullptr);
  GPUAnimBitmap(const GPUAnimBitmap&) = delete;
  GPUAnimBitmap& operator=(const GPUAnimBitmap&) = delete;

  long image_size(void) const { return static_cast<long>(host_pixels_.size()); }

  /// As CPUAnimBitmap::click_drag.
  void click_drag(void (*f)(void*, int, int, int, int)) { clickDrag = f; }

  /// As CPUAnimBitmap::anim_and_exit; f(device_pixels, data, ticks) fills
  /// device memory. `e` may be NULL.
  void anim_and_exit(void (*f)(uchar4*, void*, int), void (*e)(void*));

  /// For samples with options: draw(device_pixels, frame), for frame = 0,
  /// 1, ... Returns main's exit code.
  int animate(const Options& options,
              const std::function<void(uchar4* device_pixels, int frame)>& draw,
              const Interaction& interaction = {});

 private:
  std::vector<unsigned char> host_pixels_;

 public:  // as in the book
  int width;
  int height;
  void* dataBlock;
  void (*clickDrag)(void*, int, int, int, int) = nullptr;
};
