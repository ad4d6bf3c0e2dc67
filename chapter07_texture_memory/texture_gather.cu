// texture_gather - tex2Dgather returns one component of the four texels that linear filtering would mix.
//
// Programming guide, "Texture Gather": arrays made with cudaArrayTextureGather; the texels come in the order
// (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j). The guide's own trap: coordinates have 8 bits behind the
// point. x = 2.49805 gives x - 0.5 = 1.99805 = 511.5 / 256, which rounds to 512 / 256 = 2.0. So gather takes
// texels 2 and 3, where filtering takes texel 1 with weight 0/256 and texel 2 with weight 256/256: the same
// value.
//
//   texture_gather                                a window where there is a display
//   texture_gather --headless --output gather.png
//   texture_gather --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: the texels around two places, 0.001 apart; framed are the four that gather returns.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "../common/random.h"
#include "canvas.cuh"
#include "texture_objects.h"
#include "texture_reference.h"

constexpr int side = 6;                                  // texels
constexpr float places[3] = {2.49705f, 2.49805f, 2.7f};  // x of the worked examples; y is the same for all
constexpr float place_y = 2.7f;

struct Point {
  float x, y;
};

// Component c of texel (x, y): 100 c + 10 y + x, so that a value tells where it comes from.
float texel_value(int x, int y, int component) { return 100.0f * component + 10.0f * y + x; }

std::vector<float> reference_gather(const std::vector<Point>& points, int component) {
  reference::Texture<float> texture;
  texture.width = texture.height = side;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) texture.texels.push_back(texel_value(x, y, component));
  std::vector<float> values;
  for (const Point& p : points)
    for (const float v : reference::gather(texture, p.x, p.y)) values.push_back(v);
  return values;
}

std::vector<float> reference_filter(const std::vector<Point>& points) {
  reference::Texture<float> texture;
  texture.width = texture.height = side;
  texture.linear = true;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) texture.texels.push_back(texel_value(x, y, 0));
  std::vector<float> values;
  for (const Point& p : points) values.push_back(reference::tex2d(texture, p.x, p.y));
  return values;
}

// The four texels around each point, and what filtering makes of them. One thread a point. The component must
// be known at compile time on a GPU.
__global__ void gather_kernel(float4* gathered, float* filtered, cudaTextureObject_t texture,
                              const Point* points, int count, int component) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= count) return;
  const Point p = points[i];
  switch (component) {
    case 0:
      gathered[i] = tex2Dgather<float4>(texture, p.x, p.y, 0);
      break;
    case 1:
      gathered[i] = tex2Dgather<float4>(texture, p.x, p.y, 1);
      break;
    case 2:
      gathered[i] = tex2Dgather<float4>(texture, p.x, p.y, 2);
      break;
    default:
      gathered[i] = tex2Dgather<float4>(texture, p.x, p.y, 3);
      break;
  }
  filtered[i] = tex2D<float4>(texture, p.x, p.y).x;
}

struct Gathered {
  std::vector<float> texels;    // four for each point
  std::vector<float> filtered;  // component 0
};

