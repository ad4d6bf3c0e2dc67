// texture_modes - one small picture, read far beyond its edges, in every address mode and filter mode.
//
// Programming guide, "Texture Memory" and "Texture Fetching": address modes wrap, mirror, clamp, border;
// filter modes point, linear; read modes element type (8-bit 255 stays 255) and normalised float (255 reads
// as 1.0).
//
//   texture_modes                                 a window where there is a display
//   texture_modes --headless --output modes.png
//   texture_modes --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: a grid of cells; the frame in the middle of each is the picture itself, the rest lies beyond
// its edges. Below: what the two read modes make of the bytes 0, 51, ..., 255.
#include <cstring>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "canvas.cuh"
#include "pictures.h"
#include "texture_objects.h"
#include "texture_reference.h"

constexpr int texels = 8;  // the picture is 8 x 8
constexpr int modes = 4, filters = 2;
constexpr int levels = 6;  // bytes 0, 51, ..., 255 for the read modes
constexpr const char* mode_names[modes] = {"wrap", "mirror", "clamp", "border"};
constexpr const char* filter_names[filters] = {"point", "linear"};
constexpr cudaTextureAddressMode cuda_modes[modes] = {cudaAddressModeWrap, cudaAddressModeMirror,
                                                      cudaAddressModeClamp, cudaAddressModeBorder};
constexpr reference::Address reference_modes[modes] = {reference::Address::wrap, reference::Address::mirror,
                                                       reference::Address::clamp, reference::Address::border};
// The texture unit keeps the border's colour in the texels' own format, so these are whole numbers of 255ths.
constexpr float border_color[4] = {230 / 255.0f, 77 / 255.0f, 140 / 255.0f, 1.0f};

// An arrow that points up and right on a ground that changes from corner to corner.
Image small_picture() {
  constexpr const char* rows[texels] = {"........", "..#####.", "....###.", "...####.",
                                        "..##.##.", ".##...#.", ".#......", "........"};
  Image image(texels, texels);
  for (int y = 0; y < texels; ++y)
    for (int x = 0; x < texels; ++x) {
      const bool ink = rows[texels - 1 - y][x] == '#';
      unsigned char* p = image.pixel(x, y);
      p[0] = ink ? 255 : static_cast<unsigned char>(20 + 15 * x);
      p[1] = ink ? 235 : static_cast<unsigned char>(60 + 15 * y);
      p[2] = ink ? 120 : static_cast<unsigned char>(190 - 10 * x);
    }
  return image;
}

// A cell of the grid, in pixels; column = address mode, row = filter mode (0 at the top).
struct Cell {
  int x, y, width, height;
};

// The upper three quarters of the picture hold the grid; every cell has a margin.
Cell cell_at(int column, int row, int dim) {
  const int pitch_x = dim / modes, pitch_y = dim * 3 / 8, margin = dim / 64;
  return {column * pitch_x + margin / 2, dim - (row + 1) * pitch_y + margin / 2, pitch_x - margin,
          pitch_y - margin * 3};
}

// Where pixel i of n reads: from -1 (one picture's width before the picture) to 2 (one beyond it).
__host__ __device__ float coordinate(int i, int n) { return -1.0f + 3.0f * ((i + 0.5f) / n); }

std::vector<float> reference_grid(int dim) {
  std::vector<float> colors(static_cast<size_t>(dim) * dim * 4, 0.0f);
  auto texture = reference_texture(small_picture());
  texture.normalized = true;
  texture.border = {border_color[0], border_color[1], border_color[2], border_color[3]};
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      texture.address = reference_modes[column];
      texture.linear = row == 1;
      const Cell cell = cell_at(column, row, dim);
      for (int y = 0; y < cell.height; ++y)
        for (int x = 0; x < cell.width; ++x) {
          const auto c = reference::tex2d(texture, coordinate(x, cell.width), coordinate(y, cell.height));
          std::memcpy(&colors[((cell.y + y) * static_cast<size_t>(dim) + cell.x + x) * 4], &c, sizeof c);
        }
    }
  return colors;
}

// Fills one cell; one thread a pixel of the cell.
__global__ void cell_kernel(float4* colors, int dim, Cell cell, cudaTextureObject_t texture) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= cell.width || y >= cell.height) return;
  colors[cell.x + x + static_cast<size_t>(cell.y + y) * dim] =
      tex2D<float4>(texture, coordinate(x, cell.width), coordinate(y, cell.height));
}

// The same byte through both read modes; one thread a level.
__global__ void read_mode_kernel(unsigned char* as_element, float* as_float, cudaTextureObject_t element,
                                 cudaTextureObject_t normalized) {
  const int i = threadIdx.x;
  as_element[i] = tex1D<unsigned char>(element, i + 0.5f);
  as_float[i] = tex1D<float>(normalized, i + 0.5f);
}

// A texture of an array; only what differs between the cells is a parameter.
TextureOwner make_texture(const ArrayOwner& array, cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                          cudaTextureReadMode read, bool normalized_coordinates) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array.handle;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = mode;
  sampling.filterMode = filter;
  sampling.readMode = read;
  sampling.normalizedCoords =
      normalized_coordinates;  // wrap and mirror exist for normalised coordinates only
  std::memcpy(sampling.borderColor, border_color, sizeof border_color);
  TextureOwner texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));
  return texture;
}

