// texture_3d - a cloud in a 3D texture: rays march through it, or planes cut it.
//
// Programming guide, "Texture Memory": cudaMalloc3DArray without flags makes a volume; tex3D with linear
// filtering mixes eight texels (trilinear), so that 64 x 64 x 64 of them look smooth from near; border
// addressing makes it empty outside.
// Terms (docs/glossary.md): texture.
//
//   ./run texture_3d                                     # in a window the camera goes round
//   ./run texture_3d --view slices --headless --output slices.png
//   ./run texture_3d --check --size 256
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts.
// What to see: a cloud at dusk, bright where the sun reaches it and dark where the cloud is in its own way.
// With --view slices: sixteen planes through it, front to back, that move; bright is dense.
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/gpu_anim.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "camera.h"
#include "cloud_light.h"
#include "cloud_volume.h"
#include "colors.h"
#include "cpu_texture.h"
#include "texture_limit.h"

constexpr int volume_size = 64;  // texels per side
constexpr int frames_per_turn = 240;

// Follows a ray through the volume, the cube -1..1, and collects light on the way. One thread per pixel of
// dim x dim. A texel is (density, light). 0..1 is the whole volume, so place p is at p / 2 + 0.5.
__global__ void march_kernel(float4* colors, cudaTextureObject_t volume, int dim, Camera camera) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const float3 d = view_direction(camera, 2 * ((x + 0.5f) / dim) - 1, 2 * ((y + 0.5f) / dim) - 1);
  const Span inside = span_in_cube(camera.eye, d);
  Collected light;
  for (float t = inside.first; t < inside.last && light.passes > least_light; t += march_step) {
    const float3 p = {camera.eye.x + t * d.x, camera.eye.y + t * d.y, camera.eye.z + t * d.z};
    light.add(tex3D<float2>(volume, p.x / 2 + 0.5f, p.y / 2 + 0.5f, p.z / 2 + 0.5f));
  }
  colors[x + static_cast<size_t>(y) * dim] = light.over(sky(d));
}

// Where pixel (x, y) cuts the volume: sixteen planes as tiles, the nearest at the top left. shift: 0..1 of a
// tile's depth.
__host__ __device__ float3 slice_place(int x, int y, int dim, float shift) {
  const float u = (x + 0.5f) / dim * 4, v = (y + 0.5f) / dim * 4;
  const int column = static_cast<int>(u), row = 3 - static_cast<int>(v);
  return make_float3(u - column, v - (3 - row), (4 * row + column + shift) / 16);
}

// One fetch per pixel: the volume as it is.
__global__ void slices_kernel(float4* colors, cudaTextureObject_t volume, int dim, float shift) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const float3 p = slice_place(x, y, dim, shift);
  colors[x + static_cast<size_t>(y) * dim] = slice_color(tex3D<float2>(volume, p.x, p.y, p.z));
}

// CPU references of both kernels.
std::vector<float4> reference_march(const reference::Volume<float2>& volume, int dim, const Camera& camera) {
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float3 d = view_direction(camera, 2 * ((x + 0.5f) / dim) - 1, 2 * ((y + 0.5f) / dim) - 1);
      const Span inside = span_in_cube(camera.eye, d);
      Collected light;
      for (float t = inside.first; t < inside.last && light.passes > least_light; t += march_step) {
        const float3 p = {camera.eye.x + t * d.x, camera.eye.y + t * d.y, camera.eye.z + t * d.z};
        light.add(reference::tex3d(volume, p.x / 2 + 0.5f, p.y / 2 + 0.5f, p.z / 2 + 0.5f));
      }
      colors.push_back(light.over(sky(d)));
    }
  return colors;
}

std::vector<float4> reference_slices(const reference::Volume<float2>& volume, int dim, float shift) {
  std::vector<float4> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const float3 p = slice_place(x, y, dim, shift);
      colors.push_back(slice_color(reference::tex3d(volume, p.x, p.y, p.z)));
    }
  return colors;
}

