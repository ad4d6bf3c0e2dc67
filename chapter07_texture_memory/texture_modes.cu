// texture_modes - one small picture, far beyond its edges, in every address mode and filter mode.
//
// Programming guide, "Texture Memory" and "Texture Fetching": address modes wrap, mirror, clamp,
// border; filter modes point, linear; read modes element type (the integer as it is stored) and
// normalized float (8-bit 255 reads as 1.0; signed integers as -1.0 to 1.0; 16-bit ones likewise).
// Terms (docs/glossary.md): texture.
//
//   ./run texture_modes                                 # a window if there is a display
//   ./run texture_modes --headless --output modes.png
//   ./run texture_modes --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: a table of cells. The frame in the middle of each is the picture itself; the rest is
// beyond its edges. Below are six integers of each small type, with their values as
// normalized floats.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "texture_common.h"
#include "texture_modes_picture.h"

constexpr cudaTextureAddressMode cuda_modes[modes] = {cudaAddressModeWrap, cudaAddressModeMirror,
                                                      cudaAddressModeClamp, cudaAddressModeBorder};
constexpr reference::Address reference_modes[modes] = {
    reference::Address::wrap, reference::Address::mirror, reference::Address::clamp,
    reference::Address::border};
constexpr cudaTextureFilterMode cuda_filters[filters] = {cudaFilterModePoint, cudaFilterModeLinear};
// The texture unit keeps the border's color in the texels' own format, so these are whole numbers
// of 255ths.
constexpr float border_color[4] = {230 / 255.0f, 77 / 255.0f, 140 / 255.0f, 1.0f};

// The coordinate of pixel i of n: from -1 (one picture's width before it) to 2 (one after it).
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

// A texture of an array; only the settings that differ between the textures are parameters.
cudaTextureObject_t make_texture(cudaArray_t array, cudaTextureAddressMode mode,
                                 cudaTextureFilterMode filter, cudaTextureReadMode read,
                                 bool normalized_coordinates) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = mode;
  sampling.addressMode[1] = mode;
  sampling.filterMode = filter;
  sampling.readMode = read;
  sampling.normalizedCoords = normalized_coordinates;  // without them wrap and mirror do not exist
  std::copy_n(border_color, 4, sampling.borderColor);
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

// Draws all cells into dim x dim colors in device memory.
void draw_table(float4* colors, int dim, cudaArray_t array) {
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      const Cell cell = cell_at(column, row, dim);
      if (cell.width < 1 || cell.height < 1) continue;
      const cudaTextureObject_t texture = make_texture(array, cuda_modes[column], cuda_filters[row],
                                                       cudaReadModeNormalizedFloat, true);
      const dim3 threads(32, 8);
      const dim3 blocks(div_up(cell.width, threads.x), div_up(cell.height, threads.y));
      cell_kernel<<<blocks, threads>>>(colors, dim, cell, texture);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaDeviceSynchronize());  // the texture must live until the kernel has ended
      HANDLE_ERROR(cudaDestroyTextureObject(texture));
    }
}

// The results of a texture for the same texels in both read modes.
template <class Integer>
struct BothWays {
  std::vector<Integer> elements;
  std::vector<float> floats;
};

template <class Integer>
BothWays<Integer> read_both_ways(const std::vector<Integer>& stored) {
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<Integer>();
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &texel, integers));  // no height: one-dimensional
  const size_t row = integers * sizeof(Integer);
  HANDLE_ERROR(
      cudaMemcpy2DToArray(array, 0, 0, stored.data(), row, row, 1, cudaMemcpyHostToDevice));
  const cudaTextureObject_t element = make_texture(array, cudaAddressModeClamp, cudaFilterModePoint,
                                                   cudaReadModeElementType, false);
  const cudaTextureObject_t normalized = make_texture(
      array, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
  Integer* as_element;
  float* as_float;
  HANDLE_ERROR(cudaMalloc(&as_element, row));
  HANDLE_ERROR(cudaMalloc(&as_float, integers * sizeof(float)));
  read_mode_kernel<<<1, integers>>>(as_element, as_float, element, normalized);
  HANDLE_ERROR(cudaGetLastError());
  BothWays<Integer> read{std::vector<Integer>(integers), std::vector<float>(integers)};
  HANDLE_ERROR(cudaMemcpy(read.elements.data(), as_element, row, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(
      cudaMemcpy(read.floats.data(), as_float, integers * sizeof(float), cudaMemcpyDeviceToHost));

  HANDLE_ERROR(cudaDestroyTextureObject(element));
  HANDLE_ERROR(cudaDestroyTextureObject(normalized));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(as_element));
  HANDLE_ERROR(cudaFree(as_float));
  return read;
}

// Six integers of a type, 0, 51, ..., 255 or -128, -77, ..., 127, through both read modes: drawn as
// a line of the picture. Returns whether they are right: unsigned 0..max reads as 0..1; signed
// -max..max as -1..1, and the one value below -max also as -1.
template <class Integer>
bool show_integers(const char* type, int line, Image& image) {
  constexpr long least = std::numeric_limits<Integer>::min();
  constexpr long most = std::numeric_limits<Integer>::max();
  std::vector<Integer> stored(integers);
  std::vector<float> expected(integers);
  for (long i = 0; i < integers; ++i) {
    stored[i] = static_cast<Integer>(least + i * (most - least) / (integers - 1));
    expected[i] = std::max(stored[i] / static_cast<float>(most), -1.0f);
  }
  const auto [elements, floats] = read_both_ways(stored);
  draw_integers(image, line, type, {elements.begin(), elements.end()}, floats);
  const bool same = check_equal(type, elements, stored);
  return check_equal(std::string(type) + " as float", floats, expected) && same;
}

// CPU reference of the table.
std::vector<float4> reference_table(int dim) {
  std::vector<float4> colors(static_cast<size_t>(dim) * dim, float4{0, 0, 0, 0});
  auto texture = reference::normalized(arrow_picture());
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
  Options options("texture_modes",
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
  draw_table(colors, dim, array);
  std::vector<float4> got(static_cast<size_t>(dim) * dim);
  HANDLE_ERROR(cudaMemcpy(got.data(), colors, bytes, cudaMemcpyDeviceToHost));

  Image image = picture_of(got, dim);
  label_cells(image);
  bool passed = show_integers<unsigned char>("unsigned char", 0, image);
  passed = show_integers<signed char>("signed char", 1, image) && passed;
  passed = show_integers<unsigned short>("unsigned short", 2, image) && passed;
  passed = show_integers<short>("short", 3, image) && passed;
  if (options.check || options.benchmark) {
    const std::vector<float4> expected = reference_table(dim);
    passed = check_near("color", components(got), components(expected), 1.0f / 512) && passed;
  }
  if (options.benchmark && passed) {
    BenchmarkTable table(options.name());
    // The cells are the upper three quarters of the picture.
    table.add("all cells, with textures", measure_host([&] { draw_table(colors, dim, array); }),
              0.75 * bytes);
    table.print();
  }

  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  if (options.check || options.benchmark) return verdict(options.name(), passed);
  return present(options, image);
}
