// What textures, surfaces and CUDA arrays do: the programming guide's rules, checked by
// hand-made numbers. The same tests run on the emulated device and, in the gpu build, on
// real hardware (label "semantics").
#include <gtest/gtest.h>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "semantics_main.h"

#define EXPECT_CUDA(expression) ASSERT_EQ(cudaSuccess, (expression)) << #expression

constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

enum class Fetch { linear, one, two, three, one_layered, two_layered, cubemap, cubemap_layered };

struct Query {
  float x = 0, y = 0, z = 0;
  int layer = 0;
};

__device__ float4 widen(float v) { return make_float4(v, 0, 0, 0); }
__device__ float4 widen(float4 v) { return v; }
__device__ float4 widen(int v) { return make_float4(static_cast<float>(v), 0, 0, 0); }
__device__ float4 widen(unsigned char v) { return make_float4(v, 0, 0, 0); }
__device__ float4 widen(uchar4 v) { return make_float4(v.x, v.y, v.z, v.w); }
__device__ float4 widen(short2 v) { return make_float4(v.x, v.y, 0, 0); }

// One thread a query.
template <class T>
__global__ void fetch_kernel(float4* results, const Query* queries, int count,
                             cudaTextureObject_t texture, Fetch fetch) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const Query q = queries[i];
  float4 r = make_float4(0, 0, 0, 0);
  switch (fetch) {
    case Fetch::linear:
      r = widen(tex1Dfetch<T>(texture, static_cast<int>(q.x)));
      break;
    case Fetch::one:
      r = widen(tex1D<T>(texture, q.x));
      break;
    case Fetch::two:
      r = widen(tex2D<T>(texture, q.x, q.y));
      break;
    case Fetch::three:
      r = widen(tex3D<T>(texture, q.x, q.y, q.z));
      break;
    case Fetch::one_layered:
      r = widen(tex1DLayered<T>(texture, q.x, q.layer));
      break;
    case Fetch::two_layered:
      r = widen(tex2DLayered<T>(texture, q.x, q.y, q.layer));
      break;
    case Fetch::cubemap:
      r = widen(texCubemap<T>(texture, q.x, q.y, q.z));
      break;
    case Fetch::cubemap_layered:
      r = widen(texCubemapLayered<T>(texture, q.x, q.y, q.z, q.layer));
      break;
    default:
      break;
  }
  results[i] = r;
}

template <int component>
__global__ void gather_kernel(float4* results, const Query* queries, int count,
                              cudaTextureObject_t texture) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < count) results[i] = tex2Dgather<float4>(texture, queries[i].x, queries[i].y, component);
}

struct Sampling {
  cudaTextureAddressMode address = cudaAddressModeClamp;
  bool linear = false, normalized_coordinates = false, normalized_read = false;
  std::array<float, 4> border = {};
};

cudaTextureDesc describe(const Sampling& s) {
  cudaTextureDesc desc = {};
  for (auto& mode : desc.addressMode) mode = s.address;
  desc.filterMode = s.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  desc.readMode = s.normalized_read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  desc.normalizedCoords = s.normalized_coordinates;
  std::memcpy(desc.borderColor, s.border.data(), sizeof desc.borderColor);
  return desc;
}

template <class T>
std::vector<float4> fetched(cudaTextureObject_t texture, const std::vector<Query>& queries,
                            Fetch kind) {
  const Device<Query> in(queries);
  const Device<float4> out(queries.size());
  const int count = static_cast<int>(queries.size()), threads = 64,
            blocks = (count + threads - 1) / threads;
  fetch_kernel<T><<<blocks, threads>>>(out.get(), in.get(), count, texture, kind);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  return out.read();
}

// tex2Dgather of one place and a component.
template <int component>
float4 gathered(cudaTextureObject_t texture, float x, float y) {
  const Device<Query> in(std::vector<Query>{{x, y}});
  const Device<float4> out(1);
  gather_kernel<component><<<1, 1>>>(out.get(), in.get(), 1, texture);
  return out.read()[0];
}

// An array and its texture; a failure leaves the handles 0.
class Texture {
 public:
  template <class T>
  Texture(const std::vector<T>& texels, const cudaChannelFormatDesc& channels, cudaExtent extent,
          const Sampling& sampling, unsigned flags = 0) {
    make(texels.data(), sizeof(T), channels, extent, sampling, flags);
  }
  Texture(const Texture&) = delete;
  ~Texture() {
    cudaDestroyTextureObject(object_);
    cudaFreeArray(array_);
  }

  cudaTextureObject_t object() const { return object_; }

  template <class T = float>
  std::vector<float4> fetch(const std::vector<Query>& queries, Fetch kind) const {
    return fetched<T>(object_, queries, kind);
  }

