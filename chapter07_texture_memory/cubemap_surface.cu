// cubemap_surface - a kernel writes the faces of cubemaps through surfaces; textures read them by direction.
//
// Programming guide, "Cubemap Surfaces" and "Cubemap Layered Surfaces": surfCubemapwrite(value, surface, x in
// bytes, y, face); in an array of cubemaps the face index is layer * 6 + face.
//
//   cubemap_surface                               a window where there is a display
//   cubemap_surface --headless --output faces.png
//   cubemap_surface --check --size 256
//
// Keys: Esc or q ends, s saves a picture.
// What to see: cubes, unfolded to crosses: one cubemap above, two layers of a cubemap array below. Every face
// has its own colour, which grows brighter towards its texel (0, 0) edge; the gaps are the background.
#include <cstring>
#include <vector>

#include "../common/book.h"
#include "../common/check.h"
#include "../common/cpu_bitmap.h"
#include "../common/options.h"
#include "canvas.cuh"
#include "pictures.h"
#include "texture_objects.h"
#include "texture_reference.h"

constexpr int face_size = 32;
constexpr int layers = 2;
constexpr const char* face_names[6] = {"0 +x", "1 -x", "2 +y", "3 -y", "4 +z", "5 -z"};

// What is written to texel (x, y) of a face: a checkerboard in the face's colour, shaded from corner to
// corner. The layer (0 for the single cubemap, then 1 and 2) makes the squares smaller.
__host__ __device__ uchar4 face_texel(int x, int y, int face, int layer) {
  const int red[6] = {230, 120, 90, 200, 60, 220}, green[6] = {90, 40, 210, 160, 120, 110},
            blue[6] = {70, 60, 110, 40, 230, 200};
  const int squares = 4 << layer;
  const bool dark = (x * squares / face_size + y * squares / face_size) % 2 != 0;
  const int shade = (dark ? 90 : 190) + (face_size - x + face_size - y) * 65 / (2 * face_size);
  return make_uchar4(red[face] * shade / 255, green[face] * shade / 255, blue[face] * shade / 255, 255);
}

// Where a pixel of a cross of 4 x 3 faces looks. The middle row is -x, +z, +x, -z; above +z is +y, below it
// -y. face -1: the pixel lies outside the cross.
struct CrossPlace {
  int face;
  float s, t;  // -1..1 on the face, t downward as in the guide's table
};

__host__ __device__ CrossPlace cross_place(int x, int y, int unit) {
  const int column = x / unit, row = y / unit;  // row 0 at the bottom
  const float s = 2 * ((x % unit + 0.5f) / unit) - 1, t = 1 - 2 * ((y % unit + 0.5f) / unit);
  const int middle[4] = {1, 4, 0, 5};
  if (column > 3 || row > 2) return {-1, 0, 0};
  if (row == 1) return {middle[column], s, t};
  if (column != 1) return {-1, 0, 0};
  return {row == 2 ? 2 : 3, s, t};
}

// The direction to a place on a face: the guide's table backwards.
__host__ __device__ float3 direction(const CrossPlace& p) {
  switch (p.face) {
    case 0:
      return make_float3(1, -p.t, -p.s);
    case 1:
      return make_float3(-1, -p.t, p.s);
    case 2:
      return make_float3(p.s, 1, p.t);
    case 3:
      return make_float3(p.s, -1, -p.t);
    case 4:
      return make_float3(p.s, -p.t, 1);
    default:
      return make_float3(-p.s, -p.t, -1);
  }
}

// Side of a face in the picture of one cross; crosses are 4 x 3 faces. Two crosses lie above each other and
// two beside.
int unit_of(int dim) { return dim / 2 / 4; }

// A cross of the CPU reference: nearest texels of face_texel().
std::vector<uchar4> reference_cross(int unit, int layer) {
  std::vector<uchar4> pixels;
  for (int y = 0; y < 3 * unit; ++y)
    for (int x = 0; x < 4 * unit; ++x) {
      const CrossPlace p = cross_place(x, y, unit);
      uchar4 pixel = make_uchar4(0, 0, 0, 0);
      if (p.face >= 0) {
        const float3 d = direction(p);
        const auto at = reference::cube_face(d.x, d.y, d.z);
        pixel = face_texel(static_cast<int>(at.u * face_size), static_cast<int>(at.v * face_size), at.face,
                           layer);
      }
      pixels.push_back(pixel);
    }
  return pixels;
}

// One thread a texel of a face; blockIdx.z is the face (for a stack of cubemaps 6 * layer + face).
__global__ void write_faces_kernel(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = blockIdx.y;
  surfCubemapwrite(face_texel(x, y, blockIdx.z, 0), surface, x * sizeof(uchar4), y, blockIdx.z);
}

__global__ void write_layered_faces_kernel(cudaSurfaceObject_t surface) {
  const int x = threadIdx.x, y = blockIdx.y, face = blockIdx.z % 6, layer = blockIdx.z / 6;
  surfCubemapLayeredwrite(face_texel(x, y, face, layer + 1), surface, x * sizeof(uchar4), y, blockIdx.z);
}

