// texture_modes - one small picture, read far beyond its edges, in every address mode and filter mode.
//
// Programming guide, "Texture Memory" and "Texture Fetching": address modes wrap, mirror, clamp, border;
// filter modes point, linear; read modes element type (the integer as it is stored) and normalized float
// (8-bit 255 reads as 1.0; signed integers as -1.0 to 1.0; 16-bit ones likewise).
// Terms (docs/glossary.md): texture.
//
//   ./run texture_modes                                 # a window where there is a display
//   ./run texture_modes --headless --output modes.png
//   ./run texture_modes --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: a grid of cells; the frame in the middle of each is the picture itself, the rest lies beyond
// its edges. Below: six integers of each small type, and what they read as with normalized float.
#include <algorithm>
#include <limits>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "colors.h"
#include "cpu_texture.h"
#include "modes_picture.h"
#include "pictures.h"

constexpr cudaTextureAddressMode cuda_modes[modes] = {cudaAddressModeWrap, cudaAddressModeMirror,
                                                      cudaAddressModeClamp, cudaAddressModeBorder};
constexpr reference::Address reference_modes[modes] = {reference::Address::wrap, reference::Address::mirror,
                                                       reference::Address::clamp, reference::Address::border};
constexpr cudaTextureFilterMode cuda_filters[filters] = {cudaFilterModePoint, cudaFilterModeLinear};
// The texture unit keeps the border's color in the texels' own format, so these are whole numbers of 255ths.
constexpr float border_color[4] = {230 / 255.0f, 77 / 255.0f, 140 / 255.0f, 1.0f};

// Where pixel i of n reads: from -1 (one picture's width before the picture) to 2 (one beyond it).
__host__ __device__ float coordinate(int i, int n) { return -1.0f + 3.0f * ((i + 0.5f) / n); }

// Fills one cell of a picture of dim x dim. One thread per pixel of the cell.
__global__ void cell_kernel(float4* colors, int dim, Cell cell, cudaTextureObject_t texture) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= cell.width || y >= cell.height) return;
  colors[cell.x + x + static_cast<size_t>(cell.y + y) * dim] =
      tex2D<float4>(texture, coordinate(x, cell.width), coordinate(y, cell.height));
}

// The same texels through both read modes. One thread per texel. Integer is the texels' own type.
template <class Integer>
__global__ void read_mode_kernel(Integer* as_element, float* as_float, cudaTextureObject_t element,
                                 cudaTextureObject_t normalized) {
  const int i = threadIdx.x;
  as_element[i] = tex1D<Integer>(element, i + 0.5f);
  as_float[i] = tex1D<float>(normalized, i + 0.5f);
}

// A texture of an array; only what differs between the textures here is a parameter.
cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                                 cudaTextureReadMode read, bool normalized_coordinates) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = mode;
  sampling.filterMode = filter;
  sampling.readMode = read;
  sampling.normalizedCoords = normalized_coordinates;  // without them wrap and mirror do not exist
  std::copy_n(border_color, 4, sampling.borderColor);
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

// All cells, into dim x dim colors in device memory.
void draw_grid(float4* colors, int dim, cudaArray_t array) {
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      const Cell cell = cell_at(column, row, dim);
      if (cell.width < 1 || cell.height < 1) continue;
      const cudaTextureObject_t texture =
          make_texture(array, cuda_modes[column], cuda_filters[row], cudaReadModeNormalizedFloat, true);
      const dim3 threads(32, 8), blocks(div_up(cell.width, 32), div_up(cell.height, 8));
      cell_kernel<<<blocks, threads>>>(colors, dim, cell, texture);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaDeviceSynchronize());  // the texture must live until the kernel has ended
      HANDLE_ERROR(cudaDestroyTextureObject(texture));
    }
}

