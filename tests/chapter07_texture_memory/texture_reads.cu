// What texture_modes, cubemap_surface and mipmap_texture rely on: normalized reads of signed and 16-bit
// integers, surfaces of cubemaps that are read, and levels of mipmapped arrays. Runs on the emulated device
// and, in the gpu build, on hardware (label "semantics").
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "../../emulator/tests/semantics/semantics_main.h"

#define ASSERT_CUDA(expression) ASSERT_EQ(cudaSuccess, (expression)) << #expression

// ---- normalized reads

__global__ void read_kernel(float* results, cudaTextureObject_t texture, const float* places, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count) results[i] = tex1D<float>(texture, places[i]);
}

// Reads a 1D texture of integers as normalized floats at places given in texels.
template <class Integer>
void read_normalized(const std::vector<Integer>& texels, const std::vector<float>& places,
                     cudaTextureFilterMode filter, std::vector<float>& results,
                     cudaTextureAddressMode address = cudaAddressModeClamp, float border = 0) {
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<Integer>();
  const size_t row = texels.size() * sizeof(Integer);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  ASSERT_CUDA(cudaMallocArray(&resource.res.array.array, &texel, texels.size()));
  ASSERT_CUDA(cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels.data(), row, row, 1,
                                  cudaMemcpyHostToDevice));
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = address;
  sampling.borderColor[0] = border;
  sampling.filterMode = filter;
  sampling.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture = 0;
  ASSERT_CUDA(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  Device<float> device_places(places), device_results(places.size());
  read_kernel<<<(places.size() + 63) / 64, 64>>>(device_results.get(), texture, device_places.get(),
                                                 static_cast<int>(places.size()));
  ASSERT_CUDA(cudaGetLastError());
  results = device_results.read();
  ASSERT_CUDA(cudaDestroyTextureObject(texture));
  ASSERT_CUDA(cudaFreeArray(resource.res.array.array));
}

template <class Integer>
void expect_all_values_normalized() {
  std::vector<Integer> texels;
  std::vector<float> places, results;
  for (long v = std::numeric_limits<Integer>::min(); v <= std::numeric_limits<Integer>::max(); ++v) {
    places.push_back(static_cast<float>(texels.size()) + 0.5f);
    texels.push_back(static_cast<Integer>(v));
  }
  read_normalized(texels, places, cudaFilterModePoint, results);
  ASSERT_EQ(texels.size(), results.size());
  for (size_t i = 0; i < texels.size(); ++i) {
    const float largest = std::numeric_limits<Integer>::max();
    ASSERT_EQ(std::max(texels[i] / largest, -1.0f), results[i]) << "texel " << long{texels[i]};
  }
}

TEST(NormalizedReads, EveryUnsignedByte) { expect_all_values_normalized<unsigned char>(); }
TEST(NormalizedReads, EverySignedByte) { expect_all_values_normalized<signed char>(); }

// A 1D texture of 65,536 texels is within every device's limit.
TEST(NormalizedReads, EveryUnsignedShort) { expect_all_values_normalized<unsigned short>(); }
TEST(NormalizedReads, EveryShort) { expect_all_values_normalized<short>(); }

// Filtering mixes the floats. A GPU keeps about 16 bits of what it filters from integers.
TEST(NormalizedReads, SignedValuesFilter) {
  std::vector<float> results;
  read_normalized<signed char>({-127, 127}, {1.0f, 0.75f, 1.25f}, cudaFilterModeLinear, results);
  ASSERT_EQ(3u, results.size());
  EXPECT_NEAR(0.0f, results[0], 1.0f / 16384);
  EXPECT_NEAR(-0.5f, results[1], 1.0f / 16384);
  EXPECT_NEAR(0.5f, results[2], 1.0f / 16384);
  read_normalized<short>({-32767, 32767}, {1.0f, 0.75f}, cudaFilterModeLinear, results);
  ASSERT_EQ(2u, results.size());
  EXPECT_NEAR(0.0f, results[0], 1.0f / 16384);
  EXPECT_NEAR(-0.5f, results[1], 1.0f / 16384);
}

