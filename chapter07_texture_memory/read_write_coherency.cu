// read_write_coherency - what a texture shows of memory that changes under it.
//
// Programming guide, "Read/Write Coherency": the texture cache is not kept coherent with writes of the same
// launch. A read through a texture of an address that the same launch has written is undefined: it may be the
// old or the new value. After a new launch (or a copy) every texture read sees what was written.
//
//   read_write_coherency                          prints what was seen, and shows it
//   read_write_coherency --headless --output coherency.png
//   read_write_coherency --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: three bands. Top: before, all old (blue). Middle: read in the launch that wrote; old, new
// (orange) or a mixture, undefined. Bottom: read in the next launch, all new.
#include <cstdio>
#include <cstring>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/device_memory.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "texture_objects.h"

constexpr float old_value = 1, new_value = 2;

// CPU reference: what the guide defines.
struct Expected {
  float before = old_value, next_launch = new_value;
};

// Reads every cell through the texture. One thread a cell.
__global__ void read_kernel(float* seen, cudaTextureObject_t texture, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) seen[i] = tex1Dfetch<float>(texture, i);
}

// Reads the cell once (so that it may lie in the texture cache), overwrites the memory behind it and reads
// again: the second read is undefined. Uses what the first read returned, so that the compiler keeps it.
__global__ void write_and_read_kernel(float* cells, float* seen, cudaTextureObject_t texture, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  const float first = tex1Dfetch<float>(texture, i);
  cells[i] = first + (new_value - old_value);
  __threadfence();
  seen[i] = tex1Dfetch<float>(texture, i);
}

struct Seen {
  std::vector<float> before, same_launch, next_launch;
};

Seen look(int n) {
  DeviceMemory<float> cells(n), seen(n);
  const std::vector<float> start(n, old_value);
  HANDLE_ERROR(cudaMemcpy(cells.get(), start.data(), cells.bytes(), cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = cells.get();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = cells.bytes();
  cudaTextureDesc sampling = {};
  sampling.readMode = cudaReadModeElementType;
  TextureOwner texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));

  const int threads = 256, blocks = (n + threads - 1) / threads;
  auto fetch = [&] {
    std::vector<float> values(n);
    HANDLE_ERROR(cudaMemcpy(values.data(), seen.get(), seen.bytes(), cudaMemcpyDeviceToHost));
    return values;
  };
  Seen result;
  read_kernel<<<blocks, threads>>>(seen.get(), texture.handle, n);
  HANDLE_ERROR(cudaGetLastError());
  result.before = fetch();
  write_and_read_kernel<<<blocks, threads>>>(cells.get(), seen.get(), texture.handle, n);
  HANDLE_ERROR(cudaGetLastError());
  result.same_launch = fetch();
  read_kernel<<<blocks, threads>>>(seen.get(), texture.handle, n);
  HANDLE_ERROR(cudaGetLastError());
  result.next_launch = fetch();
  return result;
}

void print_counts(const char* when, const std::vector<float>& seen) {
  size_t old_count = 0, new_count = 0;
  for (const float v : seen) {
    old_count += v == old_value;
    new_count += v == new_value;
  }
  std::printf("%-28s %9zu old %9zu new %9zu others\n", when, old_count, new_count,
              seen.size() - old_count - new_count);
}

// A band of the picture: every pixel of it shows one cell.
void draw_band(Image& image, int bottom, int height, const std::vector<float>& seen, const char* text) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const float v = seen[(static_cast<size_t>(y) * image.width + x) % seen.size()];
      const uchar4 c = v == old_value   ? make_uchar4(50, 90, 190, 255)
                       : v == new_value ? make_uchar4(240, 140, 40, 255)
                                        : make_uchar4(255, 255, 255, 255);
      std::memcpy(image.pixel(x, bottom + y), &c, sizeof c);
    }
  const int scale = image.width / 340;
  if (scale > 0) draw_text(image, 4 * scale, bottom + height / 2, text, {255, 255, 255}, scale);
}

int main(int argc, char** argv) {
  Options options("read_write_coherency", "What a texture shows of memory written in the same launch.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  require_limit(options, "The texture", 1LL * options.size * options.size,
                cudaDevAttrMaxTexture1DLinearWidth);

  const int n = options.size * options.size;
  const Seen seen = look(n);
  if (options.check || options.benchmark) {
    const std::vector<float> all_old(n, Expected().before), all_new(n, Expected().next_launch);
    bool passed = check_equal("before the write", seen.before, all_old);
    passed &= check_equal("in the next launch", seen.next_launch,
                          all_new);  // in the same launch: nothing to assert
    return verdict(options.name(), passed);
  }

  print_counts("before:", seen.before);
  print_counts("in the same launch:", seen.same_launch);
  print_counts("in the next launch:", seen.next_launch);
  Image image(options.size, options.size);
  const int band = options.size / 3;
  draw_band(image, options.size - band, band, seen.before, "before: old");
  draw_band(image, band, options.size - 2 * band, seen.same_launch, "same launch: undefined");
  draw_band(image, 0, band, seen.next_launch, "next launch: new");
  CPUBitmap bitmap(options.size, options.size);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
