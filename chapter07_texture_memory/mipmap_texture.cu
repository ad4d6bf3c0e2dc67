// mipmap_texture - a tiled floor to the horizon: no mipmaps, mipmaps, and anisotropic filtering.
//
// CUDA runtime API, "Texture Object Management" and cudaMallocMipmappedArray: level l has half the
// side of level l - 1. tex2DLod reads the kernel's level; tex2DGrad uses the footprint of a pixel
// to choose levels and positions.
// Terms (docs/glossary.md): texture, surface.
//
//   ./run mipmap_texture                         # a window if there is a display: the viewer walks
//   ./run mipmap_texture --headless --size 256 --frames 24 --output walk.gif
//   ./run mipmap_texture --check --size 256
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts.
// What to see: on the left, far tiles flicker, because a pixel shows one of many texels. In the
// middle they are calm and blurred, because the level is as coarse as the footprint is long. On the
// right they are calm and sharp, with several fetches along the footprint.
#include <cstring>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "mipmap_texture_picture.h"
#include "texture_common.h"

// The viewer's distance in the first frame, and the distance per frame, in sides of the
// pattern.
constexpr float start = 0.3f;
constexpr float step_per_frame = 1.0f / 48;

// Makes a level of size x size texels from the one before: each is the mean of four. One thread per
// texel. It uses surfaces, because nothing else can write a level.
__global__ void halve_kernel(cudaSurfaceObject_t coarse, cudaSurfaceObject_t fine, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  const int left = 2 * x * sizeof(uchar4);  // surfaces count x in bytes
  const int right = left + sizeof(uchar4);
  const auto mean = mean_texel(
      surf2Dread<uchar4>(fine, left, 2 * y), surf2Dread<uchar4>(fine, right, 2 * y),
      surf2Dread<uchar4>(fine, left, 2 * y + 1), surf2Dread<uchar4>(fine, right, 2 * y + 1));
  surf2Dwrite(mean, coarse, x * sizeof(uchar4), y);
}

// The floor, read in another way in each third of the picture. One thread per pixel of dim x dim.
__global__ void floor_kernel(float4* colors, cudaTextureObject_t trilinear,
                             cudaTextureObject_t anisotropic, int dim, float traveled) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const Footprint f = floor_footprint(x + 0.5f, y + 0.5f, dim, traveled);
  const int strip = 3 * x / dim;
  float4 color;
  if (f.sky) {
    color = floor_sky(y + 0.5f, dim);
  } else if (strip == 0) {
    color = tex2DLod<float4>(trilinear, f.at.x, f.at.y, 0);
  } else if (strip == 1) {
    color = tex2DLod<float4>(trilinear, f.at.x, f.at.y, footprint_level(f, texture_size));
  } else {
    color = tex2DGrad<float4>(anisotropic, f.at.x, f.at.y, f.per_x, f.per_y);
  }
  colors[x + static_cast<size_t>(y) * dim] = color;
}

// Fills level 0 from the host and every other level from the one before.
void fill_levels(cudaMipmappedArray_t mipmapped, const std::vector<uchar4>& texels) {
  cudaArray_t fine;
  cudaArray_t coarse;
  HANDLE_ERROR(cudaGetMipmappedArrayLevel(&fine, mipmapped, 0));
  const size_t row = texture_size * sizeof(uchar4);
  HANDLE_ERROR(cudaMemcpy2DToArray(fine, 0, 0, texels.data(), row, row, texture_size,
                                   cudaMemcpyHostToDevice));
  for (int level = 1; level < texture_levels; ++level) {
    HANDLE_ERROR(cudaGetMipmappedArrayLevel(&coarse, mipmapped, level));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaSurfaceObject_t from;
    cudaSurfaceObject_t to;
    resource.res.array.array = fine;
    HANDLE_ERROR(cudaCreateSurfaceObject(&from, &resource));
    resource.res.array.array = coarse;
    HANDLE_ERROR(cudaCreateSurfaceObject(&to, &resource));
    const int size = texture_size >> level;
    const dim3 threads(32, 8);
    const dim3 blocks(div_up(size, threads.x), div_up(size, threads.y));
    halve_kernel<<<blocks, threads>>>(to, from, size);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaDeviceSynchronize());  // the surfaces must live until the kernel has ended
    HANDLE_ERROR(cudaDestroySurfaceObject(from));
    HANDLE_ERROR(cudaDestroySurfaceObject(to));
    fine = coarse;
  }
}