 private:
  void make(const void* texels, size_t texel_bytes, const cudaChannelFormatDesc& channels,
            cudaExtent extent, const Sampling& sampling, unsigned flags) {
    EXPECT_CUDA(cudaMalloc3DArray(&array_, &channels, extent, flags));
    const size_t rows = extent.height > 0 ? extent.height : 1,
                 slices = extent.depth > 0 ? extent.depth : 1;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(texels), extent.width * texel_bytes,
                                      extent.width, rows);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(extent.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_CUDA(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    const cudaTextureDesc desc = describe(sampling);
    EXPECT_CUDA(cudaCreateTextureObject(&object_, &resource, &desc, nullptr));
  }

  cudaArray_t array_ = nullptr;
  cudaTextureObject_t object_ = 0;
};

std::vector<float> counting(int n) {
  std::vector<float> values;
  for (int i = 0; i < n; ++i) values.push_back(static_cast<float>(i));
  return values;
}

std::vector<float> first_component(const std::vector<float4>& results) {
  std::vector<float> values;
  for (const float4& r : results) values.push_back(r.x);
  return values;
}

// Texture of texels 0, 1, ..., n - 1 along x, read at the places xs.
std::vector<float> read_line(int n, const Sampling& sampling, const std::vector<float>& xs) {
  const Texture texture(counting(n), cudaCreateChannelDesc<float>(), make_cudaExtent(n, 0, 0),
                        sampling);
  std::vector<Query> queries;
  for (const float x : xs) queries.push_back({x, 0, 0, 0});
  return first_component(texture.fetch(queries, Fetch::one));
}

using Values = std::vector<float>;

// ---- addressing

TEST(TextureAddressing, NearestTakesTheTexelThatHoldsThePoint) {
  EXPECT_EQ((Values{0, 0, 1, 1, 6, 7}), read_line(8, {}, {0.0f, 0.999f, 1.0f, 1.998f, 6.5f, 7.5f}));
}

TEST(TextureAddressing, ClampTakesTheEdge) {
  EXPECT_EQ((Values{0, 0, 7, 7, 7, 0}),
            read_line(8, {}, {-0.001f, -100, 8, 1e9f, infinity, -infinity}));
}

TEST(TextureAddressing, WrapRepeats) {
  Sampling s;
  s.address = cudaAddressModeWrap;
  s.normalized_coordinates = true;
  EXPECT_EQ((Values{0, 7, 0, 4, 4, 4}), read_line(8, s, {0, 0.999f, 1, 0.5f, 1.5f, -0.5f}));
}

TEST(TextureAddressing, MirrorTurnsEverySecondRepetition) {
  Sampling s;
  s.address = cudaAddressModeMirror;
  s.normalized_coordinates = true;
  EXPECT_EQ((Values{0, 7, 7, 0, 0, 1, 0}),
            read_line(8, s, {0.01f, 0.99f, 1.01f, 1.99f, -0.01f, -0.13f, 2.01f}));
}

TEST(TextureAddressing, BorderHasItsColor) {
  Sampling s;
  s.address = cudaAddressModeBorder;
  s.border = {-7, 0, 0, 0};
  const Texture texture(counting(64), cudaCreateChannelDesc<float>(), make_cudaExtent(8, 8, 0), s);
  const auto r = texture.fetch({{-0.1f, 4, 0, 0},
                                {8.1f, 4, 0, 0},
                                {4, -1, 0, 0},
                                {4, 9, 0, 0},
                                {0.5f, 0.5f, 0, 0},
                                {7.9f, 7.9f, 0, 0}},
                               Fetch::two);
  EXPECT_EQ((Values{-7, -7, -7, -7, 0, 63}), first_component(r));
}

TEST(TextureAddressing, BorderMixesInWhenFiltered) {
  Sampling s;
  s.address = cudaAddressModeBorder;
  s.border = {-8, 0, 0, 0};
  s.linear = true;
  const Texture texture(std::vector<float>(64, 4.0f), cudaCreateChannelDesc<float>(),
                        make_cudaExtent(8, 8, 0), s);
  const auto r =
      texture.fetch({{0, 4, 0, 0}, {0, 0, 0, 0}, {8, 4, 0, 0}, {0.25f, 4, 0, 0}}, Fetch::two);
  EXPECT_EQ((Values{-2, -5, -2, 1}), first_component(r));
}

TEST(TextureAddressing, WrapAndMirrorWithoutNormalisedCoordinatesClamp) {
  for (const auto mode : {cudaAddressModeWrap, cudaAddressModeMirror}) {
    Sampling s;
    s.address = mode;
    EXPECT_EQ((Values{0, 7}), read_line(8, s, {-3, 11}));
  }
}

TEST(TextureAddressing, NormalisedCoordinatesSpanTheTexture) {
  Sampling s;
  s.normalized_coordinates = true;
  EXPECT_EQ((Values{0, 0, 1, 7, 7}), read_line(8, s, {0, 0.12f, 0.126f, 0.999f, 1}));
}

TEST(TextureAddressing, NotANumberIsZero) { EXPECT_EQ((Values{0}), read_line(8, {}, {nan_value})); }

// At the thread's own column and at those next to it, at texels' centers and at their edges: the
// emulated device knows such coordinates in blocks that are not at the border.
__global__ void beside_kernel(float* sums, cudaTextureObject_t texture, const float* ys, int rows,
                              int width) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= rows) return;
  const float left = tex2D<float>(texture, x - 1 + 0.5f, ys[y]);
  const float own = tex2D<float>(texture, x + 0.5f, ys[y]);
  const float right = tex2D<float>(texture, x + 1, ys[y]);
  const float far = tex2D<float>(texture, x + 2 + 0.5f, ys[y]);
  const float edge = tex2D<float>(texture, column, ys[y]);
  const float center = tex2D<float>(texture, column + 0.5f, ys[y]);
  sums[x + y * width] = left + 10 * own + 100 * right + 1000 * far + 1e4f * edge + 1e5f * center;
}
// In a loop over the whole grid: x is the thread's own, y the loop's.
__global__ void column_kernel(float* sum, cudaTextureObject_t texture, int rows, int width) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  for (int y = threadIdx.x + blockIdx.x * blockDim.x; y < rows; y += blockDim.x * gridDim.x)
    sum[y] = x < width ? tex2D<float>(texture, x + 0.5f, y + 0.5f) : -1;
}

