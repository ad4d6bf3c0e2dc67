// texture_transform - a picture turned by an angle; the texture unit wraps and filters.
//
// Programming guide, "Texture Memory" (based on the guide's own example): a CUDA array of 8-bit
// colors, read as normalized floats, with normalized coordinates, wrap addressing and linear
// filtering.
// Terms (docs/glossary.md): texture, kernel.
//
//   ./run texture_transform                     # a window if there is a display: the picture turns
//   ./run texture_transform --headless --angle 0.5 --output turned.png
//   ./run texture_transform --check --size 256
//
// Keys: Esc or q quits, space pauses, s saves a picture, r restarts. --input FILE reads your own
// picture.
// What to see: the picture repeats beyond its edges. Its slanted lines are smooth, because the
// texture unit filters between texels.
#include <cmath>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/gpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "texture_common.h"

constexpr int picture_size = 256;           // the generated picture; a power of two keeps N x exact
constexpr float turn_per_frame = 0.02618f;  // radians: 1.5 degrees

struct Turn {
  float cosine;
  float sine;
};

// The place that pixel (x, y) of dim x dim reads, in normalized coordinates: 0..1 is the whole
// picture. Turning the picture by an angle means reading at places that are turned by the opposite
// angle.
__host__ __device__ float2 source_of(int x, int y, int dim, Turn turn) {
  const float u = (x + 0.5f) / dim - 0.5f;
  const float v = (y + 0.5f) / dim - 0.5f;
  return make_float2(u * turn.cosine + v * turn.sine + 0.5f,
                     v * turn.cosine - u * turn.sine + 0.5f);
}

// One thread per pixel of dim x dim.
__global__ void transform_kernel(float4* colors, cudaTextureObject_t picture, int dim, Turn turn) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const float2 at = source_of(x, y, dim, turn);
  colors[x + static_cast<size_t>(y) * dim] = tex2D<float4>(picture, at.x, at.y);
}

// CPU reference: the same places, read from a texture in plain C++.
std::vector<float4> reference_turn(const Image& picture, int dim, Turn turn) {
  auto texture = reference::normalized(picture);
  texture.address = reference::Address::wrap;
  texture.linear = true;
  texture.normalized = true;
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float2 at = source_of(x, y, dim, turn);
      colors.push_back(reference::tex2d(texture, at.x, at.y));
    }
  return colors;
}

// A picture in which every corner and direction is distinct: colors from corner to corner, a fine
// checkerboard, rings in the middle and a letter.
Image test_picture(int size) {
  Image image(size, size);
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x) {
      const float u = (x + 0.5f) / size;
      const float v = (y + 0.5f) / size;
      const float dx = u - 0.5f;
      const float dy = v - 0.5f;
      const float radius = std::sqrt(dx * dx + dy * dy);
      const bool checker = (x * 16 / size + y * 16 / size) % 2 != 0;
      const bool ring = radius < 0.4f && static_cast<int>(radius * 20) % 2 == 0;
      float shade = checker ? 1.0f : 0.82f;
      if (ring) shade = 0.35f;
      unsigned char* p = image.pixel(x, y);
      p[0] = static_cast<unsigned char>(255 * shade * (0.25f + 0.75f * u));
      p[1] = static_cast<unsigned char>(255 * shade * (0.25f + 0.75f * v));
      p[2] = static_cast<unsigned char>(255 * shade * (1.0f - 0.7f * u));
    }
  const int scale = size / 16;
  const int left = (size - text_width("R", scale)) / 2;
  draw_text(image, left, (size - 7 * scale) / 2, "R", {255, 255, 255}, scale);
  return image;
}

int main(int argc, char** argv) {
  Options options("texture_transform",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  float angle = 0.5f;
  std::string input;
  options.frames = 1;  // without a window: the picture at --angle
  options.add("--angle", angle, "angle in radians, counterclockwise", -1000.0f, 1000.0f);
  options.add_file("--input", input, "picture to turn (.png); default: a generated one");
  options.default_size({.gpu = 1024, .emulated = 512});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const Image picture = input.empty() ? test_picture(picture_size) : read_image(input);
  const int dim = options.size;
  const size_t pixels = static_cast<size_t>(dim) * dim;

  // The picture goes into a CUDA array. The device chooses the order of the texels in this memory,
  // so neighbors in both directions are close.
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  HANDLE_ERROR(cudaMallocArray(&array, &texel, picture.width, picture.height));
  const size_t row = picture.width * sizeof(uchar4);  // bytes
  HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, picture.rgba.data(), row, row, picture.height,
                                   cudaMemcpyHostToDevice));

  // The memory to read ...
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  // ... and the way to read it.
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = cudaAddressModeWrap;
  sampling.addressMode[1] = cudaAddressModeWrap;
  sampling.filterMode = cudaFilterModeLinear;
  // 0..255 become 0.0..1.0: only floats can be filtered.
  sampling.readMode = cudaReadModeNormalizedFloat;
  sampling.normalizedCoords = 1;  // wrap needs them
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto transform = [&](float turned) {
    transform_kernel<<<blocks, threads>>>(colors, texture, dim,
                                          {std::cos(turned), std::sin(turned)});
    HANDLE_ERROR(cudaGetLastError());
  };

  int exit_code = 0;
  if (options.check || options.benchmark) {
    transform(angle);
    std::vector<float4> got(pixels);
    HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));
    const auto expected = reference_turn(picture, dim, {std::cos(angle), std::sin(angle)});
    // The guide leaves open how exact N x is if N is not a power of two, as with some files. This
    // can move a fraction by 1/256 in each direction.
    const float tolerance = input.empty() ? 1.0f / 512 : 1.0f / 512 + 2.0f / 256;
    const bool passed = check_near("color", components(got), components(expected), tolerance);
    if (options.benchmark && passed)
      print_benchmark(
          options.name(), "transform_kernel", [&] { transform(angle); },
          1.0 * pixels * (sizeof(uchar4) + sizeof(float4)));
    exit_code = verdict(options.name(), passed);
  } else {
    GPUAnimBitmap bitmap(dim, dim);
    exit_code = bitmap.animate(options, [&](uchar4* device_pixels, int frame) {
      transform(angle + frame * turn_per_frame);
      pixels_kernel<<<div_up<size_t>(pixels, 256), 256>>>(device_pixels, colors, pixels);
      HANDLE_ERROR(cudaGetLastError());
    });
  }

  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  return exit_code;
}
