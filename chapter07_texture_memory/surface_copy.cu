// surface_copy - copies a picture from array to array with surfaces, the writable kin of textures.
//
// Programming guide, "Surface Memory" (the guide's own example): surf2Dread and surf2Dwrite on
// arrays made with cudaArraySurfaceLoadStore. x counts bytes, not texels; coordinates are integers,
// nothing is filtered.
// Terms (docs/glossary.md): surface, texture.
//
//   ./run surface_copy                                  # a window if there is a display
//   ./run surface_copy --headless --output copy.png
//   ./run surface_copy --check --size 256
//
// Keys: Esc or q quits, s saves a picture. --input FILE reads your own picture.
// What to see: the picture, copied on the device. The usual mistake is to forget that x counts
// bytes; the emulated device reports it with the function's name.
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"

// One thread per texel of width x height.
__global__ void copy_kernel(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width,
                            int height) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= height) return;
  const auto texel = surf2Dread<uchar4>(from, x * sizeof(uchar4), y);
  surf2Dwrite(texel, to, x * sizeof(uchar4), y);
}

// A generated picture: the bits of x and y, and of both.
Image bit_picture(int size) {
  Image image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      unsigned char* p = image.pixel(x, y);
      const int u = 256 * x / size;
      const int v = 256 * y / size;
      p[0] = static_cast<unsigned char>(u ^ v);
      p[1] = static_cast<unsigned char>(u & v);
      p[2] = static_cast<unsigned char>(255 - (u | v));
    }
  return image;
}

int main(int argc, char** argv) {
  Options options("surface_copy",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  std::string input;
  options.add_file("--input", input, "picture to copy (.png); default: a generated one of --size");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const Image picture = input.empty() ? bit_picture(options.size) : read_image(input);
  const int width = picture.width;
  const int height = picture.height;

  // Two arrays that kernels may write, one filled from the host.
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  cudaArray_t from_array;
  cudaArray_t to_array;
  HANDLE_ERROR(cudaMallocArray(&from_array, &texel, width, height, cudaArraySurfaceLoadStore));
  HANDLE_ERROR(cudaMallocArray(&to_array, &texel, width, height, cudaArraySurfaceLoadStore));
  const size_t row = width * sizeof(uchar4);  // bytes
  HANDLE_ERROR(cudaMemcpy2DToArray(from_array, 0, 0, picture.rgba.data(), row, row, height,
                                   cudaMemcpyHostToDevice));

  // A surface has no texture descriptor: there are no settings for reading it.
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = from_array;
  cudaSurfaceObject_t from;
  cudaSurfaceObject_t to;
  HANDLE_ERROR(cudaCreateSurfaceObject(&from, &resource));
  resource.res.array.array = to_array;
  HANDLE_ERROR(cudaCreateSurfaceObject(&to, &resource));

  const dim3 threads(32, 8);
  const dim3 blocks(div_up(width, threads.x), div_up(height, threads.y));
  auto copy = [&] {
    copy_kernel<<<blocks, threads>>>(from, to, width, height);
    HANDLE_ERROR(cudaGetLastError());
  };
  copy();
  Image result(width, height);
  HANDLE_ERROR(cudaMemcpy2DFromArray(result.rgba.data(), row, to_array, 0, 0, row, height,
                                     cudaMemcpyDeviceToHost));

  bool passed = true;
  if (options.check || options.benchmark) passed = check_equal("byte", result.rgba, picture.rgba);
  if (options.benchmark && passed)
    print_benchmark(options.name(), "copy_kernel", copy, 2.0 * result.rgba.size());

  HANDLE_ERROR(cudaDestroySurfaceObject(from));
  HANDLE_ERROR(cudaDestroySurfaceObject(to));
  HANDLE_ERROR(cudaFreeArray(from_array));
  HANDLE_ERROR(cudaFreeArray(to_array));
  if (options.check || options.benchmark) return verdict(options.name(), passed);
  return present(options, result);
}