int main(int argc, char** argv) {
  Options options("texture_3d", "A cloud in a 3D texture, marched through or sliced.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  std::string view = "cloud";
  float angle = 0.6f;
  options.default_size({.gpu = 512, .emulated = 176});  // a ray reads up to a hundred places
  options.frames = 1;                                   // without a window: the view from --angle
  options.add_choice("--view", view, "what to draw", {"cloud", "slices"});
  options.add("--angle", angle, "where the camera starts, in radians", -1000.0f, 1000.0f);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));
  for (const auto limit :
       {cudaDevAttrMaxTexture3DWidth, cudaDevAttrMaxTexture3DHeight, cudaDevAttrMaxTexture3DDepth})
    require_limit(options, "A side of the volume", volume_size, limit);
  const int dim = options.size;
  const size_t pixels = static_cast<size_t>(dim) * dim;
  reference::Volume<float2> cloud{volume_size, cloud_volume(volume_size)};

  // A volume: width, height and depth, and no flag.
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float2>();
  const cudaExtent extent = make_cudaExtent(volume_size, volume_size, volume_size);
  cudaArray_t array;
  HANDLE_ERROR(cudaMalloc3DArray(&array, &texel, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr =
      make_cudaPitchedPtr(cloud.texels.data(), volume_size * sizeof(float2), volume_size, volume_size);
  copy.dstArray = array;
  copy.extent = extent;  // in texels, for an array takes part
  copy.kind = cudaMemcpyHostToDevice;
  HANDLE_ERROR(cudaMemcpy3D(&copy));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  for (auto& mode : sampling.addressMode)
    mode = cudaAddressModeBorder;  // the border's color is 0: no cloud outside
  sampling.filterMode = cudaFilterModeLinear;
  sampling.readMode = cudaReadModeElementType;
  sampling.normalizedCoords = 1;
  cudaTextureObject_t volume;
  HANDLE_ERROR(cudaCreateTextureObject(&volume, &resource, &sampling, nullptr));

  float4* colors;
  HANDLE_ERROR(cudaMalloc(&colors, pixels * sizeof(float4)));
  const dim3 threads(32, 8), blocks(div_up(dim, 32), div_up(dim, 8));
  auto march = [&](float from) {
    march_kernel<<<blocks, threads>>>(colors, volume, dim, camera_at(from));
    HANDLE_ERROR(cudaGetLastError());
  };
  auto slices = [&](float shift) {
    slices_kernel<<<blocks, threads>>>(colors, volume, dim, shift);
    HANDLE_ERROR(cudaGetLastError());
  };
  auto download = [&] {
    std::vector<float4> got(pixels);
    HANDLE_ERROR(cudaMemcpy(got.data(), colors, pixels * sizeof(float4), cudaMemcpyDeviceToHost));
    return components(got);
  };

  int exit_code = 0;
  if (options.check || options.benchmark) {
    // The weight of each direction is rounded to 1/256, so it may be off by 1/512, and a fetch by three times
    // that. A ray adds up to a hundred of them, whose errors go both ways.
    slices(0.3f);
    bool passed = check_near("slice", download(), components(reference_slices(cloud, dim, 0.3f)), 3.0f / 512);
    march(angle);
    passed &=
        check_near("color", download(), components(reference_march(cloud, dim, camera_at(angle))), 1.0f / 64);
    if (options.benchmark && passed) {
      BenchmarkTable table(options.name());
      const double bytes = static_cast<double>(pixels * sizeof(float4));
      table.add("slices_kernel", measure([&] { slices(0.3f); }), bytes);
      table.add("march_kernel", measure([&] { march(angle); }), bytes);
      table.print();
    }
    exit_code = verdict(options.name(), passed);
  } else {
    GPUAnimBitmap bitmap(dim, dim);
    const auto draw = [&](uchar4* device_pixels, int frame) {
      if (view == "slices")
        slices(frame % 60 / 60.0f);
      else
        march(angle + frame * 6.2831853f / frames_per_turn);
      pixels_kernel<<<div_up<size_t>(pixels, 256), 256>>>(device_pixels, colors, pixels);
      HANDLE_ERROR(cudaGetLastError());
    };
    Interaction interaction;
    interaction.title = [&] { return view; };
    exit_code = bitmap.animate(options, draw, interaction);
  }

  HANDLE_ERROR(cudaDestroyTextureObject(volume));
  HANDLE_ERROR(cudaFreeArray(array));
  HANDLE_ERROR(cudaFree(colors));
  return exit_code;
}
