// template - rings around the middle of a picture, the smallest sample that has all its parts.
//
// Here goes the chapter and section of the book, or the part of the course's handout, that the
// reader can look up. One sentence names the lesson. Copy this file as CONTRIBUTING.md explains,
// then change everything in it.
// Terms (docs/glossary.md): kernel, grid, block, thread.
//
//   ./run template                               a window if there is a display
//   ./run template --rings 4 --headless --output rings.png
//   ./run template --size 256 --check
//
// Keys: Esc or q quits, s saves a picture. What to see: rings that get narrower towards the edges.
#include <algorithm>
#include <cstdint>

#include "../../common/book.h"
#include "../../common/check.h"
#include "../../common/cpu_bitmap.h"
#include "../../common/grid.h"
#include "../../common/options.h"
#include "../../common/timing.h"

// The brightness of pixel (x, y), 0 to 255, of a picture of dim x dim pixels. Whole numbers, so
// that CPU and GPU agree to the bit. 64 bits: a square of the picture's side does not fit 32.
__host__ __device__ inline unsigned char ring(int x, int y, int dim, int rings) {
  // twice the distance to the middle
  const std::int64_t dx = 2 * x - dim;
  const std::int64_t dy = 2 * y - dim;
  return (dx * dx + dy * dy) * 256 * rings / (std::int64_t{dim} * dim) % 256;
}

// One thread per pixel; pixels[x + y * dim].
__global__ void rings_kernel(uchar4* pixels, int dim, int rings) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;

  const unsigned char light = ring(x, y, dim, rings);
  pixels[x + static_cast<size_t>(y) * dim] = make_uchar4(light, light, light, 255);
}

// CPU reference: the specification, in a plain loop.
Image reference_rings(int dim, int rings) {
  Image image(dim, dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      unsigned char* pixel = image.pixel(x, y);  // red, green, blue; alpha is 255 already
      std::fill_n(pixel, 3, ring(x, y, dim, rings));
    }
  return image;
}

int main(int argc, char** argv) {
  Options options("template", Common::picture | Common::check | Common::benchmark | Common::device);
  int rings = 8;
  options.add("--rings", rings, "rings from the middle to an edge", 1, 64);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  CPUBitmap bitmap(dim, dim);
  uchar4* pixels;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));

  const dim3 threads(16, 16);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto draw = [&] {
    rings_kernel<<<blocks, threads>>>(pixels, dim, rings);
    HANDLE_ERROR(cudaGetLastError());
  };
  draw();
  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));

  bool passed = true;
  if (options.check || options.benchmark)  // never time what was not checked
    passed = check_images("picture", bitmap.view(), reference_rings(dim, rings), 0);
  if (options.benchmark && passed) {
    BenchmarkTable table("rings");
    table.add("rings_kernel", measure(draw), static_cast<double>(bitmap.image_size()));
    table.print();
  }
  HANDLE_ERROR(cudaFree(pixels));

  if (options.check || options.benchmark) return verdict(options.name(), passed);
  return bitmap.show(options);
}
