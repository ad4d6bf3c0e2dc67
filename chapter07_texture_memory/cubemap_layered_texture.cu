// cubemap_layered_texture - four landscapes in one array of cubemaps; each tile selects one.
//
// Programming guide, "Cubemap Layered Textures": cudaArrayCubemap | cudaArrayLayered; the array's
// depth is six times the number of cubemaps; texCubemapLayered takes a direction and a layer.
// Terms (docs/glossary.md): texture.
//
//   ./run cubemap_layered_texture                               # a window if there is a display
//   ./run cubemap_layered_texture --headless --output balls.png
//   ./run cubemap_layered_texture --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: the same ball four times: at noon, at sunset, at night and in fog.
#include <iterator>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "mirror_ball.h"
#include "texture_common.h"

constexpr int scenes = std::size(landscapes);
constexpr int face_size = 128;  // texels per side of a face
constexpr float view_angle = 0.6f;

// The tile of a pixel, and the place in the tile (-1..1). Tiles 0 and 1 are above 2 and 3.
struct TilePlace {
  int layer;
  float u;
  float v;
};

__host__ __device__ TilePlace tile_place(int x, int y, int dim) {
  const float u = (x + 0.5f) / dim * 2;
  const float v = (y + 0.5f) / dim * 2;
  const int column = static_cast<int>(u);
  const int row = static_cast<int>(v);
  return {column + 2 * (1 - row), 2 * (u - column) - 1, 2 * (v - row) - 1};
}

// One thread per pixel of dim x dim.
__global__ void balls_kernel(float4* colors, cudaTextureObject_t cubemaps, int dim, Camera camera) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const TilePlace tile = tile_place(x, y, dim);
  const auto [d, weight] = look(camera, tile.u, tile.v);
  colors[x + static_cast<size_t>(y) * dim] =
      weight * texCubemapLayered<float4>(cubemaps, d.x, d.y, d.z, tile.layer);
}

// All faces of all landscapes, one after another: face index = 6 * layer + face.
std::vector<float4> all_faces() {
  std::vector<float4> texels;
  for (const Landscape& land : landscapes) {
    const auto faces = faces_of(land, face_size);
    texels.insert(texels.end(), faces.begin(), faces.end());
  }
  return texels;
}

// CPU reference: face `face` of layer `layer` is texture 6 * layer + face.
std::vector<float4> reference_picture(const std::vector<float4>& texels, int dim) {
  const auto faces = reference::layers(texels, face_size, face_size);
  const Camera camera{angle_of(view_angle)};
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const TilePlace tile = tile_place(x, y, dim);
      const auto [d, weight] = look(camera, tile.u, tile.v);
      colors.push_back(weight * reference_cubemap(faces, d, tile.layer));
    }
  return colors;
}

int main(int argc, char** argv) {
  Options options("cubemap_layered_texture",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const int dim = options.size;
  const size_t pixels = static_cast<size_t>(dim) * dim;
  std::vector<float4> texels = all_faces();

  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
  const cudaExtent extent = make_cudaExtent(face_size, face_size, 6 * scenes);
  cudaArray_t array;
  HANDLE_ERROR(cudaMalloc3DArray(&array, &texel, extent, cudaArrayCubemap | cudaArrayLayered));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr =
      make_cudaPitchedPtr(texels.data(), face_size * sizeof(float4), face_size, face_size);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  HANDLE_ERROR(cudaMemcpy3D(&copy));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  sampling.normalizedCoords = 1;
  cudaTextureObject_t cubemaps;
  HANDLE_ERROR(cudaCreateTextureObject(&cubemaps, &resource, &sampling, nullptr));

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto draw = [&] {
    balls_kernel<<<blocks, threads>>>(colors, cubemaps, dim, Camera{angle_of(view_angle)});
    HANDLE_ERROR(cudaGetLastError());
  };
  draw();
  std::vector<float4> got(pixels);
  HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));

  bool passed = true;
  if (options.check || options.benchmark)
    passed = check_near("color", components(got), components(reference_picture(texels, dim)),
                        cubemap_tolerance);
  if (options.benchmark && passed)
    print_benchmark(options.name(), "balls_kernel", draw, 2.0 * sizeof(float4) * pixels);

  HANDLE_ERROR(cudaDestroyTextureObject(cubemaps));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  if (options.check || options.benchmark) return verdict(options.name(), passed);

  Image image = picture_of(got, dim);
  const int side = dim / 2;  // of a tile
  for (int k = 0; k < scenes; ++k) {
    const std::string name = "layer " + std::to_string(k) + ": " + landscapes[k].name;
    label(image, k % 2 * side, (1 - k / 2) * side, side, name, dim / 340);
  }
  return present(options, image);
}
