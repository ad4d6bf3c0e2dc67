// What the texture samples draw into: width x height colours in device memory, four floats (0..1) each, row 0
// at the bottom. Floats, so that --check can compare what the texture unit returned before it becomes bytes.
#pragma once

#include <functional>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device_memory.h"
#include "../common/timing.h"
#include "texture_objects.h"

class Canvas {
 public:
  Canvas(int width, int height)
      : pixels_(static_cast<size_t>(width) * height), colors_(pixels_), bytes_(pixels_) {
    HANDLE_ERROR(cudaMemset(colors_.get(), 0, colors_.bytes()));
  }

  float4* colors() const { return colors_.get(); }

  // The colours, 4 floats a pixel.
  std::vector<float> download() const {
    std::vector<float> values(pixels_ * 4);
    HANDLE_ERROR(cudaMemcpy(values.data(), colors_.get(), colors_.bytes(), cudaMemcpyDeviceToHost));
    return values;
  }

  // The colours as 4 bytes a pixel, into host memory.
  void draw(unsigned char* picture) const {
    const unsigned threads = 256, blocks = static_cast<unsigned>((pixels_ + threads - 1) / threads);
    pixels_kernel<<<blocks, threads>>>(bytes_.get(), colors_.get(), pixels_);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpy(picture, bytes_.get(), bytes_.bytes(), cudaMemcpyDeviceToHost));
  }

 private:
  size_t pixels_;
  DeviceMemory<float4> colors_;
  DeviceMemory<uchar4> bytes_;
};

// Blocks of 32 x 8 threads that cover width x height.
inline dim3 canvas_threads() { return dim3(32, 8); }
inline dim3 canvas_blocks(int width, int height) { return dim3((width + 31) / 32, (height + 7) / 8); }

// The end of --check and --benchmark: the verdict, and with --benchmark, if the check has passed, the time of
// `work`, which reads and writes `bytes` bytes of device memory. Returns main's exit code.
inline int conclude(const Options& options, bool passed, const std::function<void()>& work, double bytes) {
  if (options.benchmark && passed) {
    BenchmarkTable table(options.name());
    table.add("kernel", measure(work), bytes);
    table.print();
  }
  return verdict(options.name(), passed);
}