TEST(TextureAddressing, ThreadsTakeTheirOwnColumnAndThoseBesideIt) {
  constexpr int height = 3;
  // Rows -infinity, -1, ... of the texture are its first one; not-a-number is 0.
  const Values ys = {-infinity, -1, -0.0f, 0.5f, 1, 2.5f, 3, 1e9f, infinity, nan_value, -nan_value};
  const Values rows = {0, 0, 0, 0, 1, 2, 2, 2, 2, 0, 0};
  const Device<float> device_ys(ys);
  for (const int width : {1, 31, 32, 33, 64, 65, 96, 97, 128, 200}) {
    Values texels;
    for (int i = 0; i < width * height; ++i) texels.push_back(static_cast<float>(i % 7));
    const Texture texture(texels, cudaCreateChannelDesc<float>(), make_cudaExtent(width, height, 0),
                          {});
    const Device<float> sums(width * ys.size());
    beside_kernel<<<dim3((width + 31) / 32, 3), dim3(32, 4)>>>(
        sums.get(), texture.object(), device_ys.get(), static_cast<int>(ys.size()), width);
    const Values got = sums.read();
    for (std::size_t y = 0; y < ys.size(); ++y)
      for (int x = 0; x < width; ++x) {
        const auto at = [&](int column) {
          return texels[std::min(std::max(column, 0), width - 1) +
                        static_cast<std::size_t>(rows[y]) * width];
        };
        ASSERT_EQ(at(x - 1) + 10 * at(x) + 100 * at(x + 1) + 1000 * at(x + 2) + 1e4f * at(x) +
                      1e5f * at(x),
                  got[x + y * width])
            << "x " << x << ", row " << y << " of width " << width;
      }
    const Device<float> column(300);
    column_kernel<<<3, 32>>>(column.get(), texture.object(), 300, width);
    const Values sum = column.read();
    for (int y = 0; y < 300; ++y) {
      const int x = y % 96;
      ASSERT_EQ(x < width ? texels[x + std::min(y, height - 1) * width] : -1, sum[y]) << y;
    }
  }
}

// ---- filtering

TEST(TextureFiltering, TexelCentersAreExact) {
  Sampling s;
  s.linear = true;
  EXPECT_EQ((Values{0, 1, 6, 7}), read_line(8, s, {0.5f, 1.5f, 6.5f, 7.5f}));
}

TEST(TextureFiltering, FractionHasEightBits) {
  Sampling s;
  s.linear = true;
  std::vector<float> xs, expected;
  for (int i = 0; i < 2048; ++i) {
    xs.push_back(0.5f + i / 512.0f);  // half steps of the fraction
    expected.push_back(std::floor(i / 2.0f + 0.5f) / 256.0f);
  }
  EXPECT_EQ(expected, read_line(8, s, xs));
}

TEST(TextureFiltering, EdgesClamp) {
  Sampling s;
  s.linear = true;
  EXPECT_EQ((Values{0, 0, 7, 7}), read_line(8, s, {0.25f, -5, 7.75f, 100}));
}

TEST(TextureFiltering, WrapMixesBothEnds) {
  Sampling s;
  s.linear = s.normalized_coordinates = true;
  s.address = cudaAddressModeWrap;
  EXPECT_EQ((Values{3.5f, 3.5f, 1.75f}), read_line(8, s, {0, 1, 1.0f / 32}));
}

