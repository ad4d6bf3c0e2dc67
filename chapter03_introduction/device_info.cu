// device_info - every limit of the device that the samples depend on.
//
// CUDA by Example, chapter 3, "Querying Devices": cudaGetDeviceProperties, and
// cudaDeviceGetAttribute, which returns a single number. Programming guide, "Compute Capabilities",
// has the table of limits for textures and surfaces.
// Terms (docs/glossary.md): multiprocessor, warp, shared memory, texture, compute capability.
//
//   ./run device_info
//   ./run device_info --check
//   ./run device_info --device 0
//
// What to see: a table of limits, with what the samples need of each at their default sizes. The
// emulated device has the limits of compute capability 9.0, except where its memory is the limit.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/device.h"
#include "../common/options.h"

struct Limit {
  const char* name;
  cudaDeviceAttr attribute;
  // The samples' need at their default sizes; 0: no sample depends on it, but it is good to know.
  int needed = 0;
};

// In the unit that the attribute counts in: bytes, texels, threads.
constexpr Limit limits[] = {
    {"threads per warp", cudaDevAttrWarpSize, 32},
    {"threads per block", cudaDevAttrMaxThreadsPerBlock, 1024},
    {"blocks in x", cudaDevAttrMaxGridDimX, 390625},
    {"blocks in y", cudaDevAttrMaxGridDimY, 1024},
    {"blocks in z", cudaDevAttrMaxGridDimZ, 12},
    {"multiprocessors", cudaDevAttrMultiProcessorCount, 1},
    {"shared memory per block", cudaDevAttrMaxSharedMemoryPerBlock, 49152},
    {"constant memory", cudaDevAttrTotalConstantMemory, 65536},
    {"L2 cache", cudaDevAttrL2CacheSize},
    {"copy engines", cudaDevAttrAsyncEngineCount},
    {"cooperative launch", cudaDevAttrCooperativeLaunch},
    {"texture alignment", cudaDevAttrTextureAlignment},
    {"texture pitch alignment", cudaDevAttrTexturePitchAlignment},
    {"1D texture, linear memory", cudaDevAttrMaxTexture1DLinearWidth, 1024 * 1024},
    {"1D texture", cudaDevAttrMaxTexture1DWidth, 6},
    {"1D layered texture, width", cudaDevAttrMaxTexture1DLayeredWidth, 8},
    {"1D layered texture, layers", cudaDevAttrMaxTexture1DLayeredLayers, 6},
    {"2D texture, pitched, width", cudaDevAttrMaxTexture2DLinearWidth, 1024},
    {"2D texture, pitched, height", cudaDevAttrMaxTexture2DLinearHeight, 1024},
    {"2D texture, pitched, pitch", cudaDevAttrMaxTexture2DLinearPitch, 4096},
    {"2D texture, width", cudaDevAttrMaxTexture2DWidth, 256},
    {"2D texture, height", cudaDevAttrMaxTexture2DHeight, 256},
    {"2D texture, mipmaps, width", cudaDevAttrMaxTexture2DMipmappedWidth, 256},
    {"2D texture, mipmaps, height", cudaDevAttrMaxTexture2DMipmappedHeight, 256},
    {"2D texture, gather, width", cudaDevAttrMaxTexture2DGatherWidth, 6},
    {"2D texture, gather, height", cudaDevAttrMaxTexture2DGatherHeight, 6},
    {"2D layered texture, width", cudaDevAttrMaxTexture2DLayeredWidth, 16},
    {"2D layered texture, height", cudaDevAttrMaxTexture2DLayeredHeight, 16},
    {"2D layered texture, layers", cudaDevAttrMaxTexture2DLayeredLayers, 4},
    {"3D texture, width", cudaDevAttrMaxTexture3DWidth, 64},
    {"3D texture, height", cudaDevAttrMaxTexture3DHeight, 64},
    {"3D texture, depth", cudaDevAttrMaxTexture3DDepth, 64},
    {"cubemap, width", cudaDevAttrMaxTextureCubemapWidth, 512},
    {"layered cubemap, width", cudaDevAttrMaxTextureCubemapLayeredWidth, 128},
    {"layered cubemap, faces", cudaDevAttrMaxTextureCubemapLayeredLayers, 24},
    {"1D surface", cudaDevAttrMaxSurface1DWidth},
    {"2D surface, width", cudaDevAttrMaxSurface2DWidth, 1024},
    {"2D surface, height", cudaDevAttrMaxSurface2DHeight, 1024},
    {"3D surface, width", cudaDevAttrMaxSurface3DWidth},
    {"cubemap surface, width", cudaDevAttrMaxSurfaceCubemapWidth, 32},
    {"layered cubemap surface, width", cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32},
    {"layered cubemap surface, faces", cudaDevAttrMaxSurfaceCubemapLayeredLayers, 12},
};

int main(int argc, char** argv) {
  Options options("device_info", Common::check | Common::device);
  options.add_flag("--check", options.check,
                   "print PASS if the device meets every limit, else FAIL");
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, options.device));
  std::printf("%s, compute capability %d.%d, %.1f GiB of device memory\n\n", properties.name,
              properties.major, properties.minor,
              static_cast<double>(properties.totalGlobalMem) / (1 << 30));

  std::printf("%-32s %12s %12s\n", "limit", "value", "needed");
  std::vector<int> needed;
  std::vector<int> met;  // the part of the need that the device meets
  for (const Limit& limit : limits) {
    const int value = device_attribute(limit.attribute);
    std::printf("%-32s %12d %12s%s\n", limit.name, value,
                limit.needed > 0 ? std::to_string(limit.needed).c_str() : "-",
                value < limit.needed ? "  MISSING" : "");
    needed.push_back(limit.needed);
    met.push_back(std::min(value, limit.needed));
  }
  if (!options.check) return 0;
  return verdict(options.name(), check_equal("limit, line of the table from 0", met, needed));
}
