// device_info - what the device can do, and which sample needs it.
//
// CUDA by Example, chapter 3, "Querying Devices": cudaGetDeviceProperties; and cudaDeviceGetAttribute, which
// asks for one number. Programming guide, "Compute Capabilities", has the table of limits for textures and
// surfaces.
// Terms (docs/glossary.md): multiprocessor, warp, shared memory, texture, compute capability.
//
//   ./run device_info
//   ./run device_info --check
//   ./run device_info --device 0
//
// What to see: a table of limits, with what the samples need of each at their default sizes. On the emulated
// device it tells what that one promises: the limits of compute capability 9.0 where its memory is not the
// limit.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/options.h"

struct Limit {
  const char* name;
  cudaDeviceAttr attribute;
  int needed;           // at least; 0: nothing depends on it, but it is good to know
  const char* samples;  // that need it, or what it is about
};

// Parameters: every limit that a sample depends on, in the unit that the attribute counts in (bytes, texels,
// threads).
constexpr Limit limits[] = {
    {"threads per warp", cudaDevAttrWarpSize, 32, "constant_broadcast, scan, circle_renderer"},
    {"threads per block", cudaDevAttrMaxThreadsPerBlock, 1024, "scan"},
    {"blocks in x", cudaDevAttrMaxGridDimX, 390625, "saxpy"},
    {"blocks in y", cudaDevAttrMaxGridDimY, 8192, "heat_notexture --size 65535"},
    {"blocks in z", cudaDevAttrMaxGridDimZ, 12, "cubemap_surface"},
    {"multiprocessors", cudaDevAttrMultiProcessorCount, 1, "hist_gpu_shmem_atomics: two blocks for each"},
    {"shared memory per block", cudaDevAttrMaxSharedMemoryPerBlock, 49152, "scan, circle_renderer"},
    {"constant memory", cudaDevAttrTotalConstantMemory, 65536, "ray: 2340 spheres"},
    {"level-2 cache", cudaDevAttrL2CacheSize, 0, "what decides how fast a heat step is"},
    {"cooperative launch", cudaDevAttrCooperativeLaunch, 0, "kernels that wait for all blocks; 77 without"},
    {"texture alignment", cudaDevAttrTextureAlignment, 0, "where linear memory under a texture starts"},
    {"texture pitch alignment", cudaDevAttrTexturePitchAlignment, 0, "heat_2d: cudaMallocPitch does it"},
    {"1D texture, linear memory", cudaDevAttrMaxTexture1DLinearWidth, 1024 * 1024,
     "heat, read_write_coherency"},
    {"1D texture", cudaDevAttrMaxTexture1DWidth, 6, "texture_modes"},
    {"1D layered texture, width", cudaDevAttrMaxTexture1DLayeredWidth, 8, "layered_texture"},
    {"1D layered texture, layers", cudaDevAttrMaxTexture1DLayeredLayers, 6, "layered_texture"},
    {"2D texture, pitched, width", cudaDevAttrMaxTexture2DLinearWidth, 1024, "heat_2d"},
    {"2D texture, pitched, height", cudaDevAttrMaxTexture2DLinearHeight, 1024, "heat_2d"},
    {"2D texture, pitched, pitch", cudaDevAttrMaxTexture2DLinearPitch, 4096, "heat_2d"},
    {"2D texture, width", cudaDevAttrMaxTexture2DWidth, 256, "texture_transform, half_texture"},
    {"2D texture, height", cudaDevAttrMaxTexture2DHeight, 256, "texture_transform, half_texture"},
    {"2D texture, mipmaps, width", cudaDevAttrMaxTexture2DMipmappedWidth, 256, "mipmap_texture"},
    {"2D texture, mipmaps, height", cudaDevAttrMaxTexture2DMipmappedHeight, 256, "mipmap_texture"},
    {"2D texture, gather, width", cudaDevAttrMaxTexture2DGatherWidth, 6, "texture_gather"},
    {"2D texture, gather, height", cudaDevAttrMaxTexture2DGatherHeight, 6, "texture_gather"},
    {"2D layered texture, width", cudaDevAttrMaxTexture2DLayeredWidth, 16, "layered_texture"},
    {"2D layered texture, height", cudaDevAttrMaxTexture2DLayeredHeight, 16, "layered_texture"},
    {"2D layered texture, layers", cudaDevAttrMaxTexture2DLayeredLayers, 4, "layered_texture"},
    {"3D texture, width", cudaDevAttrMaxTexture3DWidth, 64, "texture_3d"},
    {"3D texture, height", cudaDevAttrMaxTexture3DHeight, 64, "texture_3d"},
    {"3D texture, depth", cudaDevAttrMaxTexture3DDepth, 64, "texture_3d"},
    {"cubemap, width", cudaDevAttrMaxTextureCubemapWidth, 512, "cubemap_texture"},
    {"layered cubemap, width", cudaDevAttrMaxTextureCubemapLayeredWidth, 256, "cubemap_layered_texture"},
    {"layered cubemap, faces", cudaDevAttrMaxTextureCubemapLayeredLayers, 24, "cubemap_layered_texture"},
    {"1D surface", cudaDevAttrMaxSurface1DWidth, 0, "for your own"},
    {"2D surface, width", cudaDevAttrMaxSurface2DWidth, 1024, "surface_copy"},
    {"2D surface, height", cudaDevAttrMaxSurface2DHeight, 1024, "surface_copy"},
    {"3D surface, width", cudaDevAttrMaxSurface3DWidth, 0, "for your own"},
    {"cubemap surface, width", cudaDevAttrMaxSurfaceCubemapWidth, 32, "cubemap_surface"},
    {"layered cubemap surface, width", cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32, "cubemap_surface"},
    {"layered cubemap surface, faces", cudaDevAttrMaxSurfaceCubemapLayeredLayers, 12, "cubemap_surface"},
};

int main(int argc, char** argv) {
  Options options("device_info", "The device's limits, and which sample needs them.",
                  Common::check | Common::device);
  options.add_flag("--check", options.check, "PASS or FAIL: does the device meet every limit?");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, options.device));
  std::printf("%s, compute capability %d.%d, %.1f GiB of device memory\n\n", properties.name,
              properties.major, properties.minor, static_cast<double>(properties.totalGlobalMem) / (1 << 30));

  std::printf("%-32s %12s %12s   %s\n", "limit", "value", "needed", "by");
  std::vector<int> needed, met;  // met: as much of the need as the device has
  for (const Limit& limit : limits) {
    const int value = device_attribute(limit.attribute);
    if (limit.needed > 0)
      std::printf("%-32s %12d %12d   %s%s\n", limit.name, value, limit.needed, limit.samples,
                  value < limit.needed ? "  MISSING" : "");
    else
      std::printf("%-32s %12d %12s   %s\n", limit.name, value, "-", limit.samples);
    needed.push_back(limit.needed);
    met.push_back(std::min(value, limit.needed));
  }
  if (!options.check) return 0;
  return verdict(options.name(), check_equal("limit, line of the table from 0", met, needed));
}