// The guide leaves the last bits of the products open; 1/512 of the texels' range is allowed.
TEST(TextureFiltering, TwoDimensions) {
  std::mt19937 random(7);
  const auto uniform = [&] { return static_cast<float>(random() >> 8) * 0x1p-24f; };
  std::vector<float> texels;
  for (int i = 0; i < 256; ++i) texels.push_back(uniform());
  Sampling s;
  s.linear = true;
  const Texture texture(texels, cudaCreateChannelDesc<float>(), make_cudaExtent(16, 16, 0), s);
  std::vector<Query> queries;
  for (int i = 0; i < 2000; ++i) queries.push_back({18 * uniform() - 1, 18 * uniform() - 1, 0, 0});
  const auto results = texture.fetch(queries, Fetch::two);
  for (size_t k = 0; k < queries.size(); ++k) {
    auto split = [](float x) {
      const int steps = static_cast<int>(std::floor((x - 0.5f) * 256 + 0.5f));
      return std::pair<int, double>(steps >> 8, (steps & 255) / 256.0);
    };
    auto texel = [&](int i, int j) {
      return static_cast<double>(texels[std::clamp(j, 0, 15) * 16 + std::clamp(i, 0, 15)]);
    };
    const auto [i, a] = split(queries[k].x);
    const auto [j, b] = split(queries[k].y);
    const double corner = texel(i, j) - texel(i + 1, j) - texel(i, j + 1) + texel(i + 1, j + 1);
    const double expected = (1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j) +
                            (1 - a) * b * texel(i, j + 1) + a * b * texel(i + 1, j + 1);
    ASSERT_NEAR(expected, results[k].x, std::abs(corner) / 512 + 1e-6)
        << queries[k].x << " " << queries[k].y;
  }
}

TEST(TextureFiltering, ThreeDimensions) {
  Sampling s;
  s.linear = true;
  const Texture texture(counting(64), cudaCreateChannelDesc<float>(), make_cudaExtent(4, 4, 4), s);
  const auto r = texture.fetch({{1.5f, 2.5f, 3.5f, 0},
                                {2, 2.5f, 3.5f, 0},
                                {1.5f, 2, 3.5f, 0},
                                {1.5f, 2.5f, 3, 0},
                                {2, 2, 2, 0},
                                {-9, 9, 1.5f, 0}},
                               Fetch::three);
  EXPECT_EQ((Values{57, 57.5f, 55, 49, 31.5f, 28}), first_component(r));
}

// Not even as infinity; a texel that counts makes the result infinite.
TEST(TextureFiltering, ATexelOfAVolumeWithWeightZeroTakesNoPart) {
  Sampling s;
  s.linear = true;
  auto texels = counting(64);
  texels[22] = infinity;  // (2, 1, 1)
  const Texture texture(texels, cudaCreateChannelDesc<float>(), make_cudaExtent(4, 4, 4), s);
  const auto r =
      texture.fetch({{1.5f, 1.5f, 1.5f, 0}, {1.5f, 2, 1.5f, 0}, {2, 1.5f, 1.5f, 0}}, Fetch::three);
  EXPECT_EQ((Values{21, 23, infinity}), first_component(r));
}

// ---- types of texels

TEST(TextureTypes, BytesReadAsTheyAreOrNormalized) {
  std::vector<unsigned char> bytes(256);
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<unsigned char>(i);
  std::vector<Query> queries;
  for (int i = 0; i < 256; ++i) queries.push_back({i + 0.5f, 0, 0, 0});
  const auto channels = cudaCreateChannelDesc<unsigned char>();
  const Texture plain(bytes, channels, make_cudaExtent(256, 0, 0), {});
  Sampling s;
  s.normalized_read = true;
  const Texture normalized(bytes, channels, make_cudaExtent(256, 0, 0), s);
  const auto as_bytes = first_component(plain.fetch<unsigned char>(queries, Fetch::one));
  const auto as_floats = first_component(normalized.fetch(queries, Fetch::one));
  for (int i = 0; i < 256; ++i) {
    EXPECT_EQ(i, as_bytes[i]);
    EXPECT_EQ(i / 255.0f, as_floats[i]);
  }
}

TEST(TextureTypes, SignedNormalisedReachesMinusOneTwice) {
  const std::vector<signed char> bytes = {-128, -127, 0, 127};
  Sampling s;
  s.normalized_read = true;
  const Texture texture(bytes, cudaCreateChannelDesc<signed char>(), make_cudaExtent(4, 0, 0), s);
  EXPECT_EQ((Values{-1, -1, 0, 1}),
            first_component(texture.fetch({{0.5f}, {1.5f}, {2.5f}, {3.5f}}, Fetch::one)));
}