// The border's color is kept in the texels' own format.
TEST(NormalizedReads, SignedBorder) {
  std::vector<float> results;
  read_normalized<signed char>({1, 2}, {-1.0f, 5.0f}, cudaFilterModePoint, results, cudaAddressModeBorder,
                               -1.0f);
  EXPECT_EQ((std::vector<float>{-1, -1}), results);
}

// ---- surfaces of cubemaps

// One thread per texel of size x size; blockIdx.z is the face, or 6 * layer + face.
__global__ void read_faces_kernel(int* seen, cudaSurfaceObject_t surface, int size, bool layered) {
  const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.z;
  const int bytes = x * static_cast<int>(sizeof(int));
  seen[(face * size + y) * size + x] = layered ? surfCubemapLayeredread<int>(surface, bytes, y, face)
                                               : surfCubemapread<int>(surface, bytes, y, face);
}

__global__ void read_outside_kernel(int* seen, cudaSurfaceObject_t surface, int size) {
  constexpr int f = sizeof(int);
  seen[0] = surfCubemapread<int>(surface, -f, 0, 2, cudaBoundaryModeZero);
  seen[1] = surfCubemapread<int>(surface, size * f, 0, 2, cudaBoundaryModeZero);
  seen[2] = surfCubemapread<int>(surface, -f, -1, 2, cudaBoundaryModeClamp);
  seen[3] = surfCubemapread<int>(surface, size * f, size, 2, cudaBoundaryModeClamp);
  seen[4] = surfCubemapread<int>(surface, f, 1, 2);
  surfCubemapread(&seen[5], surface, f, 1, 5);
}

// An array of cubemaps whose texels count up from 0, and its surface.
void make_counting_cubemap(int size, int faces, unsigned flags, cudaResourceDesc& resource,
                           cudaSurfaceObject_t& surface, std::vector<int>& texels) {
  texels.resize(static_cast<size_t>(size) * size * faces);
  for (size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<int>(i);
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<int>();
  const cudaExtent extent = make_cudaExtent(size, size, faces);
  resource = {};
  resource.resType = cudaResourceTypeArray;
  ASSERT_CUDA(cudaMalloc3DArray(&resource.res.array.array, &texel, extent,
                                cudaArrayCubemap | cudaArraySurfaceLoadStore | flags));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(int), size, size);
  copy.dstArray = resource.res.array.array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_CUDA(cudaMemcpy3D(&copy));
  ASSERT_CUDA(cudaCreateSurfaceObject(&surface, &resource));
}

TEST(CubemapSurface, ReadsEveryTexelOfEveryFace) {
  constexpr int size = 8;
  for (const int cubes : {1, 2}) {
    cudaResourceDesc resource;
    cudaSurfaceObject_t surface = 0;
    std::vector<int> texels;
    make_counting_cubemap(size, 6 * cubes, cubes > 1 ? cudaArrayLayered : 0, resource, surface, texels);
    Device<int> seen(texels.size());
    read_faces_kernel<<<dim3(1, 1, 6 * cubes), dim3(size, size)>>>(seen.get(), surface, size, cubes > 1);
    EXPECT_EQ(texels, seen.read());
    ASSERT_CUDA(cudaDestroySurfaceObject(surface));
    ASSERT_CUDA(cudaFreeArray(resource.res.array.array));
  }
}

TEST(CubemapSurface, BoundaryModesStayOnTheFace) {
  constexpr int size = 4, face = size * size;
  cudaResourceDesc resource;
  cudaSurfaceObject_t surface = 0;
  std::vector<int> texels;
  make_counting_cubemap(size, 6, 0, resource, surface, texels);
  Device<int> seen(6);
  read_outside_kernel<<<1, 1>>>(seen.get(), surface, size);
  EXPECT_EQ((std::vector<int>{0, 0, 2 * face, 3 * face - 1, 2 * face + size + 1, 5 * face + size + 1}),
            seen.read());
  ASSERT_CUDA(cudaDestroySurfaceObject(surface));
  ASSERT_CUDA(cudaFreeArray(resource.res.array.array));
}