Gathered gather_on_device(const std::vector<Point>& points, int component) {
  std::vector<float4> texels;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      texels.push_back(make_float4(texel_value(x, y, 0), texel_value(x, y, 1), texel_value(x, y, 2),
                                   texel_value(x, y, 3)));
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
  const size_t row = side * sizeof(float4);
  ArrayOwner array;
  HANDLE_ERROR(cudaMallocArray(&array.handle, &texel, side, side, cudaArrayTextureGather));
  HANDLE_ERROR(
      cudaMemcpy2DToArray(array.handle, 0, 0, texels.data(), row, row, side, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array.handle;
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  TextureOwner texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));

  const int count = static_cast<int>(points.size()), threads = 128;
  DeviceMemory<Point> device_points(points.size());
  DeviceMemory<float4> gathered(points.size());
  DeviceMemory<float> filtered(points.size());
  HANDLE_ERROR(cudaMemcpy(device_points.get(), points.data(), device_points.bytes(), cudaMemcpyHostToDevice));
  gather_kernel<<<(count + threads - 1) / threads, threads>>>(gathered.get(), filtered.get(), texture.handle,
                                                              device_points.get(), count, component);
  HANDLE_ERROR(cudaGetLastError());
  Gathered result{std::vector<float>(4 * points.size()), std::vector<float>(points.size())};
  HANDLE_ERROR(cudaMemcpy(result.texels.data(), gathered.get(), gathered.bytes(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(result.filtered.data(), filtered.get(), filtered.bytes(), cudaMemcpyDeviceToHost));
  return result;
}

std::vector<Point> example_points() {
  std::vector<Point> points;
  for (const float x : places) points.push_back({x, place_y});
  return points;
}

void print_examples(const Gathered& result) {
  std::printf("Texel (x, y) has the value 10 y + x. y = %.5f everywhere.\n\n", place_y);
  std::printf(
      "       x   x - 0.5  in 1/256  rounded   gather: texels of the rows above and below   filtered\n");
  for (int k = 0; k < 3; ++k) {
    const double below = static_cast<double>(places[k]) - 0.5;
    const float* t = &result.texels[4 * k];
    std::printf("%8.5f  %8.5f  %8.2f  %7.0f   %4.0f %4.0f above, %4.0f %4.0f below  %20.5f\n", places[k],
                below, below * 256, std::floor(below * 256 + 0.5), t[0], t[1], t[3], t[2],
                result.filtered[k]);
  }
  std::printf(
      "\nAt x = 2.49805 the rounded coordinate is 512 / 256 = 2: gather takes columns 2 and 3. Filtering "
      "takes columns\n"
      "1 and 2 with weights 0/256 and 256/256: the same value, and no jump there.\n");
}

// One panel: the texels as squares, the place as a cross, the gathered ones framed.
void draw_panel(Image& image, int bottom, int height, const Point& p, const float* gathered, float filtered) {
  constexpr int columns = 5, rows = 3, first_row = 1;  // the texels shown: x 0..4, y 1..3
  const int unit = std::min(image.width / (columns + 1), height * 3 / 4 / rows);
  const int scale = image.width / 340;
  if (unit < 4) return;
  const int left = (image.width - columns * unit) / 2;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const int x = left + column * unit, y = bottom + row * unit, texel = 10 * (row + first_row) + column;
      bool chosen = false;
      for (int k = 0; k < 4; ++k) chosen |= gathered[k] == static_cast<float>(texel);
      fill_rect(image, x, y, unit, unit, chosen ? Color{255, 180, 40} : Color{70, 76, 92});
      const int frame = std::max(1, unit / 16);
      const auto tone = static_cast<unsigned char>(70 + 25 * column + 20 * row);
      fill_rect(image, x + frame, y + frame, unit - 2 * frame, unit - 2 * frame,
                {20, tone, static_cast<unsigned char>(tone / 2 + 60)});
      if (scale > 0)
        draw_text(image, x + 2 * frame, y + 2 * frame, std::to_string(texel), {255, 255, 255}, scale);
    }
  const int px = left + static_cast<int>(p.x * unit),
            py = bottom + static_cast<int>((p.y - first_row) * unit);
  const int arm = unit / 5, thick = std::max(1, unit / 24);
  fill_rect(image, px - arm, py - thick / 2, 2 * arm, thick, {255, 255, 255});
  fill_rect(image, px - thick / 2, py - arm, thick, 2 * arm, {255, 255, 255});
  if (scale > 0) {
    char text[96];
    std::snprintf(text, sizeof text, "x = %.5f: x - 0.5 = %.1f / 256", p.x, (p.x - 0.5) * 256);
    draw_text(image, left, bottom + rows * unit + 16 * scale, text, {255, 255, 255}, scale);
    std::snprintf(text, sizeof text, "gather takes columns %d and %d; filtered %.3f",
                  static_cast<int>(gathered[0]) % 10, static_cast<int>(gathered[1]) % 10, filtered);
    draw_text(image, left, bottom + rows * unit + 5 * scale, text, {255, 200, 90}, scale);
  }
}

int check(const Options& options) {
  // Random places inside and outside, one for each pixel that a picture would have (at least a thousand).
  Random random(options.seed);
  std::vector<Point> points = example_points();
  const size_t count = 1000 + static_cast<size_t>(options.size) * 16;
  for (size_t i = 0; i < count; ++i)
    points.push_back({random.uniform(-2, side + 2), random.uniform(-2, side + 2)});
  bool passed = true;
  for (int component = 0; component < 4; ++component) {
    const Gathered result = gather_on_device(points, component);
    passed &= check_equal("gathered texel", result.texels, reference_gather(points, component));
    // Texels differ by at most 11 from (i, j) to (i + 1, j + 1): 1/512 of that is what the guide leaves open.
    if (component == 0)
      passed &= check_near("filtered value", result.filtered, reference_filter(points), 11.0f / 512);
  }
  return verdict(options.name(), passed);
}

int main(int argc, char** argv) {
  Options options("texture_gather", "tex2Dgather: the four texels that linear filtering mixes.",
                  Common::picture | Common::seed | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  if (options.check || options.benchmark) return check(options);

  const std::vector<Point> points = example_points();
  const Gathered result = gather_on_device(points, 0);
  print_examples(result);
  Image image(options.size, options.size);
  fill_rect(image, 0, 0, image.width, image.height, {28, 30, 38});
  const int half = options.size / 2;
  for (int k = 0; k < 2; ++k)
    draw_panel(image, (1 - k) * half + half / 16, half, points[k], &result.texels[4 * k], result.filtered[k]);
  CPUBitmap bitmap(options.size, options.size);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
