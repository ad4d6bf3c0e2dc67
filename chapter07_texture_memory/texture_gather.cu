// texture_gather - tex2Dgather: one component of the four texels that linear filtering mixes.
//
// Programming guide, "Texture Gather": for a filter of your own. The order is (i, j + 1),
// (i + 1, j + 1), (i + 1, j), (i, j). The array needs cudaArrayTextureGather. The pitfall is the
// fraction of 8 bits (README.md, "Filtering, and its 8-bit fraction").
// Terms (docs/glossary.md): texture.
//
//   ./run texture_gather                                # a window if there is a display
//   ./run texture_gather --headless --output gather.png
//   ./run texture_gather --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: the texels around two positions 0.001 apart, with the four that gather returns
// bright. x - 0.5 = 1.99805 is below 2, yet gather reads columns 2 and 3.
#include <iterator>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/random.h"
#include "cpu_texture.h"
#include "texture_gather_picture.h"

constexpr int side = 6;  // the texture is 6 x 6
// The second is the guide's example; the first is slightly to the left of it.
constexpr float2 places[2] = {{2.49705f, 2.7f}, {2.49805f, 2.7f}};

// The four texels around each point, per component, and the filtered component 0. One thread per
// point; `gathered` has four elements per point. The component must be known at
// compile time.
__global__ void gather_kernel(float4* gathered, float* filtered, cudaTextureObject_t texture,
                              const float2* points, int count) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const float2 p = points[i];
  gathered[4 * i] = tex2Dgather<float4>(texture, p.x, p.y, 0);
  gathered[4 * i + 1] = tex2Dgather<float4>(texture, p.x, p.y, 1);
  gathered[4 * i + 2] = tex2Dgather<float4>(texture, p.x, p.y, 2);
  gathered[4 * i + 3] = tex2Dgather<float4>(texture, p.x, p.y, 3);
  filtered[i] = tex2D<float4>(texture, p.x, p.y).x;
}

// Component c of texel (x, y): 100 c + 10 y + x, so a value shows its origin.
float texel_value(int component, int x, int y) { return 100.0f * component + 10.0f * y + x; }

// CPU reference: the four texels that linear filtering would use, in the order of tex2Dgather.
std::vector<float> gathered_texels(const reference::Texture<float>& t, float2 p) {
  const int i = reference::position(p.x).index;
  const int j = reference::position(p.y).index;
  return {t.at(i, j + 1), t.at(i + 1, j + 1), t.at(i + 1, j), t.at(i, j)};
}

// For each point four texels of each of the four components, and the filtered component 0.
Gathered reference_gather(const std::vector<float2>& points) {
  reference::Texture<float> textures[4];
  for (int c = 0; c < 4; ++c) {
    textures[c] = {.width = side, .height = side, .linear = true};
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) textures[c].texels.push_back(texel_value(c, x, y));
  }
  Gathered result;
  for (const float2& p : points) {
    for (const auto& texture : textures)
      for (const float v : gathered_texels(texture, p)) result.texels.push_back(v);
    result.filtered.push_back(reference::tex2d(textures[0], p.x, p.y));
  }
  return result;
}

// The examples and, for --check, random places inside and outside.
std::vector<float2> points_for(const Options& options) {
  std::vector<float2> points(std::begin(places), std::end(places));
  if (!options.check) return points;
  Random random(options.seed);
  for (int i = 0; i < 1000 + 16 * options.size; ++i)
    points.push_back({random.uniform(-2, side + 2), random.uniform(-2, side + 2)});
  return points;
}

bool check(const Gathered& got, const Gathered& expected) {
  const bool texels = check_equal("gathered texel", got.texels, expected.texels);
  // Texels differ by at most 11 from (i, j) to (i + 1, j + 1): the guide leaves 1/512 of that open.
  return check_near("filtered value", got.filtered, expected.filtered, 11.0f / 512) && texels;
}

int main(int argc, char** argv) {
  Options options("texture_gather",
                  Common::picture | Common::seed | Common::check | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const std::vector<float2> points = points_for(options);
  const size_t count = points.size();

  std::vector<float4> texels;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      texels.push_back(
          {texel_value(0, x, y), texel_value(1, x, y), texel_value(2, x, y), texel_value(3, x, y)});
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
  const size_t row = side * sizeof(float4);
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &texel, side, side, cudaArrayTextureGather));
  HANDLE_ERROR(
      cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, side, cudaMemcpyHostToDevice));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeClamp;
  sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));

  float2* device_points;
  float4* gathered;
  float* filtered;
  HANDLE_ERROR(cudaMalloc(&device_points, count * sizeof(float2)));
  HANDLE_ERROR(cudaMalloc(&gathered, 4 * count * sizeof(float4)));
  HANDLE_ERROR(cudaMalloc(&filtered, count * sizeof(float)));
  HANDLE_ERROR(
      cudaMemcpy(device_points, points.data(), count * sizeof(float2), cudaMemcpyHostToDevice));

  gather_kernel<<<div_up<unsigned>(count, 128), 128>>>(gathered, filtered, texture, device_points,
                                                       count);
  HANDLE_ERROR(cudaGetLastError());
  Gathered got{std::vector<float>(16 * count), std::vector<float>(count)};
  HANDLE_ERROR(
      cudaMemcpy(got.texels.data(), gathered, 4 * count * sizeof(float4), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(
      cudaMemcpy(got.filtered.data(), filtered, count * sizeof(float), cudaMemcpyDeviceToHost));

  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(device_points));
  HANDLE_ERROR(cudaFree(gathered));
  HANDLE_ERROR(cudaFree(filtered));
  if (options.check) return verdict(options.name(), check(got, reference_gather(points)));

  print_examples(places, got);
  return present(options, draw_examples(places, got, options.size));
}
