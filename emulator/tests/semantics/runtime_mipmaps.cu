// Mipmapped arrays, fetches with a level of detail or with derivatives.
#include <cmath>

#include "semantics_main.h"

// A square picture of `size` whose level l holds l + 1 everywhere.
class Mipmap {
 public:
  explicit Mipmap(unsigned size, unsigned levels = 99) {
    const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    const unsigned all = 1 + static_cast<unsigned>(std::log2(size));
    count_ = levels < all ? levels : all;
    EXPECT_EQ(cudaMallocMipmappedArray(&array_, &floats, make_cudaExtent(size, size, 0), count_),
              cudaSuccess);
    for (unsigned level = 0; level < count_; ++level) {
      const unsigned width = size >> level;
      const std::vector<float> values(std::size_t{width} * width, static_cast<float>(level + 1));
      cudaArray_t part = nullptr;
      EXPECT_EQ(cudaGetMipmappedArrayLevel(&part, array_, level), cudaSuccess);
      cudaExtent extent = {};
      EXPECT_EQ(cudaArrayGetInfo(nullptr, &extent, nullptr, part), cudaSuccess);
      EXPECT_EQ(extent.width, width);
      EXPECT_EQ(cudaMemcpy2DToArray(part, 0, 0, values.data(), width * sizeof(float),
                                    width * sizeof(float), width, cudaMemcpyHostToDevice),
                cudaSuccess);
    }
  }
  ~Mipmap() { EXPECT_EQ(cudaFreeMipmappedArray(array_), cudaSuccess); }
  Mipmap(const Mipmap&) = delete;
  Mipmap& operator=(const Mipmap&) = delete;
  cudaMipmappedArray_t get() const { return array_; }
  unsigned count() const { return count_; }

 private:
  cudaMipmappedArray_t array_ = nullptr;
  unsigned count_ = 0;
};

cudaTextureDesc sampling(cudaTextureFilterMode between_levels) {
  cudaTextureDesc texture = {};
  texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
  texture.filterMode = cudaFilterModeLinear;
  texture.mipmapFilterMode = between_levels;
  texture.normalizedCoords = 1;
  texture.maxAnisotropy = 1;
  texture.maxMipmapLevelClamp = 99;
  return texture;
}

cudaTextureObject_t texture_of(const Mipmap& mipmap, const cudaTextureDesc& texture) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap.get();
  cudaTextureObject_t object = 0;
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &texture, nullptr), cudaSuccess);
  return object;
}

__global__ void fetch_lod(float* out, cudaTextureObject_t texture, const float* levels, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex2DLod<float>(texture, 0.5f, 0.5f, levels[i]);
}
__global__ void fetch_grad(float* out, cudaTextureObject_t texture, const float2* dx,
                           const float2* dy, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = tex2DGrad<float>(texture, 0.5f, 0.5f, dx[i], dy[i]);
}

std::vector<float> lods(const Mipmap& mipmap, const cudaTextureDesc& texture,
                        const std::vector<float>& levels) {
  const cudaTextureObject_t object = texture_of(mipmap, texture);
  Device<float> in(levels), out(levels.size());
  fetch_lod<<<1, 32>>>(out.get(), object, in.get(), static_cast<int>(levels.size()));
  const std::vector<float> result = out.read();
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  return result;
}

std::vector<float> grads(const Mipmap& mipmap, const cudaTextureDesc& texture,
                         const std::vector<float2>& dx, const std::vector<float2>& dy) {
  const cudaTextureObject_t object = texture_of(mipmap, texture);
  Device<float2> x(dx), y(dy);
  Device<float> out(dx.size());
  fetch_grad<<<1, 32>>>(out.get(), object, x.get(), y.get(), static_cast<int>(dx.size()));
  const std::vector<float> result = out.read();
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
  return result;
}

TEST(Mipmaps, LevelsOfDetail) {
  const Mipmap mipmap(64);
  EXPECT_EQ(mipmap.count(), 7u);
  EXPECT_EQ(lods(mipmap, sampling(cudaFilterModePoint), {0, 1, 1.4f, 1.6f, 6, 20, -3}),
            (std::vector<float>{1, 2, 2, 3, 7, 7, 1}));
  EXPECT_EQ(lods(mipmap, sampling(cudaFilterModeLinear), {0, 0.5f, 1.25f, 5.75f, 6, 20, -3}),
            (std::vector<float>{1, 1.5f, 2.25f, 6.75f, 7, 7, 1}));
  cudaTextureDesc texture = sampling(cudaFilterModeLinear);
  texture.mipmapLevelBias = 0.5f;
  EXPECT_EQ(lods(mipmap, texture, {0, 1}), (std::vector<float>{1.5f, 2.5f}));
  texture.mipmapLevelBias = 0;
  texture.minMipmapLevelClamp = 2;
  texture.maxMipmapLevelClamp = 4.5f;
  EXPECT_EQ(lods(mipmap, texture, {0, 3, 6}), (std::vector<float>{3, 4, 5.5f}));
}

TEST(Mipmaps, DerivativesChooseTheLevel) {
  const Mipmap mipmap(64);
  const float texel = 1.0f / 64;
  // As wide as high: 1, 4 and 32 texels per pixel.
  const std::vector<float2> dx = {{texel, 0}, {4 * texel, 0}, {32 * texel, 0}},
                            dy = {{0, texel}, {0, 4 * texel}, {0, 32 * texel}};
  EXPECT_EQ(grads(mipmap, sampling(cudaFilterModeLinear), dx, dy), (std::vector<float>{1, 3, 6}));
  // Sixteen times as long as wide: without anisotropy the longer side decides, with it the shorter.
  const std::vector<float2> along = {{16 * texel, 0}}, across = {{0, texel}};
  EXPECT_EQ(grads(mipmap, sampling(cudaFilterModeLinear), along, across), std::vector<float>{5});
  cudaTextureDesc texture = sampling(cudaFilterModeLinear);
  texture.maxAnisotropy = 16;
  const float fine = grads(mipmap, texture, along, across)[0];
  EXPECT_GE(fine, 1.0f);
  EXPECT_LT(fine, 2.0f);
}

TEST(Mipmaps, WrongUse) {
  Mipmap mipmap(16, 3);
  EXPECT_EQ(mipmap.count(), 3u);
  cudaArray_t level = nullptr;
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&level, mipmap.get(), 3), cudaErrorInvalidValue);
  cudaGetLastError();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap.get();
  cudaTextureDesc texture = sampling(cudaFilterModePoint);
  texture.normalizedCoords = 0;
  cudaTextureObject_t object = 0;
  EXPECT_EQ(cudaCreateTextureObject(&object, &resource, &texture, nullptr),
            cudaSuccess);  // as on an H200
  EXPECT_EQ(cudaDestroyTextureObject(object), cudaSuccess);
}
