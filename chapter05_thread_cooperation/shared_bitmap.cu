// shared_bitmap - a picture through shared memory, and the race that a missing barrier makes.
//
// CUDA by Example, chapter 5 (thread cooperation), section 5.3.2, "Shared Memory Bitmap". Every
// thread computes one value. It draws the value that another thread of its block has computed.
// Terms (docs/glossary.md): shared memory, barrier, race, tile.
//
//   ./run shared_bitmap                                      a window if there is a display
//   ./run shared_bitmap --method without_barrier --check     FAIL: counts the wrong pixels
//   ./run shared_bitmap --compare without_barrier,with_barrier --size 512
//
// Keys: Esc or q quits, s saves a picture. What to see: green bumps, each tile turned by 180
// degrees. Without the barrier, wrong pixels appear in red, or in a third part of the picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/side_by_side.h"
#include "../common/timing.h"

constexpr int side = 16;     // of a block, and of its tile
constexpr int period = 128;  // pixels from bump to bump

// The green of pixel (x, y). wave[i] is sin(2 pi i / period) + 1.
__host__ __device__ float bump(const float* wave, int x, int y) {
  return 255 * wave[x % period] * wave[y % period] / 4;
}

// One thread per pixel; pixels[x + y * dim].
__global__ void with_barrier_kernel(uchar4* pixels, const float* wave, int dim) {
  __shared__ float tile[side][side];
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;

  // No thread returns early, not even one whose pixel is outside the picture: another thread needs
  // its value.
  tile[threadIdx.x][threadIdx.y] = bump(wave, x, y);
  __syncthreads();  // all values of the tile are there

  if (x < dim && y < dim) {
    const float green = tile[side - 1 - threadIdx.x][side - 1 - threadIdx.y];
    pixels[x + static_cast<size_t>(y) * dim] =
        make_uchar4(0, static_cast<unsigned char>(green), 0, 255);
  }
}

// The same without the barrier is a race: a thread may read before another warp has written.
__global__ void without_barrier_kernel(uchar4* pixels, const float* wave, int dim) {
  __shared__ float tile[side][side];
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;

  tile[threadIdx.x][threadIdx.y] = bump(wave, x, y);

  if (x < dim && y < dim) {
    const float green = tile[side - 1 - threadIdx.x][side - 1 - threadIdx.y];
    pixels[x + static_cast<size_t>(y) * dim] =
        make_uchar4(0, static_cast<unsigned char>(green), 0, 255);
  }
}

// CPU reference: it needs no tile, only the place whose value pixel (x, y) gets.
Image reference_picture(const float* wave, int dim) {
  const auto turned = [](int i) { return i - i % side + (side - 1 - i % side); };
  Image image(dim, dim);
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x)
      image.pixel(x, y)[1] = static_cast<unsigned char>(bump(wave, turned(x), turned(y)));
  return image;
}

// Returns the number of wrong pixels, and adds red to them: the picture itself has no red.
size_t mark_wrong_pixels(CPUBitmap& bitmap, const Image& expected) {
  size_t wrong = 0;
  for (long i = 0; i < bitmap.image_size(); i += 4) {
    unsigned char* const pixel = bitmap.get_ptr() + i;
    if (std::equal(pixel, pixel + 4, expected.rgba.data() + i)) continue;
    ++wrong;
    pixel[0] = 255;
  }
  return wrong;
}

int main(int argc, char** argv) {
  Options options("shared_bitmap",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.add_methods({{"without_barrier", "a mistake: a thread may read what is not written yet"},
                       {"with_barrier", "__syncthreads() between writing and reading"}},
                      "with_barrier");
  options.add_compare();
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  // The sines come from the host, so that device and CPU reference work with the same bits.
  std::array<float, period> wave;
  for (int i = 0; i < period; ++i)
    wave[i] = static_cast<float>(std::sin(2 * 3.14159265358979323846 * i / period) + 1);
  float* dev_wave;
  HANDLE_ERROR(cudaMalloc(&dev_wave, sizeof wave));
  HANDLE_ERROR(cudaMemcpy(dev_wave, wave.data(), sizeof wave, cudaMemcpyHostToDevice));

  const int dim = options.size;
  const dim3 threads(side, side);
  const dim3 blocks(div_up(dim, side), div_up(dim, side));
  const auto draw = [&](const std::string& method, uchar4* pixels) {
    if (method == "with_barrier") {
      with_barrier_kernel<<<blocks, threads>>>(pixels, dev_wave, dim);
    } else {
      without_barrier_kernel<<<blocks, threads>>>(pixels, dev_wave, dim);
    }
    HANDLE_ERROR(cudaGetLastError());
  };

  if (!options.compare.empty()) {
    const auto side_of = [&](const std::string& method) {
      const auto name = [method] { return method; };
      const auto timed_draw = [&draw, method](uchar4* pixels, int) -> double {
        EventTimer timer;
        timer.start();
        draw(method, pixels);
        return timer.stop();
      };
      return Side{name, timed_draw};
    };
    const int code = show_side_by_side(
        options, {side_of(options.compare[0]), side_of(options.compare[1])}, false);
    HANDLE_ERROR(cudaFree(dev_wave));
    return code;
  }

  CPUBitmap bitmap(dim, dim);
  uchar4* pixels;
  HANDLE_ERROR(cudaMalloc(&pixels, bitmap.image_size()));
  draw(options.method, pixels);
  HANDLE_ERROR(cudaMemcpy(bitmap.get_ptr(), pixels, bitmap.image_size(), cudaMemcpyDeviceToHost));

  const Image expected = reference_picture(wave.data(), dim);
  if (!options.check && !options.benchmark) {
    const size_t wrong = mark_wrong_pixels(bitmap, expected);
    std::printf("%zu of %zu pixels are wrong%s\n", wrong, static_cast<size_t>(dim) * dim,
                wrong > 0 ? ", and red in the picture" : "");
  }
  bool passed = true;
  if (options.check || options.benchmark)
    passed = check_images("picture", bitmap.view(), expected, 0);
  if (options.benchmark && passed)
    print_benchmark(
        "picture through shared memory", options.method, [&] { draw(options.method, pixels); },
        static_cast<double>(bitmap.image_size()));

  HANDLE_ERROR(cudaFree(pixels));
  HANDLE_ERROR(cudaFree(dev_wave));

  if (options.check || options.benchmark) return verdict(options.name(), passed);
  return bitmap.show(options);
}