// ---- mipmapped arrays

struct LodQuery {
  float x, y, lod;
  float2 dx, dy;
  bool gradient;
};

__global__ void lod_kernel(float* results, cudaTextureObject_t texture, const LodQuery* queries, int count) {
  const int i = threadIdx.x;
  if (i >= count) return;
  const LodQuery q = queries[i];
  results[i] = q.gradient ? tex2DGrad<float>(texture, q.x, q.y, q.dx, q.dy)
                          : tex2DLod<float>(texture, q.x, q.y, q.lod);
}

// A mipmapped array of 16 x 8 texels and all its levels; each texel of level l is l, so that what is read
// tells the level.
class Mipmaps : public testing::Test {
 protected:
  static constexpr unsigned levels = 5;
  static constexpr size_t width = 16, height = 8;

  void SetUp() override {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
    ASSERT_CUDA(cudaMallocMipmappedArray(&mipmapped_, &texel, make_cudaExtent(width, height, 0), levels));
    for (unsigned l = 0; l < levels; ++l) {
      const size_t w = std::max<size_t>(width >> l, 1), h = std::max<size_t>(height >> l, 1);
      const std::vector<float> values(w * h, static_cast<float>(l));
      cudaArray_t array = nullptr;
      ASSERT_CUDA(cudaGetMipmappedArrayLevel(&array, mipmapped_, l));
      ASSERT_CUDA(cudaMemcpy2DToArray(array, 0, 0, values.data(), w * sizeof(float), w * sizeof(float), h,
                                      cudaMemcpyHostToDevice));
    }
    sampling_.addressMode[0] = sampling_.addressMode[1] = cudaAddressModeWrap;
    sampling_.filterMode = sampling_.mipmapFilterMode = cudaFilterModeLinear;
    sampling_.normalizedCoords = 1;
    sampling_.maxMipmapLevelClamp = levels - 1;
    sampling_.disableTrilinearOptimization = 1;
  }
  void TearDown() override { EXPECT_EQ(cudaSuccess, cudaFreeMipmappedArray(mipmapped_)); }

  void read(const std::vector<LodQuery>& queries, std::vector<float>& results) const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmapped_;
    cudaTextureObject_t texture = 0;
    ASSERT_CUDA(cudaCreateTextureObject(&texture, &resource, &sampling_, nullptr));
    Device<LodQuery> device_queries(queries);
    Device<float> device_results(queries.size());
    lod_kernel<<<1, 64>>>(device_results.get(), texture, device_queries.get(),
                          static_cast<int>(queries.size()));
    results = device_results.read();
    ASSERT_CUDA(cudaDestroyTextureObject(texture));
  }

  // What tex2DLod returns at these levels.
  std::vector<float> at_levels(const std::vector<float>& lods) const {
    std::vector<LodQuery> queries;
    for (const float lod : lods) queries.push_back({0.3f, 0.6f, lod, {}, {}, false});
    std::vector<float> results;
    read(queries, results);
    return results;
  }
  // What tex2DGrad returns for footprints of dx x dy texels of level 0.
  float at_footprint(float dx, float dy) const {
    std::vector<float> results;
    read({{0.3f, 0.6f, 0, {dx / width, 0}, {0, dy / height}, true}}, results);
    return results.empty() ? -1 : results[0];
  }

  cudaMipmappedArray_t mipmapped_ = nullptr;
  cudaTextureDesc sampling_ = {};
};

