// cubemap_surface - kernels write the faces of cubemaps through surfaces; textures read them.
//
// Programming guide, "Cubemap Surfaces" and "Cubemap Layered Surfaces": surfCubemapwrite(value,
// surface, x in bytes, y, face) and surfCubemapread; in an array of cubemaps the face index is
// layer * 6 + face.
// Terms (docs/glossary.md): surface, texture.
//
//   ./run cubemap_surface                               # a window if there is a display
//   ./run cubemap_surface --headless --output faces.png
//   ./run cubemap_surface --check --size 256
//
// Keys: Esc or q quits, s saves a picture.
// What to see: unfolded cubes. Next to the large one are two layers of a cubemap array made from
// it: one is darkened except for the frames, the other has red and blue exchanged. Faces become
// brighter towards texel (0, 0).
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/present.h"
#include "../common/timing.h"
#include "cube_faces.h"
#include "cubemap_surface_picture.h"

constexpr int face_size = 32;  // texels per side
constexpr int layers = 2;      // cubemaps in the array of cubemaps

// The value of texel (x, y) of a face: a checkerboard in the face's color, shaded.
__host__ __device__ uchar4 face_texel(int x, int y, int face) {
  const int red[6] = {230, 120, 90, 200, 60, 220};
  const int green[6] = {90, 40, 210, 160, 120, 110};
  const int blue[6] = {70, 60, 110, 40, 230, 200};
  const bool dark = (x * 4 / face_size + y * 4 / face_size) % 2 != 0;
  const int shade = (dark ? 90 : 190) + (2 * face_size - x - y) * 65 / (2 * face_size);
  return make_uchar4(red[face] * shade / 255, green[face] * shade / 255, blue[face] * shade / 255,
                     255);
}

// A texel changed for a layer: layer 0 darkens all but the frame, layer 1 exchanges red and blue.
__host__ __device__ uchar4 layer_texel(uchar4 texel, int x, int y, int layer) {
  const bool frame = x == 0 || y == 0 || x == face_size - 1 || y == face_size - 1;
  if (layer == 1) return make_uchar4(texel.z, texel.y, texel.x, texel.w);
  return frame ? texel : make_uchar4(texel.x / 3, texel.y / 3, texel.z / 3, texel.w);
}

// One thread per texel of a face; blockIdx.z is the face.
__global__ void write_faces_kernel(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x;
  const int y = blockIdx.y;
  const int face = blockIdx.z;
  surfCubemapwrite(face_texel(x, y, face), surface, x * sizeof(uchar4), y, face);
}

// Reads a texel of the cubemap and writes it, changed, into the array. blockIdx.z counts faces:
// 6 * layer + face.
__global__ void write_layers_kernel(cudaSurfaceObject_t single, cudaSurfaceObject_t stack) {
  const int x = threadIdx.x;
  const int y = blockIdx.y;
  const int face = blockIdx.z % 6;
  const int layer = blockIdx.z / 6;
  const auto texel = surfCubemapread<uchar4>(single, x * sizeof(uchar4), y, face);
  surfCubemapLayeredwrite(layer_texel(texel, x, y, layer), stack, x * sizeof(uchar4), y,
                          blockIdx.z);
}

// Reads a cross of the cubemap (layer < 0) or of a layer of the array of cubemaps. One thread per
// pixel of 4 unit x 3 unit; pixels outside the cross become 0.
__global__ void read_cross_kernel(uchar4* pixels, cudaTextureObject_t texture, int unit,
                                  int layer) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= 4 * unit || y >= 3 * unit) return;
  const FacePlace place = cross_place(x, y, unit);
  uchar4 pixel = make_uchar4(0, 0, 0, 0);
  if (place.face >= 0) {
    const float3 d = face_direction(place);
    pixel = layer < 0 ? texCubemap<uchar4>(texture, d.x, d.y, d.z)
                      : texCubemapLayered<uchar4>(texture, d.x, d.y, d.z, layer);
  }
  pixels[x + y * 4 * unit] = pixel;
}

// An array of cubemaps that surfaces may write; `faces` is 6 per cubemap.
cudaArray_t make_cubemap_array(int faces, unsigned flags) {
  const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
  cudaArray_t array;
  HANDLE_ERROR(cudaMalloc3DArray(&array, &texel, make_cudaExtent(face_size, face_size, faces),
                                 cudaArrayCubemap | cudaArraySurfaceLoadStore | flags));
  return array;
}

cudaSurfaceObject_t make_surface(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  HANDLE_ERROR(cudaCreateSurfaceObject(&surface, &resource));
  return surface;
}

