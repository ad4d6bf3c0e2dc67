// surface_copy - copies a picture from array to array with surfaces, the writable kin of textures.
//
// Programming guide, "Surface Memory" (the guide's own example): surf2Dread and surf2Dwrite on arrays made
// with cudaArraySurfaceLoadStore. x counts bytes, not texels; coordinates are integers, nothing is filtered.
//
//   surface_copy                                  a window where there is a display
//   surface_copy --headless --output copy.png
//   surface_copy --input photo.png
//   surface_copy --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: the picture, copied on the device. The usual mistake is to forget that x counts bytes; the
// emulated device reports it with the function's name.
#include <cstring>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "pictures.h"
#include "texture_objects.h"

// CPU reference: the copy is the picture.
std::vector<unsigned char> reference_copy(const Image& picture) { return picture.rgba; }

// One thread a texel of width x height.
__global__ void copy_kernel(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= height) return;
  const auto texel = surf2Dread<uchar4>(from, x * sizeof(uchar4), y);
  surf2Dwrite(texel, to, x * sizeof(uchar4), y);
}

// An array that kernels may write, and its surface.
struct SurfaceArray {
  ArrayOwner array;
  SurfaceOwner surface;

  SurfaceArray(int width, int height) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
    HANDLE_ERROR(cudaMallocArray(&array.handle, &texel, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array.handle;
    HANDLE_ERROR(cudaCreateSurfaceObject(&surface.handle, &resource));
  }
};

void copy(const SurfaceArray& from, const SurfaceArray& to, int width, int height) {
  copy_kernel<<<canvas_blocks(width, height), canvas_threads()>>>(from.surface.handle, to.surface.handle,
                                                                  width, height);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) {
  Options options("surface_copy", "A picture copied from array to array through surfaces.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  std::string input;
  options.add("--input", input, "picture to copy (.png or .ppm); a generated one of --size without it");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const Image picture = input.empty() ? test_picture(options.size) : read_image(input);
  require_limit(options, "A row of the surface", picture.width, cudaDevAttrMaxSurface2DWidth);
  require_limit(options, "A column of the surface", picture.height, cudaDevAttrMaxSurface2DHeight);
  const int width = picture.width, height = picture.height;
  const SurfaceArray from(width, height), to(width, height);
  const size_t row = width * sizeof(uchar4);
  HANDLE_ERROR(cudaMemcpy2DToArray(from.array.handle, 0, 0, picture.rgba.data(), row, row, height,
                                   cudaMemcpyHostToDevice));
  copy(from, to, width, height);
  Image result(width, height);
  HANDLE_ERROR(cudaMemcpy2DFromArray(result.rgba.data(), row, to.array.handle, 0, 0, row, height,
                                     cudaMemcpyDeviceToHost));
  if (options.check || options.benchmark) {
    const bool passed = check_equal("byte", result.rgba, reference_copy(picture));
    return conclude(
        options, passed, [&] { copy(from, to, width, height); }, 2.0 * result.rgba.size());
  }

  CPUBitmap bitmap(width, height);
  std::memcpy(bitmap.get_ptr(), result.rgba.data(), result.rgba.size());
  return bitmap.show(options);
}