TEST(TextureTypes, VectorsKeepTheirComponents) {
  const std::vector<uchar4> colors = {make_uchar4(1, 2, 3, 4), make_uchar4(250, 251, 252, 253)};
  const Texture texture(colors, cudaCreateChannelDesc<uchar4>(), make_cudaExtent(2, 0, 0), {});
  const auto r = texture.fetch<uchar4>({{1.5f}}, Fetch::one);
  EXPECT_EQ(std::make_tuple(250, 251, 252, 253), std::make_tuple(r[0].x, r[0].y, r[0].z, r[0].w));
  const std::vector<short2> pairs = {make_short2(-5, 30000)};
  const Texture shorts(pairs, cudaCreateChannelDesc<short2>(), make_cudaExtent(1, 0, 0), {});
  const auto p = shorts.fetch<short2>({{0.5f}}, Fetch::one);
  EXPECT_EQ(std::make_tuple(-5, 30000), std::make_tuple(p[0].x, p[0].y));
}

TEST(TextureTypes, MissingComponentsAreZero) {
  const std::vector<float2> pairs = {make_float2(3, 4)};
  const Texture texture(pairs, cudaCreateChannelDesc<float2>(), make_cudaExtent(1, 0, 0), {});
  const auto r = texture.fetch<float4>({{0.5f}}, Fetch::one);
  EXPECT_EQ(std::make_tuple(3, 4, 0, 0), std::make_tuple(r[0].x, r[0].y, r[0].z, r[0].w));
  EXPECT_EQ(3, texture.fetch<float>({{0.5f}}, Fetch::one)[0].x);
}

TEST(TextureTypes, IntegersAreExact) {
  const std::vector<int> values = {-1, 16777216, -16777215};
  const Texture texture(values, cudaCreateChannelDesc<int>(), make_cudaExtent(3, 0, 0), {});
  EXPECT_EQ((Values{-1, 16777216, -16777215}),
            first_component(texture.fetch<int>({{0.5f}, {1.5f}, {2.5f}}, Fetch::one)));
}

TEST(TextureTypes, HalvesReadAsFloats) {
  const std::vector<__half> halves = {__float2half(1.0f), __float2half(-2.5f),
                                      __float2half(65504.0f), __float2half(6e-8f)};
  const Texture texture(halves, cudaCreateChannelDescHalf(), make_cudaExtent(4, 0, 0), {});
  EXPECT_EQ((Values{1, -2.5f, 65504, 0x1p-24f}),
            first_component(texture.fetch({{0.5f}, {1.5f}, {2.5f}, {3.5f}}, Fetch::one)));
}

TEST(TextureTypes, HalvesFilter) {
  const std::vector<__half> halves = {__float2half(1.0f), __float2half(2.0f)};
  Sampling s;
  s.linear = true;
  const Texture texture(halves, cudaCreateChannelDescHalf(), make_cudaExtent(2, 0, 0), s);
  EXPECT_EQ((Values{1, 1.25f, 1.5f, 2}),
            first_component(texture.fetch({{0.5f}, {0.75f}, {1.0f}, {1.5f}}, Fetch::one)));
}

// ---- layers, cubemaps and gather

TEST(TextureLayers, LayersDoNotMixAndClamp) {
  Sampling s;
  s.linear = true;
  const Texture planes(counting(64), cudaCreateChannelDesc<float>(), make_cudaExtent(4, 4, 4), s,
                       cudaArrayLayered);
  const auto r = planes.fetch({{0.5f, 0.5f, 0, 0},
                               {0.5f, 0.5f, 0, 1},
                               {3.9f, 3.9f, 0, 2},
                               {0.5f, 0.5f, 0, 3},
                               {0.5f, 0.5f, 0, 4},
                               {1, 1, 0, 1}},
                              Fetch::two_layered);
  EXPECT_EQ((Values{0, 16, 47, 48, 48, 18.5f}), first_component(r));
  const Texture lines(counting(12), cudaCreateChannelDesc<float>(), make_cudaExtent(4, 0, 3), s,
                      cudaArrayLayered);
  const auto l =
      lines.fetch({{0.5f, 0, 0, 0}, {1, 0, 0, 1}, {9, 0, 0, 2}, {0, 0, 0, 9}}, Fetch::one_layered);
  EXPECT_EQ((Values{0, 4.5f, 11, 8}), first_component(l));
}

// Face f has the texel values 100 f + 10 row + column of a 2 x 2 face.
std::vector<float> cube_faces(int cubes) {
  std::vector<float> values;
  for (int f = 0; f < 6 * cubes; ++f)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i) values.push_back(100.0f * f + 10 * j + i);
  return values;
}

