// mipmap_texture - a tiled floor to the horizon: without mipmaps, with them, and with anisotropic filtering.
//
// CUDA runtime API, "Texture Object Management" and cudaMallocMipmappedArray: level l has half the side of
// level l - 1. tex2DLod takes the level from the kernel; tex2DGrad takes the footprint of a pixel and picks
// levels and places itself.
// Terms (docs/glossary.md): texture, surface.
//
//   ./run mipmap_texture                                # a window where there is a display: the viewer walks
//   ./run mipmap_texture --headless --size 256 --frames 24 --output walk.gif
//   ./run mipmap_texture --check --size 256
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts.
// What to see: on the left far tiles flicker, for a pixel picks one of many texels; in the middle they are
// calm and blurred, for a level is as coarse as the footprint is long; on the right both calm and sharp:
// several fetches along its length.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "colors.h"
#include "floor_reference.h"
#include "floor_view.h"
#include "texture_limit.h"

constexpr int texture_size = 256;  // texels per side of level 0
constexpr int texture_levels = 9;  // 256, 128, ..., 1
constexpr float step_per_frame = 1.0f / 48;

// Makes a level from the one before: every texel is the mean of four. One thread per texel of size x size.
// Surfaces, for a texture could read the finer level, but nothing else can write the coarser one.
__global__ void halve_kernel(cudaSurfaceObject_t coarse, cudaSurfaceObject_t fine, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  const int left = 2 * x * sizeof(uchar4), right = left + sizeof(uchar4);  // x counts bytes
  const auto mean =
      mean_texel(surf2Dread<uchar4>(fine, left, 2 * y), surf2Dread<uchar4>(fine, right, 2 * y),
                 surf2Dread<uchar4>(fine, left, 2 * y + 1), surf2Dread<uchar4>(fine, right, 2 * y + 1));
  surf2Dwrite(mean, coarse, x * sizeof(uchar4), y);
}

// The floor. One thread per pixel of dim x dim.
__global__ void floor_kernel(float4* colors, cudaTextureObject_t trilinear, cudaTextureObject_t anisotropic,
                             int dim, float traveled, Way way) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const Footprint f = floor_footprint(x + 0.5f, y + 0.5f, dim, traveled);
  if (way == strips) way = static_cast<Way>(ways * x / dim);
  float4 color;
  if (f.sky)
    color = floor_sky(y + 0.5f, dim);
  else if (way == level_0)
    color = tex2DLod<float4>(trilinear, f.at.x, f.at.y, 0);
  else if (way == mipmaps)
    color = tex2DLod<float4>(trilinear, f.at.x, f.at.y, footprint_level(f, texture_size));
  else
    color = tex2DGrad<float4>(anisotropic, f.at.x, f.at.y, f.per_x, f.per_y);
  colors[x + static_cast<size_t>(y) * dim] = color;
}

