// cubemap_texture - a mirror ball in a landscape; the landscape is a cubemap, read by direction.
//
// Programming guide, "Cubemap Textures": cudaMalloc3DArray with cudaArrayCubemap makes six square faces;
// texCubemap takes a direction, its largest component picks the face, the other two the place on it.
//
//   cubemap_texture                                       a window where there is a display: the camera goes
//   round cubemap_texture --headless --frames 120 --output ball.gif cubemap_texture --scene sunset
//   cubemap_texture --check --size 256
//
// Keys: Esc or q ends, space pauses, s saves a picture, r restarts.
// What to see: sky, sun, hills and ground, and all of them again, bent, in the ball; no seams between the
// faces.
#include <algorithm>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_anim.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "environment.h"
#include "mirror_ball.h"
#include "pictures.h"
#include "texture_objects.h"

constexpr int frames_per_turn = 360;

// Texels a side: enough for the picture, a power of two.
int face_size(int dim) {
  int size = 16;
  while (size < dim / 2 && size < 512) size *= 2;
  return size;
}

std::vector<float> reference_picture(const std::vector<reference::Color4>& texels, int dim, float angle) {
  const auto faces = reference_faces(texels, face_size(dim));
  const Camera camera = camera_at(angle);
  std::vector<float> colors;
  for (int y = 0; y < dim; ++y)
    for (int x = 0; x < dim; ++x) {
      const auto [d, weight] = look(camera, 2 * ((x + 0.5f) / dim) - 1, 2 * ((y + 0.5f) / dim) - 1);
      append(colors, weight * reference::tex_cubemap(faces, d.x, d.y, d.z));
    }
  return colors;
}

// One thread a pixel.
__global__ void ball_kernel(float4* colors, cudaTextureObject_t landscape, int dim, Camera camera) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= dim || y >= dim) return;
  const Sight sight = look(camera, 2 * ((x + 0.5f) / dim) - 1, 2 * ((y + 0.5f) / dim) - 1);
  const float4 c = texCubemap<float4>(landscape, sight.direction.x, sight.direction.y, sight.direction.z);
  colors[x + static_cast<size_t>(y) * dim] =
      make_float4(sight.weight * c.x, sight.weight * c.y, sight.weight * c.z, sight.weight * c.w);
}

// Six faces of size x size texels in a cubemap array, and the texture that reads them.
struct Cubemap {
  ArrayOwner array;
  TextureOwner texture;

  Cubemap(std::vector<reference::Color4> texels, int size) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<float4>();
    const cudaExtent extent = make_cudaExtent(size, size, 6);
    HANDLE_ERROR(cudaMalloc3DArray(&array.handle, &texel, extent, cudaArrayCubemap));
    cudaMemcpy3DParms copy = {};  // slice k of the copy is face k
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), size * sizeof(float4), size, size);
    copy.dstArray = array.handle;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    HANDLE_ERROR(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array.handle;
    cudaTextureDesc sampling = {};
    for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;  // at the edges of a face
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeElementType;
    sampling.normalizedCoords = 1;
    HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));
  }
};

void render(const Canvas& canvas, const Cubemap& cubemap, int dim, float angle) {
  ball_kernel<<<canvas_blocks(dim, dim), canvas_threads()>>>(canvas.colors(), cubemap.texture.handle, dim,
                                                             camera_at(angle));
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) {
  Options options("cubemap_texture", "A mirror ball in a landscape on a cubemap.",
                  Common::animation | Common::check | Common::benchmark | Common::device);
  const std::vector<std::string> names = {"noon", "sunset", "night", "studio"};
  std::string scene_name = names[0];
  float angle = 0.6f;
  options.frames = 1;  // without a window: the view from --angle
  options.add_choice("--scene", scene_name, "landscape", names);
  options.add("--angle", angle, "where the camera starts, in radians", -1000.0f, 1000.0f);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const auto scene = static_cast<Scene>(std::find(names.begin(), names.end(), scene_name) - names.begin());
  const int dim = options.size, size = face_size(dim);
  require_limit(options, "A face of the cubemap", size, cudaDevAttrMaxTextureCubemapWidth);
  const std::vector<reference::Color4> texels = environment_faces(scene, size);
  const Cubemap cubemap(texels, size);
  const Canvas canvas(dim, dim);

  if (options.check || options.benchmark) {
    auto draw = [&] { render(canvas, cubemap, dim, angle); };
    draw();
    // The guide leaves open how exactly s / m is computed: the fraction may be off by 1/256 in both
    // directions.
    const float tolerance = 1.0f / 512 + 2.0f / 256 * largest_step(texels, size);
    const auto expected = reference_picture(texels, dim, angle);
    const bool passed = check_near("colour", canvas.download(), expected, tolerance);
    return conclude(options, passed, draw, 2.0 * sizeof(float4) * dim * dim);
  }

  CPUAnimBitmap bitmap(dim, dim);
  return bitmap.animate(options, [&](int frame) {
    render(canvas, cubemap, dim, angle + frame * 6.2831853f / frames_per_turn);
    canvas.draw(bitmap.get_ptr());
  });
}