// A texture of all levels.
cudaTextureObject_t make_texture(cudaMipmappedArray_t mipmapped, unsigned anisotropy) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmapped;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeWrap;
  sampling.addressMode[1] = cudaAddressModeWrap;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeNormalizedFloat;
  sampling.normalizedCoords = 1;                      // the same place in every level
  sampling.mipmapFilterMode = cudaFilterModeLinear;   // and between two levels their mean
  sampling.maxMipmapLevelClamp = texture_levels - 1;  // 0, the default, would be level 0 only
  sampling.disableTrilinearOptimization = 1;
  sampling.maxAnisotropy = anisotropy;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

// The CPU reference is in mipmap_texture_picture.h.

// A level, copied from the device.
Image download_level(cudaMipmappedArray_t mipmapped, int level) {
  Image image(texture_size >> level, texture_size >> level);
  const size_t row = image.width * sizeof(uchar4);
  cudaArray_t array;
  HANDLE_ERROR(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
  HANDLE_ERROR(cudaMemcpy2DFromArray(image.rgba.data(), row, array, 0, 0, row, image.height,
                                     cudaMemcpyDeviceToHost));
  return image;
}

int main(int argc, char** argv) {
  Options options("mipmap_texture",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  options.frames = 1;
  options.default_size({.gpu = 1024, .emulated = 384});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const int dim = options.size;
  const size_t pixels = static_cast<size_t>(dim) * dim;
  const std::vector<uchar4> texels = tile_pattern(texture_size);

  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  cudaMipmappedArray_t mipmapped;
  HANDLE_ERROR(cudaMallocMipmappedArray(&mipmapped, &texel,
                                        make_cudaExtent(texture_size, texture_size, 0),
                                        texture_levels, cudaArraySurfaceLoadStore));
  fill_levels(mipmapped, texels);
  const cudaTextureObject_t trilinear = make_texture(mipmapped, 1);
  const cudaTextureObject_t anisotropic = make_texture(mipmapped, 16);

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  auto draw = [&](float traveled) {
    const dim3 threads(32, 8);
    const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
    floor_kernel<<<blocks, threads>>>(colors, trilinear, anisotropic, dim, traveled);
    HANDLE_ERROR(cudaGetLastError());
  };
  std::vector<float4> got(pixels);

  int exit_code = 0;
  if (options.check || options.benchmark) {
    draw(start);
    HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));
    const std::vector<Image> levels = reference_levels(texels);
    bool passed = true;
    for (int level = 0; level < texture_levels; ++level)
      passed = check_equal("byte of level " + std::to_string(level),
                           download_level(mipmapped, level).rgba, levels[level].rgba) &&
               passed;
    // The guide also leaves open how exact the fraction of a level is: two steps of 1/256.
    const float tolerance = 1.0f / 512 + 2.0f / 256;
    const std::vector<float4> expected = reference_floor(got, levels, dim, start);
    passed = check_near("color", components(got), components(expected), tolerance) && passed;
    if (options.benchmark && passed)
      print_benchmark(
          options.name(), "floor_kernel", [&] { draw(start); }, 1.0 * sizeof(float4) * pixels);
    exit_code = verdict(options.name(), passed);
  } else {
    CPUAnimBitmap bitmap(dim, dim);
    exit_code = bitmap.animate(options, [&](int frame) {
      draw(start + frame * step_per_frame);
      HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));
      Image image = picture_of(got, dim);
      label_strips(image);
      std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
    });
  }

  HANDLE_ERROR(cudaDestroyTextureObject(trilinear));
  HANDLE_ERROR(cudaDestroyTextureObject(anisotropic));
  HANDLE_ERROR(cudaFreeMipmappedArray(mipmapped));
  HANDLE_ERROR(cudaFree(colors));
  return exit_code;
}