// Fills level 0 from the host and every other level from the one before.
void fill_levels(cudaMipmappedArray_t mipmapped, const std::vector<uchar4>& texels) {
  cudaArray_t fine, coarse;
  HANDLE_ERROR(cudaGetMipmappedArrayLevel(&fine, mipmapped, 0));
  const size_t row = texture_size * sizeof(uchar4);
  HANDLE_ERROR(
      cudaMemcpy2DToArray(fine, 0, 0, texels.data(), row, row, texture_size, cudaMemcpyHostToDevice));
  for (int level = 1; level < texture_levels; ++level) {
    HANDLE_ERROR(cudaGetMipmappedArrayLevel(&coarse, mipmapped, level));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaSurfaceObject_t from, to;
    resource.res.array.array = fine;
    HANDLE_ERROR(cudaCreateSurfaceObject(&from, &resource));
    resource.res.array.array = coarse;
    HANDLE_ERROR(cudaCreateSurfaceObject(&to, &resource));
    const int size = texture_size >> level;
    const dim3 threads(32, 8), blocks(div_up(size, 32), div_up(size, 8));
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
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeWrap;
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

// Every level as it lies on the device is the CPU reference's.
bool check_levels(cudaMipmappedArray_t mipmapped, const Levels& levels) {
  bool passed = true;
  for (int level = 0; level < texture_levels; ++level) {
    cudaArray_t array;
    HANDLE_ERROR(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
    const size_t size = texture_size >> level, row = size * sizeof(uchar4);
    std::vector<unsigned char> got(size * row);
    HANDLE_ERROR(cudaMemcpy2DFromArray(got.data(), row, array, 0, 0, row, size, cudaMemcpyDeviceToHost));
    passed &= check_equal("byte of level " + std::to_string(level), got, bytes_of(levels[level]));
  }
  return passed;
}

int main(int argc, char** argv) {
  Options options("mipmap_texture",
                  "A floor to the horizon, with and without mipmaps and anisotropic filtering.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  options.frames = 1;
  options.default_size({.gpu = 1024, .emulated = 384});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  require_limit(options, "A side of the mipmapped texture", texture_size,
                cudaDevAttrMaxTexture2DMipmappedWidth);
  const int dim = options.size, quality_dim = 256;
  const std::vector<uchar4> texels = tile_pattern(texture_size);

  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  cudaMipmappedArray_t mipmapped;
  HANDLE_ERROR(cudaMallocMipmappedArray(&mipmapped, &texel, make_cudaExtent(texture_size, texture_size, 0),
                                        texture_levels, cudaArraySurfaceLoadStore));
  fill_levels(mipmapped, texels);
  const cudaTextureObject_t trilinear = make_texture(mipmapped, 1), anisotropic = make_texture(mipmapped, 16);

  const size_t most_pixels = static_cast<size_t>(std::max(dim, quality_dim)) * std::max(dim, quality_dim);
  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, most_pixels * sizeof(float4)));
  auto draw = [&](int size, float traveled, Way way) {
    const dim3 threads(32, 8), blocks(div_up(size, 32), div_up(size, 8));
    floor_kernel<<<blocks, threads>>>(colors, trilinear, anisotropic, size, traveled, way);
    HANDLE_ERROR(cudaGetLastError());
  };
  auto drawn = [&](int size, float traveled, Way way) {
    draw(size, traveled, way);
    std::vector<float4> got(static_cast<size_t>(size) * size);
    HANDLE_ERROR(cudaMemcpy(got.data(), colors, got.size() * sizeof(float4), cudaMemcpyDeviceToHost));
    return got;
  };

  int exit_code = 0;
  if (options.check || options.benchmark) {
    const Levels levels = reference_levels(texels, texture_size);
    bool passed = check_levels(mipmapped, levels);
    for (const Way way : {level_0, mipmaps})
      passed &= check_near(way == level_0 ? "color of level 0" : "color between levels",
                           components(drawn(dim, 0.3f, way)),
                           components(reference_floor(levels, dim, 0.3f, way)), floor_tolerance(way));
    // How a GPU filters anisotropically is not specified: it has to be nearer to the truth than the others.
    float error[ways];
    for (const Way way : {level_0, mipmaps, anisotropy})
      error[way] = distance_to_truth(drawn(quality_dim, 0.3f, way), texels, quality_dim, 0.3f);
    passed &= check_order("mean error of level 0, mipmaps, anisotropy", error);
    if (options.benchmark && passed) {
      BenchmarkTable table(options.name());
      for (const Way way : {level_0, mipmaps, anisotropy})
        table.add(way_names[way], measure([&] { draw(dim, 0.3f, way); }), sizeof(float4) * double(dim) * dim);
      table.print();
    }
    exit_code = verdict(options.name(), passed);
  } else {
    CPUAnimBitmap bitmap(dim, dim);
    exit_code = bitmap.animate(options, [&](int frame) {
      Image image = picture_of(drawn(dim, 0.3f + frame * step_per_frame, strips), dim, dim);
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
