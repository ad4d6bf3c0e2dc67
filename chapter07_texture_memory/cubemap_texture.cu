// cubemap_texture - a mirror ball in a landscape; the landscape is a cubemap, read by direction.
//
// Programming guide, "Cubemap Textures": cudaMalloc3DArray with cudaArrayCubemap makes six square
// faces. texCubemap takes a direction. Its largest component selects the face; the other two select
// the position on the face.
// Terms (docs/glossary.md): texture.
//
//   ./run cubemap_texture                            # in a window the camera moves around the ball
//   ./run cubemap_texture --headless --size 200 --frames 30 --output ball.gif
//   ./run cubemap_texture --check --size 256 --angle 4
//
// Mouse: drag to orbit, wheel to zoom. Keys: n next landscape, q quit, space pause, s save a
// picture, r restart.
// What to see: sky, sun and ground, and all of them again, bent, in the ball. There are no seams
// between the faces.
#include <iterator>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/gpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/orbit.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "mirror_ball.h"
#include "texture_common.h"

constexpr int frames_per_turn = 360;

// Texels per side of a face: enough for the picture, a power of two.
int face_size(int dim) {
  int size = 16;
  while (size < dim / 2 && size < 512) size *= 2;
  return size;
}

// One thread per pixel of dim x dim.
__global__ void ball_kernel(float4* colors, cudaTextureObject_t landscape, int dim, Camera camera,
                            float zoom) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const float u = zoom * (2 * ((x + 0.5f) / dim) - 1);
  const float v = zoom * (2 * ((y + 0.5f) / dim) - 1);
  const auto [d, weight] = look(camera, u, v);
  colors[x + static_cast<size_t>(y) * dim] = weight * texCubemap<float4>(landscape, d.x, d.y, d.z);
}

// CPU reference: six textures, and the guide's table for the face.
std::vector<float4> reference_picture(const std::vector<float4>& texels, int dim, float angle) {
  const auto faces = reference::layers(texels, face_size(dim), face_size(dim));
  const Camera camera{angle_of(angle)};
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float u = 2 * ((x + 0.5f) / dim) - 1;
      const float v = 2 * ((y + 0.5f) / dim) - 1;
      const auto [d, weight] = look(camera, u, v);
      colors.push_back(weight * reference_cubemap(faces, d));
    }
  return colors;
}

int main(int argc, char** argv) {
  Options options("cubemap_texture",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  float angle = 0.6f;
  options.frames = 1;  // without a window: the view from --angle
  options.add("--angle", angle, "where the camera starts, in radians", -1000.0f, 1000.0f);
  options.default_size({.gpu = 1024, .emulated = 384});
  Orbit::add_keys(options);
  options.add_keys({{"n", "next landscape"}});
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const int dim = options.size;
  const int size = face_size(dim);
  const size_t pixels = static_cast<size_t>(dim) * dim;
  std::vector<float4> texels = faces_of(landscapes[0], size);

  // Six faces of size x size texels, in the order +x -x +y -y +z -z: slice k of the copy is face k.
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
  const cudaExtent extent = make_cudaExtent(size, size, 6);
  cudaArray_t array;
  HANDLE_ERROR(cudaMalloc3DArray(&array, &texel, extent, cudaArrayCubemap));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(float4), size, size);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  HANDLE_ERROR(cudaMemcpy3D(&copy));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;  // at the edges of a face
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  sampling.normalizedCoords = 1;
  cudaTextureObject_t landscape;
  HANDLE_ERROR(cudaCreateTextureObject(&landscape, &resource, &sampling, nullptr));

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto render = [&](float azimuth, const Orbit& orbit = {}) {
    const Camera camera{angle_of(azimuth), angle_of(orbit.raised)};
    ball_kernel<<<blocks, threads>>>(colors, landscape, dim, camera, orbit.zoom);
    HANDLE_ERROR(cudaGetLastError());
  };

  int exit_code = 0;
  if (options.check || options.benchmark) {
    render(angle);
    std::vector<float4> got(pixels);
    HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));
    const auto expected = reference_picture(texels, dim, angle);
    const bool passed =
        check_near("color", components(got), components(expected), cubemap_tolerance);
    if (options.benchmark && passed)
      print_benchmark(
          options.name(), "ball_kernel", [&] { render(angle); }, 2.0 * sizeof(float4) * pixels);
    exit_code = verdict(options.name(), passed);
  } else {
    GPUAnimBitmap bitmap(dim, dim);
    Orbit orbit;
    Interaction mouse_and_keys = orbit.interaction(dim);
    mouse_and_keys.key = [&, shown = 0](unsigned char key) mutable {
      if (key != 'n') return;
      shown = (shown + 1) % static_cast<int>(std::size(landscapes));
      texels = faces_of(landscapes[shown], size);
      copy.srcPtr.ptr = texels.data();
      HANDLE_ERROR(cudaMemcpy3D(&copy));
    };
    exit_code = bitmap.animate(
        options,
        [&](uchar4* device_pixels, int frame) {
          render(angle + orbit.turned + frame * 6.2831853f / frames_per_turn, orbit);
          pixels_kernel<<<div_up<size_t>(pixels, 256), 256>>>(device_pixels, colors, pixels);
          HANDLE_ERROR(cudaGetLastError());
        },
        mouse_and_keys);
  }

  HANDLE_ERROR(cudaDestroyTextureObject(landscape));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  return exit_code;
}