void draw_grid(const Canvas& canvas, int dim) {
  const Image picture = small_picture();
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  const size_t row_bytes = texels * sizeof(uchar4);
  ArrayOwner array;
  HANDLE_ERROR(cudaMallocArray(&array.handle, &texel, texels, texels));
  HANDLE_ERROR(cudaMemcpy2DToArray(array.handle, 0, 0, picture.rgba.data(), row_bytes, row_bytes, texels,
                                   cudaMemcpyHostToDevice));
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      const Cell cell = cell_at(column, row, dim);
      if (cell.width < 1 || cell.height < 1) continue;
      const auto texture =
          make_texture(array, cuda_modes[column], row == 1 ? cudaFilterModeLinear : cudaFilterModePoint,
                       cudaReadModeNormalizedFloat, true);
      cell_kernel<<<canvas_blocks(cell.width, cell.height), canvas_threads()>>>(canvas.colors(), dim, cell,
                                                                                texture.handle);
      HANDLE_ERROR(cudaGetLastError());
      HANDLE_ERROR(cudaDeviceSynchronize());  // the texture is destroyed here
    }
}

struct ReadModes {
  std::vector<unsigned char> bytes, elements;
  std::vector<float> floats;
};

ReadModes read_both_ways() {
  ReadModes result{{}, std::vector<unsigned char>(levels), std::vector<float>(levels)};
  for (int i = 0; i < levels; ++i) result.bytes.push_back(static_cast<unsigned char>(i * 255 / (levels - 1)));
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<unsigned char>();
  ArrayOwner array;
  HANDLE_ERROR(cudaMallocArray(&array.handle, &texel, levels));
  HANDLE_ERROR(cudaMemcpy2DToArray(array.handle, 0, 0, result.bytes.data(), levels, levels, 1,
                                   cudaMemcpyHostToDevice));
  const auto element =
      make_texture(array, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeElementType, false);
  const auto normalized =
      make_texture(array, cudaAddressModeClamp, cudaFilterModePoint, cudaReadModeNormalizedFloat, false);
  DeviceMemory<unsigned char> elements(levels);
  DeviceMemory<float> floats(levels);
  read_mode_kernel<<<1, levels>>>(elements.get(), floats.get(), element.handle, normalized.handle);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(result.elements.data(), elements.get(), elements.bytes(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(result.floats.data(), floats.get(), floats.bytes(), cudaMemcpyDeviceToHost));
  return result;
}

// Writing and frames, on the host: names of the cells, the picture's own place, the table of read modes.
void annotate(Image& image, const ReadModes& read, int dim) {
  const int scale = dim / 340;
  if (scale < 1) return;
  const Color white = {255, 255, 255};
  for (int row = 0; row < filters; ++row)
    for (int column = 0; column < modes; ++column) {
      const Cell c = cell_at(column, row, dim);
      const std::string name = std::string(mode_names[column]) + ", " + filter_names[row];
      draw_text(image, c.x, c.y + c.height + 2 * scale, name, white, scale);
      const int x = c.x + c.width / 3, y = c.y + c.height / 3, w = c.width / 3, h = c.height / 3;
      fill_rect(image, x, y, w, scale, white);
      fill_rect(image, x, y + h, w, scale, white);
      fill_rect(image, x, y, scale, h, white);
      fill_rect(image, x + w, y, scale, h + scale, white);
    }
  const int line = dim / 24, left = dim / 64;
  fill_rect(image, 0, 0, dim, dim / 4, {38, 42, 52});
  draw_text(image, left, line * 4 + line / 2, "8-bit texel", white, scale);
  draw_text(image, left, line * 3, "element type", white, scale);
  draw_text(image, left, line, "normalised float", white, scale);
  for (int i = 0; i < levels; ++i) {
    const int x = dim * (i + 3) / 9;
    const auto gray = read.bytes[i];
    fill_rect(image, x, line * 4 + line / 4, dim / 10, line, {gray, gray, gray});
    draw_text(image, x, line * 3, std::to_string(read.elements[i]), white, scale);
    draw_text(image, x, line, std::to_string(read.floats[i]).substr(0, 5), white, scale);
  }
}

int check(const Options& options) {
  const Canvas canvas(options.size, options.size);
  draw_grid(canvas, options.size);
  const ReadModes read = read_both_ways();
  std::vector<float> expected_floats;
  for (const unsigned char byte : read.bytes) expected_floats.push_back(byte / 255.0f);
  bool passed = check_equal("byte read as element", read.elements, read.bytes);
  passed &= check_equal("byte read as float", read.floats, expected_floats);
  passed &= check_near("colour", canvas.download(), reference_grid(options.size), 1.0f / 512);
  return verdict(options.name(), passed);
}

int main(int argc, char** argv) {
  Options options("texture_modes", "One picture in every address, filter and read mode of textures.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (options.check || options.benchmark) return check(options);

  const int dim = options.size;
  const Canvas canvas(dim, dim);
  draw_grid(canvas, dim);
  Image image(dim, dim);
  canvas.draw(image.rgba.data());
  annotate(image, read_both_ways(), dim);

  CPUBitmap bitmap(dim, dim);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