// Reads a cross of the cubemap (layer < 0) or of a layer of the stack. One thread a pixel of 4 unit x 3 unit.
__global__ void read_cross_kernel(uchar4* pixels, cudaTextureObject_t texture, int unit, int layer) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= 4 * unit || y >= 3 * unit) return;
  const CrossPlace p = cross_place(x, y, unit);
  uchar4 pixel = make_uchar4(0, 0, 0, 0);
  if (p.face >= 0) {
    const float3 d = direction(p);
    pixel = layer < 0 ? texCubemap<uchar4>(texture, d.x, d.y, d.z)
                      : texCubemapLayered<uchar4>(texture, d.x, d.y, d.z, layer);
  }
  pixels[x + y * 4 * unit] = pixel;
}

// A cubemap array that can be written through a surface and read through a texture.
struct WritableCubemap {
  ArrayOwner array;
  SurfaceOwner surface;
  TextureOwner texture;

  WritableCubemap(int faces, unsigned flags) {
    const cudaChannelFormatDesc texel = cudaCreateChannelDesc<uchar4>();
    HANDLE_ERROR(cudaMalloc3DArray(&array.handle, &texel, make_cudaExtent(face_size, face_size, faces),
                                   cudaArrayCubemap | cudaArraySurfaceLoadStore | flags));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array.handle;
    HANDLE_ERROR(cudaCreateSurfaceObject(&surface.handle, &resource));
    cudaTextureDesc sampling = {};
    for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
    sampling.filterMode = cudaFilterModePoint;  // the bytes as they were written
    sampling.readMode = cudaReadModeElementType;
    sampling.normalizedCoords = 1;
    HANDLE_ERROR(cudaCreateTextureObject(&texture.handle, &resource, &sampling, nullptr));
  }
};

// A cross as it was read on the device.
std::vector<uchar4> read_cross(const WritableCubemap& cubemap, int unit, int layer) {
  if (unit == 0) return {};
  DeviceMemory<uchar4> pixels(static_cast<size_t>(12) * unit * unit);
  read_cross_kernel<<<canvas_blocks(4 * unit, 3 * unit), canvas_threads()>>>(
      pixels.get(), cubemap.texture.handle, unit, layer);
  HANDLE_ERROR(cudaGetLastError());
  std::vector<uchar4> result(pixels.size());
  HANDLE_ERROR(cudaMemcpy(result.data(), pixels.get(), pixels.bytes(), cudaMemcpyDeviceToHost));
  return result;
}

// Puts a cross into the picture with its lower left corner at (left, bottom), with the names of the faces.
void place_cross(Image& image, const std::vector<uchar4>& cross, int left, int bottom, int unit,
                 const std::string& title) {
  for (int y = 0; y < 3 * unit; ++y)
    for (int x = 0; x < 4 * unit; ++x)
      if (const uchar4 pixel = cross[x + y * 4 * unit]; pixel.w != 0)
        std::memcpy(image.pixel(left + x, bottom + y), &pixel, 4);
  const int scale = image.width / 512;
  constexpr int columns[6] = {2, 0, 1, 1, 1, 3}, rows[6] = {1, 1, 2, 0, 1, 1};
  for (int face = 0; face < 6; ++face)
    label(image, left + columns[face] * unit, bottom + rows[face] * unit, unit, face_names[face], scale);
  label(image, left, bottom + 2 * unit + unit / 2, unit, title, scale);
}

int main(int argc, char** argv) {
  Options options("cubemap_surface", "Faces of cubemaps written through surfaces, read as textures.",
                  Common::picture | Common::check | Common::benchmark | Common::device);
  options.parse(argc, argv);
  HANDLE_ERROR(cudaSetDevice(options.device));

  const WritableCubemap single(6, 0), stack(6 * layers, cudaArrayLayered);
  write_faces_kernel<<<dim3(1, face_size, 6), face_size>>>(single.surface.handle);
  HANDLE_ERROR(cudaGetLastError());
  write_layered_faces_kernel<<<dim3(1, face_size, 6 * layers), face_size>>>(stack.surface.handle);
  HANDLE_ERROR(cudaGetLastError());

  const int dim = options.size;
  if (options.check || options.benchmark) {
    const int unit = dim / 4 + 1;  // smaller and larger than a face
    auto bytes = [](const std::vector<uchar4>& pixels) {
      std::vector<unsigned char> result(pixels.size() * sizeof(uchar4));
      if (!pixels.empty()) std::memcpy(result.data(), pixels.data(), result.size());
      return result;
    };
    bool passed = check_equal("byte of the cubemap", bytes(read_cross(single, unit, -1)),
                              bytes(reference_cross(unit, 0)));
    for (int layer = 0; layer < layers; ++layer)
      passed &= check_equal("byte of layer " + std::to_string(layer), bytes(read_cross(stack, unit, layer)),
                            bytes(reference_cross(unit, layer + 1)));
    return verdict(options.name(), passed);
  }

  Image image(dim, dim);
  fill_rect(image, 0, 0, dim, dim, {28, 30, 38});
  const int unit = unit_of(dim);
  place_cross(image, read_cross(single, unit, -1), dim / 4, dim / 2 + unit / 2, unit, "cubemap");
  for (int layer = 0; layer < layers; ++layer)
    place_cross(image, read_cross(stack, unit, layer), layer * dim / 2, unit / 2, unit,
                "layer " + std::to_string(layer));
  CPUBitmap bitmap(dim, dim);
  std::memcpy(bitmap.get_ptr(), image.rgba.data(), image.rgba.size());
  return bitmap.show(options);
}
