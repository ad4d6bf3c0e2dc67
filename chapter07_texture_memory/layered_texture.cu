// layered_texture - a stack of pictures in one texture: filtered within a layer, never across layers.
//
// Programming guide, "Layered Textures": cudaMalloc3DArray with cudaArrayLayered, cudaMemcpy3D, tex1DLayered
// and tex2DLayered. The layer is an integer.
//
//   layered_texture                               a window where there is a display
//   layered_texture --headless --output layers.png
//   layered_texture --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: above, the four layers of a 2D layered texture side by side; in the middle one picture whose
// layer changes from left to right: hard edges; below, a 1D layered texture, every layer a line: smooth along
// a line, hard edges from line to line.
#include <cstring>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "pictures.h"
#include "texture_objects.h"
#include "texture_reference.h"

constexpr int plane_size = 16, planes = 4;  // 2D: four layers of 16 x 16 texels
constexpr int line_size = 8, lines = 6;     // 1D: six layers of 8 texels

// The layers one after another; layer k of the planes has pattern k, every line its own colours.
std::vector<float4> plane_texels() {
  std::vector<float4> texels;
  for (int k = 0; k < planes; ++k)
    for (int y = 0; y < plane_size; ++y)
      for (int x = 0; x < plane_size; ++x) {
        const int dx = 2 * x - plane_size + 1, dy = 2 * y - plane_size + 1;
        const bool ink[planes] = {x / 2 % 2 == 0, y / 2 % 2 == 0, (x / 4 + y / 4) % 2 == 0,
                                  (dx * dx + dy * dy) / 40 % 2 == 0};
        constexpr float4 colors[planes] = {{0.95f, 0.35f, 0.25f, 1},
                                           {0.25f, 0.7f, 0.35f, 1},
                                           {0.25f, 0.45f, 0.95f, 1},
                                           {0.9f, 0.7f, 0.2f, 1}};
        const float shade = ink[k] ? 1.0f : 0.15f;
        texels.push_back({colors[k].x * shade, colors[k].y * shade, colors[k].z * shade, 1});
      }
  return texels;
}

std::vector<float4> line_texels() {
  std::vector<float4> texels;
  for (int k = 0; k < lines; ++k)
    for (int x = 0; x < line_size; ++x) {
      const float t = static_cast<float>(x) / (line_size - 1), s = static_cast<float>(k) / (lines - 1);
      texels.push_back(k % 2 == 0 ? float4{t, s, 1 - t, 1} : float4{x % 2 == 0 ? 1.0f : 0.1f, 1 - s, s, 1});
    }
  return texels;
}

// What a pixel shows: a place in layer `layer` of the planes (kind 2) or of the lines (kind 1).
struct Place {
  int kind, layer;
  float x, y;  // texels
};

// Three bands of a third of the picture each, from the top: side by side, layers from left to right, lines.
__host__ __device__ Place place_of(int px, int py, int dim) {
  const float u = (px + 0.5f) / dim, v = (py + 0.5f) / dim;
  const int band = static_cast<int>(v * 3);
  const float w = v * 3 - band;  // 0..1 within the band
  if (band == 0) return {1, static_cast<int>(w * lines), u * line_size, 0};
  const int layer = static_cast<int>(u * planes);
  if (band == 1) return {2, layer, u * plane_size, w * plane_size};
  return {2, layer, (u * planes - layer) * plane_size, w * plane_size};
}

std::vector<float> reference_picture(int dim) {
  auto layers_of = [](const std::vector<float4>& texels, int width, int height) {
    std::vector<reference::Texture<reference::Color4>> layers;
    for (size_t first = 0; first < texels.size(); first += static_cast<size_t>(width) * height) {
      reference::Texture<reference::Color4> layer;
      layer.width = width;
      layer.height = height;
      layer.linear = true;
      for (int i = 0; i < width * height; ++i) {
        const float4 c = texels[first + i];
        layer.texels.push_back({c.x, c.y, c.z, c.w});
      }
      layers.push_back(layer);
    }
    return layers;
  };
  const auto plane_layers = layers_of(plane_texels(), plane_size, plane_size);
  const auto line_layers = layers_of(line_texels(), line_size, 1);
  std::vector<float> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const Place p = place_of(x, y, dim);
      append(colors, p.kind == 2 ? reference::tex2d(reference::layer(plane_layers, p.layer), p.x, p.y)
                                 : reference::tex1d(reference::layer(line_layers, p.layer), p.x));
    }
  return colors;
}

// One thread a pixel.
__global__ void layers_kernel(float4* colors, cudaTextureObject_t plane_stack, cudaTextureObject_t line_stack,
                              int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const Place p = place_of(x, y, dim);
  colors[x + static_cast<size_t>(y) * dim] = p.kind == 2
                                                 ? tex2DLayered<float4>(plane_stack, p.x, p.y, p.layer)
                                                 : tex1DLayered<float4>(line_stack, p.x, p.layer);
}

// A layered array (height 0: of lines) and its texture.
struct LayeredTexture {
  ArrayOwner array;
  TextureOwner texture;

  LayeredTexture(std::vector<float4> texels, int width, int height, int layers) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
    HANDLE_ERROR(
        cudaMalloc3DArray(&array.handle, &texel, make_cudaExtent(width, height, layers), cudaArrayLayered));
    // One copy for all layers. In the copy's extent a line has height 1.
    const int rows = height > 0 ? height : 1;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float4), width, rows);
    copy.dstArray = array.handle;
    copy.extent = make_cudaExtent(width, rows, layers);
    copy.kind = cudaMemcpyHostToDevice;
    HANDLE_ERROR(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array.handle;
    cudaTextureDesc sampling = {};
    for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeElementType;
    HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));
  }
};

int main(int argc, char** argv) {
  Options options("layered_texture", "1D and 2D layered textures, layer beside layer.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const LayeredTexture plane_stack(plane_texels(), plane_size, plane_size, planes);
  const LayeredTexture line_stack(line_texels(), line_size, 0, lines);
  const Canvas canvas(dim, dim);
  auto draw = [&] {
    layers_kernel<<<canvas_blocks(dim, dim), canvas_threads()>>>(canvas.colors(), plane_stack.texture.handle,
                                                                 line_stack.texture.handle, dim);
    HANDLE_ERROR(cudaGetLastError());
  };
  draw();
  if (options.check || options.benchmark) {
    const bool passed = check_near("colour", canvas.download(), reference_picture(dim), 1.0f / 512);
    return conclude(options, passed, draw, 1.0 * sizeof(float4) * dim * dim);
  }

  Image image(dim, dim);
  canvas.draw(image.rgba.data());
  const int scale = dim / 340, third = dim / 3;
  for (int k = 0; k < planes; ++k)
    label(image, k * dim / planes, 2 * third + 1, dim / planes, "layer " + std::to_string(k), scale);
  label(image, 0, third + 1, dim, "tex2DLayered, the layer grows from left to right", scale);
  label(image, 0, 0, dim, "tex1DLayered, 6 layers of 8 texels", scale);
  CPUBitmap bitmap(dim, dim);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