cudaTextureObject_t make_texture(cudaArray_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling = {};
  for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModePoint;  // the bytes as they were written
  sampling.readMode = cudaReadModeElementType;
  sampling.normalizedCoords = 1;
  cudaTextureObject_t texture;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

// A cross that the device has read: 4 unit x 3 unit pixels of 4 bytes.
std::vector<unsigned char> read_cross(cudaTextureObject_t texture, int unit, int layer) {
  const size_t bytes = sizeof(uchar4) * 12 * unit * unit;
  if (bytes == 0) return {};
  uchar4* pixels;
  HANDLE_ERROR(cudaMalloc(&pixels, bytes));
  const dim3 threads(32, 8);
  const dim3 blocks(div_up(4 * unit, threads.x), div_up(3 * unit, threads.y));
  read_cross_kernel<<<blocks, threads>>>(pixels, texture, unit, layer);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<unsigned char> result(bytes);
  HANDLE_ERROR(cudaMemcpy(result.data(), pixels, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(pixels));
  return result;
}

// CPU reference: nearest texels of face_texel(), changed for a layer (-1: the single cubemap).
std::vector<unsigned char> reference_cross(int unit, int layer) {
  std::vector<unsigned char> bytes;
  for (int y = 0; y < 3 * unit; ++y)
    for (int x = 0; x < 4 * unit; ++x) {
      const FacePlace place = cross_place(x, y, unit);
      uchar4 pixel = make_uchar4(0, 0, 0, 0);
      if (place.face >= 0) {
        const auto [face, s, t] = place_on_face(face_direction(place));
        const int i = static_cast<int>((s + 1) / 2 * face_size);
        const int j = static_cast<int>((t + 1) / 2 * face_size);
        pixel = face_texel(i, j, face);
        if (layer >= 0) pixel = layer_texel(pixel, i, j, layer);
      }
      bytes.insert(bytes.end(), {pixel.x, pixel.y, pixel.z, pixel.w});
    }
  return bytes;
}

// Reads every cubemap, with `unit` pixels per side of a face, and compares it with the reference.
bool check(cudaTextureObject_t single, cudaTextureObject_t stack, int unit) {
  bool passed =
      check_equal("byte of the cubemap", read_cross(single, unit, -1), reference_cross(unit, -1));
  for (int layer = 0; layer < layers; ++layer)
    passed &= check_equal("byte of layer " + std::to_string(layer), read_cross(stack, unit, layer),
                          reference_cross(unit, layer));
  return passed;
}

int main(int argc, char** argv) {
  Options options("cubemap_surface",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  // One cubemap, and an array of two.
  const cudaArray_t single_array = make_cubemap_array(6, 0);
  const cudaArray_t stack_array = make_cubemap_array(6 * layers, cudaArrayLayered);
  const cudaSurfaceObject_t single_surface = make_surface(single_array);
  const cudaSurfaceObject_t stack_surface = make_surface(stack_array);
  auto write = [&] {
    write_faces_kernel<<<dim3(1, face_size, 6), face_size>>>(single_surface);
    HANDLE_ERROR(cudaGetLastError());
    const dim3 rows_of_layers(1, face_size, 6 * layers);
    write_layers_kernel<<<rows_of_layers, face_size>>>(single_surface, stack_surface);
    HANDLE_ERROR(cudaGetLastError());
  };
  write();

  // Later launches read these results through textures.
  const cudaTextureObject_t single = make_texture(single_array);
  const cudaTextureObject_t stack = make_texture(stack_array);
  bool passed = true;
  std::vector<std::vector<unsigned char>> crosses;
  const int unit = options.size / 4;  // pixels per side of a face
  const int small_unit = unit / 3;    // the same in a layer's cross
  if (options.check || options.benchmark) {
    passed = check(single, stack, unit + 1);  // also at --size 1 every face has a pixel
  } else {
    crosses.push_back(read_cross(single, unit, -1));
    for (int layer = 0; layer < layers; ++layer)
      crosses.push_back(read_cross(stack, small_unit, layer));
  }
  if (options.benchmark && passed)
    print_benchmark(options.name(), "write faces and layers", write,
                    sizeof(uchar4) * face_size * face_size * (6.0 + 12 * layers));

  HANDLE_ERROR(cudaDestroyTextureObject(single));
  HANDLE_ERROR(cudaDestroyTextureObject(stack));
  HANDLE_ERROR(cudaDestroySurfaceObject(single_surface));
  HANDLE_ERROR(cudaDestroySurfaceObject(stack_surface));
  HANDLE_ERROR(cudaFreeArray(single_array));
  HANDLE_ERROR(cudaFreeArray(stack_array));
  if (options.check || options.benchmark) return verdict(options.name(), passed);
  return present(options, draw_crosses(crosses, options.size, unit, small_unit));
}
