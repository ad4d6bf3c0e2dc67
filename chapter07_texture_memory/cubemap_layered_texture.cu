// cubemap_layered_texture - four landscapes in one array of cubemaps; every tile of the picture picks one.
//
// Programming guide, "Cubemap Layered Textures": cudaArrayCubemap | cudaArrayLayered; the array's depth is
// six times the number of cubemaps; texCubemapLayered takes a direction and a layer.
//
//   cubemap_layered_texture                               a window where there is a display
//   cubemap_layered_texture --headless --output balls.png
//   cubemap_layered_texture --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: the same ball four times: at noon, at sunset, at night and in a studio.
#include <cstring>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "environment.h"
#include "mirror_ball.h"
#include "pictures.h"
#include "texture_objects.h"

constexpr float view_angle = 0.6f;
constexpr const char* scene_names[scenes] = {"layer 0: noon", "layer 1: sunset", "layer 2: night",
                                             "layer 3: studio"};

// Texels a side: enough for a tile, a power of two.
int face_size(int dim) {
  int size = 16;
  while (size < dim / 4 && size < 256) size *= 2;
  return size;
}

// All faces of all landscapes, one after another: face index = 6 * layer + face.
std::vector<reference::Color4> all_faces(int size) {
  std::vector<reference::Color4> texels;
  for (int scene = 0; scene < scenes; ++scene) {
    const auto faces = environment_faces(static_cast<Scene>(scene), size);
    texels.insert(texels.end(), faces.begin(), faces.end());
  }
  return texels;
}

// Which tile a pixel lies in, and where (-1..1). Tiles 0 and 1 are above 2 and 3.
struct TilePlace {
  int layer;
  float u, v;
};

__host__ __device__ TilePlace tile_place(int x, int y, int dim) {
  const float u = (x + 0.5f) / dim * 2, v = (y + 0.5f) / dim * 2;
  const int column = static_cast<int>(u), row = static_cast<int>(v);
  return {column + 2 * (1 - row), 2 * (u - column) - 1, 2 * (v - row) - 1};
}

std::vector<float> reference_picture(const std::vector<reference::Color4>& texels, int dim) {
  const auto faces = reference_faces(texels, face_size(dim));
  const Camera camera = camera_at(view_angle);
  std::vector<float> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const TilePlace tile = tile_place(x, y, dim);
      const auto [d, weight] = look(camera, tile.u, tile.v);
      append(colors, weight * reference::tex_cubemap(faces, d.x, d.y, d.z, 6 * tile.layer));
    }
  return colors;
}

// One thread a pixel.
__global__ void balls_kernel(float4* colors, cudaTextureObject_t landscapes, int dim, Camera camera) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const TilePlace tile = tile_place(x, y, dim);
  const Sight sight = look(camera, tile.u, tile.v);
  const float4 c = texCubemapLayered<float4>(landscapes, sight.direction.x, sight.direction.y,
                                             sight.direction.z, tile.layer);
  colors[x + static_cast<size_t>(y) * dim] =
      make_float4(sight.weight * c.x, sight.weight * c.y, sight.weight * c.z, sight.weight * c.w);
}

// Several cubemaps in one array, and the texture that reads them.
struct CubemapStack {
  ArrayOwner array;
  TextureOwner texture;

  CubemapStack(std::vector<reference::Color4> texels, int size) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
    const cudaExtent extent = make_cudaExtent(size, size, 6 * scenes);
    HANDLE_ERROR(cudaMalloc3DArray(&array.handle, &texel, extent, cudaArrayCubemap | cudaArrayLayered));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(float4), size, size);
    copy.dstArray = array.handle;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    HANDLE_ERROR(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array.handle;
    cudaTextureDesc sampling = {};
    for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeElementType;
    sampling.normalizedCoords = 1;
    HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));
  }
};

int main(int argc, char** argv) {
  Options options("cubemap_layered_texture", "Mirror balls in four landscapes of one cubemap array.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size, size = face_size(dim);
  require_limit(options, "A face of the cubemaps", size, cudaDevAttrMaxTextureCubemapLayeredWidth);
  const std::vector<reference::Color4> texels = all_faces(size);
  const CubemapStack stack(texels, size);
  const Canvas canvas(dim, dim);
  auto draw = [&] {
    balls_kernel<<<canvas_blocks(dim, dim), canvas_threads()>>>(canvas.colors(), stack.texture.handle, dim,
                                                                camera_at(view_angle));
    HANDLE_ERROR(cudaGetLastError());
  };
  draw();
  if (options.check || options.benchmark) {
    // The guide leaves open how exactly s / m is computed: the fraction may be off by 1/256 in both
    // directions.
    const float tolerance = 1.0f / 512 + 2.0f / 256 * largest_step(texels, size);
    const auto expected = reference_picture(texels, dim);
    const bool passed = check_near("colour", canvas.download(), expected, tolerance);
    return conclude(options, passed, draw, 2.0 * sizeof(float4) * dim * dim);
  }

  Image image(dim, dim);
  canvas.draw(image.rgba.data());
  for (int k = 0; k < scenes; ++k)
    label(image, k % 2 * (dim / 2), (1 - k / 2) * (dim / 2), dim / 2, scene_names[k], dim / 340);
  CPUBitmap bitmap(dim, dim);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