TEST(TextureCubemap, FacesAndSignsAreTheGuidesTable) {
  Sampling s;
  s.normalized_coordinates = true;
  const Texture texture(cube_faces(1), cudaCreateChannelDesc<float>(), make_cudaExtent(2, 2, 6), s,
                        cudaArrayCubemap);
  // Per face: s and t are positive in texel (1, 1). (s, t) = (-z,-y)
  // (z,-y) (x,z) (x,-z) (x,-y) (-x,-y).
  const std::vector<Query> directions = {
      {2, 0.5f, 0.5f, 0},  {2, -0.5f, -0.5f, 0}, {-2, 0.5f, -0.5f, 0}, {-2, -0.5f, 0.5f, 0},
      {0.5f, 2, 0.5f, 0},  {-0.5f, 2, -0.5f, 0}, {0.5f, -2, -0.5f, 0}, {-0.5f, -2, 0.5f, 0},
      {-0.5f, 0.5f, 2, 0}, {0.5f, -0.5f, 2, 0},  {0.5f, 0.5f, -2, 0},  {-0.5f, -0.5f, -2, 0},
      {0.5f, 0.5f, 2, 0},  {2, 0.5f, -0.5f, 0}};
  EXPECT_EQ((Values{0, 11, 100, 111, 211, 200, 311, 300, 400, 411, 500, 511, 401, 1}),
            first_component(texture.fetch(directions, Fetch::cubemap)));
}

TEST(TextureCubemap, LengthOfTheDirectionDoesNotMatter) {
  Sampling s;
  s.normalized_coordinates = s.linear = true;
  const Texture texture(cube_faces(1), cudaCreateChannelDesc<float>(), make_cudaExtent(2, 2, 6), s,
                        cudaArrayCubemap);
  const auto r = first_component(texture.fetch(
      {{1, 0, 0, 0}, {1000, 0, 0, 0}, {0.001f, 0, 0, 0}, {0, 0, -3, 0}}, Fetch::cubemap));
  EXPECT_EQ((Values{5.5f, 5.5f, 5.5f, 505.5f}), r);
}

TEST(TextureCubemap, LayersOfCubemaps) {
  Sampling s;
  s.normalized_coordinates = true;
  const Texture texture(cube_faces(3), cudaCreateChannelDesc<float>(), make_cudaExtent(2, 2, 18), s,
                        cudaArrayCubemap | cudaArrayLayered);
  const auto r = texture.fetch(
      {{2, 0.5f, 0.5f, 0}, {2, 0.5f, 0.5f, 1}, {0.5f, 0.5f, -2, 2}, {2, 0.5f, 0.5f, 3}},
      Fetch::cubemap_layered);
  EXPECT_EQ((Values{0, 600, 1700, 1200}), first_component(r));
}

TEST(TextureGather, OrderAndComponents) {
  std::vector<float4> texels;
  for (int i = 0; i < 16; ++i) texels.push_back(make_float4(i, 100 + i, 200 + i, 300 + i));
  const Texture texture(texels, cudaCreateChannelDesc<float4>(), make_cudaExtent(4, 4, 0), {},
                        cudaArrayTextureGather);
  const float4 first = gathered<0>(texture.object(), 2, 1),
               last = gathered<3>(texture.object(), 2, 1);
  EXPECT_EQ(std::make_tuple(5, 6, 2, 1), std::make_tuple(first.x, first.y, first.z, first.w));
  EXPECT_EQ(std::make_tuple(305, 306, 302, 301), std::make_tuple(last.x, last.y, last.z, last.w));
}

TEST(TextureGather, CoordinateIsRoundedToEightBits) {
  const Texture texture(counting(36), cudaCreateChannelDesc<float>(), make_cudaExtent(6, 6, 0), {},
                        cudaArrayTextureGather);
  EXPECT_EQ(1, gathered<0>(texture.object(), 2.49705f, 1).w);
  EXPECT_EQ(2, gathered<0>(texture.object(), 2.49805f, 1)
                   .w);  // 1.99805 is nearer to 512/256 than to 511/256
}

// ---- linear and pitched

