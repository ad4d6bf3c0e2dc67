// Resource views: the bytes of an array as other texels, some of its layers, some of its mipmap levels.
#include <cstring>

#include "semantics_main.h"

#define ASSERT_OK(call) ASSERT_EQ(call, cudaSuccess)

__global__ void read_2d(unsigned* out, cudaTextureObject_t texture) {
  out[threadIdx.y * blockDim.x + threadIdx.x] =
      tex2D<unsigned>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void read_layer(float* out, cudaTextureObject_t texture, int layer) {
  out[threadIdx.x] = tex2DLayered<float>(texture, threadIdx.x + 0.5f, 0.5f, layer);
}
__global__ void read_level(float* out, cudaTextureObject_t texture, float level) {
  *out = tex2DLod<float>(texture, 0.5f, 0.5f, level);
}

// Reads each texel's center, so that a filter changes nothing.
__global__ void read_centers(float* out, cudaTextureObject_t texture) {
  const float size = blockDim.x;
  out[threadIdx.y * blockDim.x + threadIdx.x] =
      tex2D<float>(texture, (threadIdx.x + 0.5f) / size, (threadIdx.y + 0.5f) / size);
}

cudaTextureDesc nearest() {
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModePoint;
  texture.readMode = cudaReadModeElementType;
  return texture;
}

// Bytes seen as numbers of 32 bits. (The other way round an H200 gives what cudaReadModeNormalizedFloat asks for,
// whatever the read mode: for arrays of 32-bit numbers it has no say.)
TEST(ResourceViews, OtherTexels) {
  constexpr int w = 8, h = 4;
  std::vector<unsigned> numbers(w * h);
  for (int i = 0; i < w * h; ++i) numbers[i] = 0x01020304u * static_cast<unsigned>(i);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
  ASSERT_OK(cudaMallocArray(&array, &format, w, h));
  ASSERT_OK(cudaMemcpy2DToArray(array, 0, 0, numbers.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatUnsignedInt1;
  view.width = w;
  view.height = h;
  const cudaTextureDesc texture = nearest();
  cudaTextureObject_t object = 0;
  ASSERT_OK(cudaCreateTextureObject(&object, &resource, &texture, &view));
  Device<unsigned> out(w * h);
  read_2d<<<1, dim3(w, h)>>>(out.get(), object);
  EXPECT_EQ(out.read(), numbers);
  cudaResourceViewDesc got = {};
  ASSERT_OK(cudaGetTextureObjectResourceViewDesc(&got, object));
  EXPECT_EQ(got.format, cudaResViewFormatUnsignedInt1);
  ASSERT_OK(cudaDestroyTextureObject(object));

  view.format = cudaResViewFormatUnsignedShort4;  // 8 bytes, not 4
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &texture, &view), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST(ResourceViews, SomeLayers) {
  constexpr int w = 4, layers = 5;
  std::vector<float> numbers(w * layers);
  for (int i = 0; i < w * layers; ++i) numbers[i] = static_cast<float>(i);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  ASSERT_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, 1, layers), cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(numbers.data(), w * sizeof(float), w, 1);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(w, 1, layers);
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_OK(cudaMemcpy3D(&copy));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = w;
  view.height = 1;
  view.depth = layers;
  view.firstLayer = 1;
  view.lastLayer = 2;
  const cudaTextureDesc texture = nearest();
  cudaTextureObject_t object = 0;
  ASSERT_OK(cudaCreateTextureObject(&object, &resource, &texture, &view));
  for (int layer = 0; layer < 3; ++layer) {
    Device<float> out(w);
    read_layer<<<1, w>>>(out.get(), object, layer);
    const auto row = out.read();
    const int expected = layer == 0 ? 1 : 2;  // layers beyond the last are the last
    for (int i = 0; i < w; ++i) EXPECT_EQ(row[i], numbers[expected * w + i]) << layer;
  }
  ASSERT_OK(cudaDestroyTextureObject(object));
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

cudaResourceDesc resource_of(cudaMipmappedArray_t mipmapped) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmapped;
  return resource;
}

cudaResourceViewDesc view_of_8_by_8() {
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = view.height = 8;
  return view;
}

TEST(ResourceViews, SomeMipmapLevels) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmapped;
  ASSERT_OK(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(8, 8, 0), 4));
  for (unsigned level = 0; level < 4; ++level) {
    cudaArray_t array;
    ASSERT_OK(cudaGetMipmappedArrayLevel(&array, mipmapped, level));
    const std::size_t size = 8u >> level;
    const std::vector<float> numbers(size * size, static_cast<float>(level));
    ASSERT_OK(
        cudaMemcpy2DToArray(array, 0, 0, numbers.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
  }
  const cudaResourceDesc resource = resource_of(mipmapped);
  cudaResourceViewDesc view = view_of_8_by_8();
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 2;
  cudaTextureDesc texture = nearest();
  texture.normalizedCoords = 1;
  texture.mipmapFilterMode = cudaFilterModePoint;
  texture.maxMipmapLevelClamp = 10;
  cudaTextureObject_t object = 0;
  ASSERT_OK(cudaCreateTextureObject(&object, &resource, &texture, &view));
  Device<float> out(1);
  for (const auto& [asked, expected] :
       {std::pair{0.0f, 1.0f}, std::pair{1.0f, 2.0f}, std::pair{3.0f, 2.0f}}) {
    read_level<<<1, 1>>>(out.get(), object, asked);
    EXPECT_EQ(out.read()[0], expected) << asked;
  }
  ASSERT_OK(cudaDestroyTextureObject(object));
  EXPECT_EQ(cudaFreeMipmappedArray(mipmapped), cudaSuccess);
}

TEST(ResourceViews, FilteredFetchesKnowTheSizeOfTheFirstLevel) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmapped;
  ASSERT_OK(cudaMallocMipmappedArray(&mipmapped, &format, make_cudaExtent(8, 8, 0), 2));
  cudaArray_t level_1;
  ASSERT_OK(cudaGetMipmappedArrayLevel(&level_1, mipmapped, 1));
  constexpr int size = 4;
  std::vector<float> numbers(size * size);
  for (int i = 0; i < size * size; ++i) numbers[i] = static_cast<float>(i + 1);
  ASSERT_OK(
      cudaMemcpy2DToArray(level_1, 0, 0, numbers.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
  const cudaResourceDesc resource = resource_of(mipmapped);
  cudaResourceViewDesc view = view_of_8_by_8();
  view.firstMipmapLevel = view.lastMipmapLevel = 1;
  cudaTextureDesc texture = nearest();
  texture.filterMode = cudaFilterModeLinear;
  texture.normalizedCoords = 1;
  texture.maxMipmapLevelClamp = 10;
  cudaTextureObject_t object = 0;
  ASSERT_OK(cudaCreateTextureObject(&object, &resource, &texture, &view));
  Device<float> out(size * size);
  read_centers<<<1, dim3(size, size)>>>(out.get(), object);
  EXPECT_EQ(out.read(), numbers);
  ASSERT_OK(cudaDestroyTextureObject(object));
  EXPECT_EQ(cudaFreeMipmappedArray(mipmapped), cudaSuccess);
}

// As on an H200: a view of linear memory is not looked at.
TEST(ResourceViews, OfLinearMemoryDoNothing) {
  Device<float> memory(64);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.get();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 256;
  cudaResourceViewDesc view = {};
  view.format = cudaResViewFormatFloat1;
  view.width = 64;
  const cudaTextureDesc texture = nearest();
  cudaTextureObject_t object = 0;
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &texture, &view), cudaSuccess);
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
}
