// A window that goes away while CUDA has OpenGL's buffer: in its third frame the program says
// "mapped" and goes on when the file "go" is there, so that a test can close the window meanwhile.
// The memory of the frames must be free at the end.
//
//   mapped                   a buffer that is registered, as in ripple_interop
//   mapped --gpu-anim-bitmap GPUAnimBitmap, which copies on the emulated device
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "../../../common/book.h"
#include "../../../common/fail.h"
#include "../../../common/gl_interop.h"
#include "../../../common/gpu_anim.h"
#include "../../../common/options.h"
#include "../../../common/picture/gl_frame.h"
#include "../../../common/picture/present.h"

uchar4* shown = nullptr;  // the memory of the last frame

__global__ void fill(uchar4* pixels, int count, unsigned char gray) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count) pixels[i] = make_uchar4(gray, gray, gray, 255);
}

void draw(uchar4* pixels, int size, int frame) {
  shown = pixels;
  const int count = size * size;
  fill<<<(count + 255) / 256, 256>>>(pixels, count, static_cast<unsigned char>(100 + frame % 100));
  HANDLE_ERROR(cudaGetLastError());
  if (frame != 2) return;
  std::puts("mapped");
  std::fflush(stdout);
  while (access("go", F_OK) != 0) usleep(10'000);
}

// Does this address no longer belong to the device?
bool is_free(const void* pixels) {
  cudaPointerAttributes attributes{};
  HANDLE_ERROR(cudaPointerGetAttributes(&attributes, pixels));
  return attributes.type == cudaMemoryTypeUnregistered;
}

int show_registered(const Options& options) {
  std::vector<unsigned char> host(std::size_t{4} * options.size * options.size);
  std::unique_ptr<InteropBuffer> shared;
  GlFrame frame;
  frame.opened = [&] {
    const std::string problem = interop_problem();
    if (!problem.empty()) fail(exit_code::cannot_here, problem);
    shared = std::make_unique<InteropBuffer>(host.size());
  };
  frame.buffer = [&] { return shared ? shared->name() : 0; };
  frame.fetch = [&] { shared->read(host.data()); };
  frame.closing = [&] {
    shared.reset();
    HANDLE_ERROR(cudaPeekAtLastError());
    std::puts("unregistered");
  };
  return present(
      options, {options.size, options.size, host.data()},
      [&](int number) {
        draw(shared->map(), options.size, number);
        shared->unmap();
      },
      {}, &frame);
}

int main(int argc, char** argv) {
  Options options("mapped", Common::animation);
  bool gpu_anim_bitmap = false;
  options.add_flag("--gpu-anim-bitmap", gpu_anim_bitmap, "by GPUAnimBitmap");
  options.parse(argc, argv);

  int code = 0;
  if (gpu_anim_bitmap) {
    GPUAnimBitmap bitmap(options.size, options.size);
    code = bitmap.animate(options,
                          [&](uchar4* pixels, int frame) { draw(pixels, options.size, frame); });
  } else {
    code = show_registered(options);
  }
  std::puts(is_free(shown) ? "the memory is free" : "the memory is not free");
  return code;
}
