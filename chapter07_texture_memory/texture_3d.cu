// texture_3d - a cloud in a 3D texture: rays march through it.
//
// Programming guide, "Texture Memory": cudaMalloc3DArray without flags makes a volume; tex3D with
// linear filtering mixes eight texels (trilinear), so 64 x 64 x 64 texels look smooth even from
// nearby; border addressing makes the space outside empty.
// Terms (docs/glossary.md): texture.
//
//   ./run texture_3d                                # in a window the camera moves around the cloud
//   ./run texture_3d --headless --size 200 --output cloud.png
//   ./run texture_3d --check --size 256
//
// Mouse: drag to orbit, wheel to zoom. Keys: q quit, space pause, s save a picture, r restart.
// What to see: a cloud at dusk, bright where the sun reaches it and dark where it shades itself.
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/gpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/orbit.h"
#include "../common/timing.h"
#include "cpu_texture.h"
#include "texture_3d_picture.h"
#include "texture_common.h"

constexpr int volume_size = 64;  // texels per side
constexpr int frames_per_turn = 240;

// Follows a ray through the volume, the cube -1..1, and collects light on the way. One thread per
// pixel of dim x dim. A texel is (density, light). The texture's coordinates are 0..1 across the
// volume, so place p is at p / 2 + 0.5.
__global__ void march_kernel(float4* colors, cudaTextureObject_t volume, int dim, Camera camera,
                             float zoom) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const float u = zoom * (2 * ((x + 0.5f) / dim) - 1);
  const float v = zoom * (2 * ((y + 0.5f) / dim) - 1);
  const auto [eye, d, first, last] = ray_through(camera, u, v);
  Collected light;
  for (float t = first; t < last && light.passes > min_light; t += march_step) {
    const float3 p = {eye.x + t * d.x, eye.y + t * d.y, eye.z + t * d.z};
    light.add(tex3D<float2>(volume, p.x / 2 + 0.5f, p.y / 2 + 0.5f, p.z / 2 + 0.5f));
  }
  colors[x + static_cast<size_t>(y) * dim] = light.over_sky(d);
}

// CPU reference.
std::vector<float4> reference_march(const std::vector<float2>& volume, int dim, float angle) {
  const Camera camera{angle_of(angle)};
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float u = 2 * ((x + 0.5f) / dim) - 1;
      const float v = 2 * ((y + 0.5f) / dim) - 1;
      const auto [eye, d, first, last] = ray_through(camera, u, v);
      Collected light;
      for (float t = first; t < last && light.passes > min_light; t += march_step) {
        const float3 p = {eye.x + t * d.x, eye.y + t * d.y, eye.z + t * d.z};
        light.add(
            reference_tex3d(volume, volume_size, {p.x / 2 + 0.5f, p.y / 2 + 0.5f, p.z / 2 + 0.5f}));
      }
      colors.push_back(light.over_sky(d));
    }
  return colors;
}

int main(int argc, char** argv) {
  Options options("texture_3d",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  float angle = 0.6f;
  options.default_size({.gpu = 512, .emulated = 176});  // a ray reads up to a hundred places
  options.frames = 1;                                   // without a window: the view from --angle
  options.add("--angle", angle, "where the camera starts, in radians", -1000.0f, 1000.0f);
  Orbit::add_keys(options);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  const int dim = options.size;
  const size_t pixels = static_cast<size_t>(dim) * dim;
  std::vector<float2> cloud = cloud_volume(volume_size);

  // A volume: width, height and depth, and no flag.
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float2>();
  const cudaExtent extent = make_cudaExtent(volume_size, volume_size, volume_size);
  cudaArray_t array;
  HANDLE_ERROR(cudaMalloc3DArray(&array, &texel, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr =
      make_cudaPitchedPtr(cloud.data(), volume_size * sizeof(float2), volume_size, volume_size);
  copy.dstArray = array;
  copy.extent = extent;  // in texels, because an array takes part
  copy.kind = cudaMemcpyHostToDevice;
  HANDLE_ERROR(cudaMemcpy3D(&copy));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  // The border's color is 0: no cloud outside.
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeBorder;
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  sampling.normalizedCoords = 1;
  cudaTextureObject_t volume;
  HANDLE_ERROR(cudaCreateTextureObject(&volume, &resource, &sampling, nullptr));

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(dim, threads.x), div_up(dim, threads.y));
  auto march = [&](float azimuth, const Orbit& orbit = {}) {
    const Camera camera{angle_of(azimuth), angle_of(orbit.raised)};
    march_kernel<<<blocks, threads>>>(colors, volume, dim, camera, orbit.zoom);
    HANDLE_ERROR(cudaGetLastError());
  };
  int exit_code = 0;
  if (options.check || options.benchmark) {
    march(angle);
    std::vector<float4> got(pixels);
    HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));
    // The weight of each direction is rounded to 1/256, so it may be off by 1/512, and a fetch by
    // three times that. A ray adds up to a hundred fetches, whose errors go both ways.
    const auto expected = reference_march(cloud, dim, angle);
    const bool passed = check_near("color", components(got), components(expected), 1.0f / 64);
    if (options.benchmark && passed)
      print_benchmark(
          options.name(), "march_kernel", [&] { march(angle); }, 1.0 * pixels * sizeof(float4));
    exit_code = verdict(options.name(), passed);
  } else {
    GPUAnimBitmap bitmap(dim, dim);
    Orbit orbit;
    exit_code = bitmap.animate(
        options,
        [&](uchar4* device_pixels, int frame) {
          march(angle + orbit.turned + frame * 6.2831853f / frames_per_turn, orbit);
          pixels_kernel<<<div_up<size_t>(pixels, 256), 256>>>(device_pixels, colors, pixels);
          HANDLE_ERROR(cudaGetLastError());
        },
        orbit.interaction(dim));
  }

  HANDLE_ERROR(cudaDestroyTextureObject(volume));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  return exit_code;
}