TEST_F(Mipmaps, LevelsHaveHalfTheSize) {
  for (unsigned l = 0; l < levels; ++l) {
    cudaArray_t array = nullptr;
    ASSERT_CUDA(cudaGetMipmappedArrayLevel(&array, mipmapped_, l));
    cudaExtent extent = {};
    ASSERT_CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, array));
    EXPECT_EQ(std::max<size_t>(width >> l, 1), extent.width);
    EXPECT_EQ(std::max<size_t>(height >> l, 1), extent.height);
  }
  cudaArray_t array = nullptr;
  EXPECT_NE(cudaSuccess, cudaGetMipmappedArrayLevel(&array, mipmapped_, levels));
  cudaGetLastError();
}

TEST_F(Mipmaps, LodIsTheLevelAndMixesTwo) {
  EXPECT_EQ((std::vector<float>{0, 1, 2, 3, 4, 0.5f, 2.25f}), at_levels({0, 1, 2, 3, 4, 0.5f, 2.25f}));
}

TEST_F(Mipmaps, LodIsClampedToTheLevels) { EXPECT_EQ((std::vector<float>{0, 4}), at_levels({-3, 9})); }

TEST_F(Mipmaps, ClampAndBias) {
  sampling_.minMipmapLevelClamp = 1;
  sampling_.maxMipmapLevelClamp = 3;
  EXPECT_EQ((std::vector<float>{1, 2, 3}), at_levels({0, 2, 4}));
  sampling_.mipmapLevelBias = 0.5f;
  EXPECT_EQ((std::vector<float>{1.5f, 2.5f, 3}), at_levels({1, 2, 4}));
}

TEST_F(Mipmaps, PointTakesTheNearestLevel) {
  sampling_.mipmapFilterMode = cudaFilterModePoint;
  EXPECT_EQ((std::vector<float>{1, 2, 2, 3}), at_levels({1.4f, 1.6f, 2.4f, 2.6f}));
}

// A GPU approximates the logarithm.
TEST_F(Mipmaps, GradientsPickTheLevelOfTheLongerSide) {
  EXPECT_NEAR(0, at_footprint(1, 1), 0.05f);
  EXPECT_NEAR(2, at_footprint(4, 4), 0.05f);
  EXPECT_NEAR(2, at_footprint(4, 1), 0.05f);
  EXPECT_NEAR(2, at_footprint(1, 4), 0.05f);
  EXPECT_NEAR(4, at_footprint(1000, 1000), 0.05f);
  EXPECT_EQ(0, at_footprint(0.25f, 0.25f));
}

// With anisotropy the level follows the shorter side, as long as the longer is not too long.
TEST_F(Mipmaps, AnisotropyTakesAFinerLevel) {
  sampling_.maxAnisotropy = 16;
  EXPECT_NEAR(0, at_footprint(8, 1), 0.3f);
  EXPECT_NEAR(1, at_footprint(2, 8), 0.3f);
  EXPECT_NEAR(3, at_footprint(8, 8), 0.3f);
}

TEST(MipmappedArray, LevelsAreCutToWhatIsPossible) {
  cudaMipmappedArray_t mipmapped = nullptr;
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  ASSERT_CUDA(cudaMallocMipmappedArray(&mipmapped, &texel, make_cudaExtent(8, 8, 0), 100));
  cudaArray_t array = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGetMipmappedArrayLevel(&array, mipmapped, 3));
  EXPECT_NE(cudaSuccess, cudaGetMipmappedArrayLevel(&array, mipmapped, 4));
  cudaGetLastError();
  ASSERT_CUDA(cudaFreeMipmappedArray(mipmapped));
}

TEST(MipmappedArray, BadArguments) {
  cudaMipmappedArray_t mipmapped = nullptr;
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float>();
  EXPECT_NE(cudaSuccess, cudaMallocMipmappedArray(&mipmapped, &texel, make_cudaExtent(0, 0, 0), 1));
  EXPECT_NE(cudaSuccess, cudaMallocMipmappedArray(nullptr, &texel, make_cudaExtent(8, 8, 0), 1));
  cudaGetLastError();
}
