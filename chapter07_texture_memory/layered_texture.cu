// layered_texture - a stack of pictures in one texture: filtered within a layer, never across.
//
// Programming guide, "Layered Textures": cudaMalloc3DArray with cudaArrayLayered, cudaMemcpy3D,
// tex1DLayered and tex2DLayered. The layer is an integer.
// Terms (docs/glossary.md): texture.
//
//   ./run layered_texture                                     # a window if there is a display
//   ./run layered_texture --headless --output layers.png
//   ./run layered_texture --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: above are the layers of a 2D layered texture side by side; below are those of a 1D
// layered texture, one per line. Both are smooth within a layer, with hard edges between layers.
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "layered_texture_picture.h"
#include "texture_common.h"

// The content of a pixel: a place in layer `layer` of the planes (2D) or of the lines (1D).
struct Place {
  bool plane;
  int layer;
  // A place in the picture, in texels.
  float x;
  float y;
};

// The upper half of the picture shows the planes side by side, the lower half the lines.
__host__ __device__ Place place_of(int px, int py, int dim) {
  const float u = (px + 0.5f) / dim;
  const float v = (py + 0.5f) / dim;
  if (v < 0.5f) return {false, static_cast<int>(2 * v * lines), u * line_size, 0.5f};
  const int layer = static_cast<int>(u * planes);
  return {true, layer, (u * planes - layer) * plane_size, (2 * v - 1) * plane_size};
}

// One thread per pixel of dim x dim.
__global__ void layers_kernel(float4* colors, cudaTextureObject_t plane_stack,
                              cudaTextureObject_t line_stack, int dim) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const Place p = place_of(x, y, dim);
  colors[x + static_cast<size_t>(y) * dim] =
      p.plane ? tex2DLayered<float4>(plane_stack, p.x, p.y, p.layer)
              : tex1DLayered<float4>(line_stack, p.x, p.layer);
}

// A layered array of `layers` planes of width x height texels (height 0: of lines of width texels).
cudaArray_t make_layered_array(std::vector<float4> texels, size_t width, size_t height,
                               size_t layers) {
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  HANDLE_ERROR(
      cudaMalloc3DArray(&array, &texel, make_cudaExtent(width, height, layers), cudaArrayLayered));
  // One copy for all layers. In the copy's extent a line has height 1.
  const size_t rows = height > 0 ? height : 1;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float4), width, rows);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, rows, layers);
  copy.kind = cudaMemcpyHostToDevice;
  HANDLE_ERROR(cudaMemcpy3D(&copy));
  return array;
}

cudaTextureObject_t make_texture(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

// CPU reference: a layered texture is a list of textures.
std::vector<float4> reference_picture(int dim) {
  const auto plane_layers = reference::layers(plane_texels(), plane_size, plane_size);
  const auto line_layers = reference::layers(line_texels(), line_size, 1);
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const Place p = place_of(x, y, dim);
      const auto& layers = p.plane ? plane_layers : line_layers;
      colors.push_back(reference::tex2d(layers[p.layer], p.x, p.y));
    }
  return colors;
}

int main(int argc, char** argv) {
  Options options("layered_texture",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const int dim = options.size;
  const size_t pixels = static_cast<size_t>(dim) * dim;

  const cudaArray_t plane_array =
      make_layered_array(plane_texels(), plane_size, plane_size, planes);
  const cudaArray_t line_array = make_layered_array(line_texels(), line_size, 0, lines);
  const cudaTextureObject_t plane_stack = make_texture(plane_array);
  const cudaTextureObject_t line_stack = make_texture(line_array);

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto draw = [&] {
    layers_kernel<<<blocks, threads>>>(colors, plane_stack, line_stack, dim);
    HANDLE_ERROR(cudaGetLastError());
  };
  draw();
  std::vector<float4> got(pixels);
  HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));

  bool passed = true;
  if (options.check || options.benchmark)
    passed = check_near("color", components(got), components(reference_picture(dim)), 1.0f / 512);
  if (options.benchmark && passed)
    print_benchmark(options.name(), "layers_kernel", draw, 1.0 * pixels * sizeof(float4));

  HANDLE_ERROR(cudaDestroyTextureObject(plane_stack));
  HANDLE_ERROR(cudaDestroyTextureObject(line_stack));
  HANDLE_ERROR(cudaFreeArray(plane_array));
  HANDLE_ERROR(cudaFreeArray(line_array));
  HANDLE_ERROR(cudaFree(colors));
  if (options.check || options.benchmark) return verdict(options.name(), passed);

  Image image = picture_of(got, dim);
  label_layers(image);
  return present(options, image);
}