// Some integers of a type, from the least to the largest, and what both read modes make of them.
template <class Integer>
ReadModes<Integer> read_both_ways() {
  ReadModes<Integer> result;
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<Integer>();
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &texel, integers));  // no height: one-dimensional
  const size_t row = integers * sizeof(Integer);
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, result.stored.data(), row, row, 1, cudaMemcpyHostToDevice));
  const cudaTextureObject_t element =
      make_texture(array, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
  const cudaTextureObject_t normalized =
      make_texture(array, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
  Integer* elements;
  float* floats;
  HANDLE_ERROR(cudaMalloc(&elements, row));
  HANDLE_ERROR(cudaMalloc(&floats, integers * sizeof(float)));
  read_mode_kernel<<<1, integers>>>(elements, floats, element, normalized);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(result.elements.data(), elements, row, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(result.floats.data(), floats, integers * sizeof(float), cudaMemcpyDeviceToHost));

  HANDLE_ERROR(cudaDestroyTextureObject(element));
  HANDLE_ERROR(cudaDestroyTextureObject(normalized));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(elements));
  HANDLE_ERROR(cudaFree(floats));
  return result;
}

// CPU reference of normalized float: unsigned 0..max reads as 0..1; signed -max..max as -1..1, and the one
// value below -max as -1 too.
template <class Integer>
bool check_read_modes(const ReadModes<Integer>& read) {
  std::vector<float> expected;
  for (const Integer v : read.stored)
    expected.push_back(std::max(v / static_cast<float>(std::numeric_limits<Integer>::max()), -1.0f));
  const bool elements = check_equal("integer read as element", read.elements, read.stored);
  return check_equal("integer read as float", read.floats, expected) && elements;
}

// CPU reference of the grid.
std::vector<float4> reference_grid(int dim) {
  std::vector<float4> colors(static_cast<size_t>(dim) * dim, float4{0, 0, 0, 0});
  auto texture = reference_texture(arrow_picture());
  texture.normalized = true;
  texture.border = {border_color[0], border_color[1], border_color[2], border_color[3]};
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      texture.address = reference_modes[column];
      texture.linear = cuda_filters[row] == cudaFilterModeLinear;
      const Cell cell = cell_at(column, row, dim);
      for (int y = 0; y < cell.height; ++y)
        for (int x = 0; x < cell.width; ++x)
          colors[(cell.y + y) * static_cast<size_t>(dim) + cell.x + x] =
              reference::tex2d(texture, coordinate(x, cell.width), coordinate(y, cell.height));
    }
  return colors;
}

int main(int argc, char** argv) {
  Options options("texture_modes", "One picture in every address, filter and read mode of textures.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const int dim = options.size;
  const size_t bytes = sizeof(float4) * dim * dim;

  const Image picture = arrow_picture();
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  const size_t row = picture.width * sizeof(uchar4);
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &texel, picture.width, picture.height));
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, picture.rgba.data(), row, row, picture.height,
                                   cudaMemcpyHostToDevice));
  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, bytes));
  HANDLE_ERROR(cudaMemset(colors, 0, bytes));
  draw_grid(colors, dim, array);
  std::vector<float4> got(static_cast<size_t>(dim) * dim);
  HANDLE_ERROR(cudaMemcpy(got.data(), colors, bytes, cudaMemcpyDeviceToHost));

  const auto u8 = read_both_ways<unsigned char>();
  const auto s8 = read_both_ways<signed char>();
  const auto u16 = read_both_ways<unsigned short>();
  const auto s16 = read_both_ways<short>();

  bool passed = true;
  if (options.check || options.benchmark) {
    passed = check_near("color", components(got), components(reference_grid(dim)), 1.0f / 512);
    passed &= check_read_modes(u8) & check_read_modes(s8) & check_read_modes(u16) & check_read_modes(s16);
  }
  if (options.benchmark && passed) {
    BenchmarkTable table(options.name());
    table.add("all cells, with textures", measure_host([&] { draw_grid(colors, dim, array); }), 0.75 * bytes);
    table.print();
  }

  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  if (options.check || options.benchmark) return verdict(options.name(), passed);

  Image image = picture_of(got, dim, dim);
  label_cells(image);
  draw_read_modes(image, 0, "unsigned char", u8);
  draw_read_modes(image, 1, "signed char", s8);
  draw_read_modes(image, 2, "unsigned short", u16);
  draw_read_modes(image, 3, "short", s16);
  return present(options, image);
}