TEST(TextureLinear, OutsideIsZero) {
  std::vector<float> values = counting(16);
  for (float& v : values) v += 1;
  const Device<float> memory(values);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.get();
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = 10 * sizeof(float);
  const cudaTextureDesc desc = describe({});
  cudaTextureObject_t texture = 0;
  EXPECT_CUDA(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  EXPECT_EQ((Values{1, 10, 0, 0, 0}), first_component(fetched<float>(
                                          texture, {{0}, {9}, {10}, {-1}, {1000}}, Fetch::linear)));
  EXPECT_CUDA(cudaDestroyTextureObject(texture));

  // What cannot be a texture.
  resource.res.linear.devPtr = memory.get() + 1;
  EXPECT_EQ(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory.get();
  resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
  resource.res.pitch2D.width = 3;
  resource.res.pitch2D.height = 2;
  resource.res.pitch2D.pitchInBytes = 20;
  EXPECT_EQ(cudaErrorInvalidValue, cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  cudaGetLastError();
}

// ---- arrays, errors

TEST(TextureErrors, ReadAndFilterModesThatDoNotFit) {
  cudaArray_t array = nullptr;
  const auto channels = cudaCreateChannelDesc<int>();
  EXPECT_CUDA(cudaMallocArray(&array, &channels, 8, 8));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  Sampling s;
  s.normalized_read = true;
  cudaTextureDesc desc = describe(s);
  cudaTextureObject_t texture = 0;
  EXPECT_EQ(cudaErrorInvalidNormSetting,
            cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  s.normalized_read = false;
  s.linear = true;
  desc = describe(s);
  EXPECT_EQ(cudaErrorInvalidFilterSetting,
            cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
  cudaGetLastError();
  EXPECT_CUDA(cudaFreeArray(array));
}

TEST(ArrayErrors, SizesAndChannels) {
  cudaArray_t array = nullptr;
  const auto channels = cudaCreateChannelDesc<float>();
  const auto three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  EXPECT_EQ(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&array, &three, 8, 8));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMallocArray(&array, &channels, 0, 8));
  EXPECT_EQ(cudaErrorInvalidValue, cudaMallocArray(&array, &channels, 1000000, 8));
  EXPECT_EQ(cudaErrorInvalidValue,
            cudaMalloc3DArray(&array, &channels, make_cudaExtent(8, 4, 6), cudaArrayCubemap));
  EXPECT_EQ(cudaErrorInvalidValue,
            cudaMalloc3DArray(&array, &channels, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
  cudaGetLastError();
}

TEST(Arrays, InfoAndCopiesOfParts) {
  cudaArray_t a = nullptr, b = nullptr;
  const auto channels = cudaCreateChannelDesc<float>();
  EXPECT_CUDA(cudaMallocArray(&a, &channels, 8, 4, cudaArraySurfaceLoadStore));
  EXPECT_CUDA(cudaMallocArray(&b, &channels, 8, 4));
  cudaChannelFormatDesc found = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  EXPECT_CUDA(cudaGetChannelDesc(&found, a));
  EXPECT_CUDA(cudaArrayGetInfo(nullptr, &extent, &flags, a));
  EXPECT_EQ(std::make_tuple(32, 0, cudaChannelFormatKindFloat),
            std::make_tuple(found.x, found.y, found.f));
  EXPECT_EQ(std::make_tuple(size_t{8}, size_t{4}, size_t{0}),
            std::make_tuple(extent.width, extent.height, extent.depth));
  EXPECT_EQ(static_cast<unsigned>(cudaArraySurfaceLoadStore), flags);

  const auto values = counting(32);
  EXPECT_CUDA(cudaMemcpy2DToArray(a, 0, 0, values.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  EXPECT_CUDA(cudaMemcpy2DArrayToArray(b, 8, 1, a, 4, 0, 12,
                                       2));  // texels 1..3 of rows 0..1 to 2..4 of rows 1..2
  std::vector<float> part(6);
  EXPECT_CUDA(cudaMemcpy2DFromArray(part.data(), 12, b, 8, 1, 12, 2, cudaMemcpyDeviceToHost));
  EXPECT_EQ((Values{1, 2, 3, 9, 10, 11}), part);
  EXPECT_EQ(cudaErrorInvalidValue,
            cudaMemcpy2DToArray(a, 4, 0, values.data(), 32, 32, 4, cudaMemcpyHostToDevice));
  EXPECT_EQ(cudaErrorInvalidPitchValue,
            cudaMemcpy2DToArray(a, 0, 0, values.data(), 16, 32, 4, cudaMemcpyHostToDevice));
  cudaGetLastError();
  EXPECT_CUDA(cudaFreeArray(a));
  EXPECT_CUDA(cudaFreeArray(b));
}

TEST(Arrays, Copy3DOfABox) {
  cudaArray_t array = nullptr;
  const auto channels = cudaCreateChannelDesc<float>();
  EXPECT_CUDA(cudaMalloc3DArray(&array, &channels, make_cudaExtent(4, 3, 2)));
  auto values = counting(24);
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(values.data(), 16, 4, 3);
  in.dstArray = array;
  in.extent = make_cudaExtent(4, 3, 2);
  in.kind = cudaMemcpyHostToDevice;
  EXPECT_CUDA(cudaMemcpy3D(&in));
  std::vector<float> box(4, -1.0f);
  cudaMemcpy3DParms out = {};
  out.srcArray = array;
  out.srcPos = make_cudaPos(1, 1, 0);
  out.dstPtr = make_cudaPitchedPtr(box.data(), 8, 2, 1);
  out.extent = make_cudaExtent(2, 1, 2);
  out.kind = cudaMemcpyDeviceToHost;
  EXPECT_CUDA(cudaMemcpy3D(&out));
  EXPECT_EQ((Values{5, 6, 17, 18}), box);
  EXPECT_CUDA(cudaFreeArray(array));
}

// ---- surfaces

// An array, and its surface.
struct Surface {
  explicit Surface(cudaExtent extent, unsigned flags = 0) {
    const auto channels = cudaCreateChannelDesc<float>();
    EXPECT_EQ(cudaMalloc3DArray(&array, &channels, extent, flags | cudaArraySurfaceLoadStore),
              cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    EXPECT_EQ(cudaCreateSurfaceObject(&object, &resource), cudaSuccess);
  }
  Surface(const Surface&) = delete;
  ~Surface() {
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
  }
  cudaArray_t array = nullptr;
  cudaSurfaceObject_t object = 0;
};

__global__ void surface_modes_kernel(float* seen, cudaSurfaceObject_t surface) {
  constexpr int f = sizeof(float);
  surf2Dwrite(100.0f, surface, 1 * f, 1);
  surf2Dwrite(200.0f, surface, -1 * f, 0, cudaBoundaryModeZero);  // outside: not written
  surf2Dwrite(300.0f, surface, 9 * f, 9, cudaBoundaryModeClamp);  // the last texel
  seen[0] = surf2Dread<float>(surface, 1 * f, 1);
  seen[1] = surf2Dread<float>(surface, -1 * f, 0, cudaBoundaryModeZero);
  seen[2] = surf2Dread<float>(surface, -1 * f, -5, cudaBoundaryModeClamp);
  seen[3] = surf2Dread<float>(surface, 3 * f, 2);
  seen[4] = surf2Dread<float>(surface, 4 * f, 0, cudaBoundaryModeZero);
}

TEST(Surfaces, BoundaryModes) {
  const Surface surface(make_cudaExtent(4, 3, 0));
  auto values = counting(12);
  for (float& v : values) v += 1;
  EXPECT_CUDA(
      cudaMemcpy2DToArray(surface.array, 0, 0, values.data(), 16, 16, 3, cudaMemcpyHostToDevice));
  const Device<float> seen(5);
  surface_modes_kernel<<<1, 1>>>(seen.get(), surface.object);
  EXPECT_EQ((Values{100, 0, 1, 300, 0}), seen.read());
}

__global__ void surface_kinds_kernel(cudaSurfaceObject_t one, cudaSurfaceObject_t three,
                                     cudaSurfaceObject_t layers1, cudaSurfaceObject_t layers2,
                                     float* seen) {
  constexpr int f = sizeof(float);
  surf1Dwrite(1.0f, one, 3 * f);
  surf3Dwrite(2.0f, three, 1 * f, 2, 3);
  surf1DLayeredwrite(3.0f, layers1, 2 * f, 1);
  surf2DLayeredwrite(4.0f, layers2, 2 * f, 1, 2);
  seen[0] = surf1Dread<float>(one, 3 * f);
  seen[1] = surf3Dread<float>(three, 1 * f, 2, 3);
  seen[2] = surf1DLayeredread<float>(layers1, 2 * f, 1);
  seen[3] = surf2DLayeredread<float>(layers2, 2 * f, 1, 2);
}

TEST(Surfaces, OneThreeAndLayers) {
  const Surface one(make_cudaExtent(4, 0, 0)), three(make_cudaExtent(4, 4, 4)),
      layers1(make_cudaExtent(4, 0, 2), cudaArrayLayered),
      layers2(make_cudaExtent(4, 4, 3), cudaArrayLayered);
  const Device<float> seen(4);
  surface_kinds_kernel<<<1, 1>>>(one.object, three.object, layers1.object, layers2.object,
                                 seen.get());
  EXPECT_EQ((Values{1, 2, 3, 4}), seen.read());
}

#ifdef EMULATED_DEVICE
// ---- what only the emulated device reports by name

__global__ void fetch_one_kernel(cudaTextureObject_t texture, float* result) {
  *result = tex2D<float>(texture, 0.5f, 0.5f);
}
__global__ void write_outside_kernel(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, 400, 0);
}

class TextureMisuse : public testing::Test {
 protected:
  void TearDown() override { cudaDeviceReset(); }
};

TEST_F(TextureMisuse, DestroyedObject) {
  float* result = nullptr;
  EXPECT_CUDA(cudaMalloc(&result, sizeof(float)));
  cudaTextureObject_t object = 0;
  {
    const Texture texture(counting(4), cudaCreateChannelDesc<float>(), make_cudaExtent(2, 2, 0),
                          {});
    object = texture.object();
    fetch_one_kernel<<<1, 1>>>(object, result);
    EXPECT_CUDA(cudaDeviceSynchronize());
  }
  testing::internal::CaptureStderr();
  fetch_one_kernel<<<1, 1>>>(object, result);
  EXPECT_NE(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find("tex2D"));
}

TEST_F(TextureMisuse, SurfaceWriteOutside) {
  const Surface surface(make_cudaExtent(4, 4, 0));
  testing::internal::CaptureStderr();
  write_outside_kernel<<<1, 1>>>(surface.object);
  EXPECT_NE(cudaSuccess, cudaDeviceSynchronize());
  EXPECT_NE(std::string::npos, testing::internal::GetCapturedStderr().find("surf2Dwrite"));
}
#endif
