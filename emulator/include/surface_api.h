// Surface objects: texels of a CUDA array read and written as they are stored, by integer coordinates.
// x counts bytes, y rows, z slices. T is any type of 1, 2, 4, 8 or 16 bytes and x a multiple of its size.
// Outside the array: cudaBoundaryModeTrap (the default) ends the kernel with an error, cudaBoundaryModeClamp
// takes the nearest texel, cudaBoundaryModeZero reads 0 and writes nothing. Source: CUDA C++ programming
// guide, "Surface Functions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "texture_fetch.h"

namespace emulated {

// The place of size bytes at (x, y) of a slice, or null where the boundary mode says: nothing there.
[[gnu::always_inline]] inline std::byte* surface_place(const TextureState& surface, TextureShape shape,
                                                       std::size_t size, int x, int y, int slice,
                                                       cudaSurfaceBoundaryMode mode, const char* function) {
  if (!surface.writable) [[unlikely]]
    texture_misuse(function, "this is a texture object, not a surface object");
  expect_shape(surface, shape, function);
  const int row_bytes = surface.width * surface.texel_bytes;
  if (x % static_cast<int>(size) != 0) [[unlikely]]
    texture_misuse(function, "x is in bytes and must be a multiple of the size of what is read or written");
  const bool inside = x >= 0 && x + static_cast<int>(size) <= row_bytes &&
                      static_cast<unsigned>(y) < static_cast<unsigned>(surface.height) &&
                      static_cast<unsigned>(slice) < static_cast<unsigned>(surface.depth);
  if (!inside) [[unlikely]] {
    if (mode == cudaBoundaryModeTrap)
      texture_misuse(function, "outside the surface (boundary mode trap); x is in bytes, not in texels");
    if (mode == cudaBoundaryModeZero) return nullptr;
    auto clamp = [](int i, int last) { return i < 0 ? 0 : i > last ? last : i; };
    x = clamp(x, row_bytes - static_cast<int>(size));
    y = clamp(y, surface.height - 1);
    slice = clamp(slice, surface.depth - 1);
  }
  return surface.texels + static_cast<std::size_t>(slice) * surface.slice_pitch +
         static_cast<std::size_t>(y) * surface.row_pitch + x;
}

template <class T>
[[gnu::always_inline]] inline T surface_read(cudaSurfaceObject_t object, TextureShape shape, int x, int y,
                                             int slice, cudaSurfaceBoundaryMode mode, const char* function) {
  T value{};
  if (const std::byte* place =
          surface_place(texture_state(object, function), shape, sizeof(T), x, y, slice, mode, function))
    std::memcpy(&value, place, sizeof value);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void surface_write(T value, cudaSurfaceObject_t object, TextureShape shape,
                                                 int x, int y, int slice, cudaSurfaceBoundaryMode mode,
                                                 const char* function) {
  if (std::byte* place =
          surface_place(texture_state(object, function), shape, sizeof(T), x, y, slice, mode, function))
    std::memcpy(place, &value, sizeof value);
}

}  // namespace emulated

template <class T>
inline T surf1Dread(cudaSurfaceObject_t object, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::array1d, x, 0, 0, mode, "surf1Dread");
}
template <class T>
inline void surf1Dwrite(T value, cudaSurfaceObject_t object, int x,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::array1d, x, 0, 0, mode, "surf1Dwrite");
}

template <class T>
inline T surf2Dread(cudaSurfaceObject_t object, int x, int y,
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::array2d, x, y, 0, mode, "surf2Dread");
}
template <class T>
inline void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::array2d, x, y, 0, mode, "surf2Dwrite");
}

template <class T>
inline T surf3Dread(cudaSurfaceObject_t object, int x, int y, int z,
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::array3d, x, y, z, mode, "surf3Dread");
}
template <class T>
inline void surf3Dwrite(T value, cudaSurfaceObject_t object, int x, int y, int z,
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::array3d, x, y, z, mode, "surf3Dwrite");
}

template <class T>
inline T surf1DLayeredread(cudaSurfaceObject_t object, int x, int layer,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::layered1d, x, 0, layer, mode,
                                   "surf1DLayeredread");
}
template <class T>
inline void surf1DLayeredwrite(T value, cudaSurfaceObject_t object, int x, int layer,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::layered1d, x, 0, layer, mode,
                          "surf1DLayeredwrite");
}

template <class T>
inline T surf2DLayeredread(cudaSurfaceObject_t object, int x, int y, int layer,
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::layered2d, x, y, layer, mode,
                                   "surf2DLayeredread");
}
template <class T>
inline void surf2DLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y, int layer,
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::layered2d, x, y, layer, mode,
                          "surf2DLayeredwrite");
}

// face: 0..5 as in the guide's table of cubemap faces.
template <class T>
inline T surfCubemapread(cudaSurfaceObject_t object, int x, int y, int face,
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::cubemap, x, y, face, mode,
                                   "surfCubemapread");
}
template <class T>
inline void surfCubemapwrite(T value, cudaSurfaceObject_t object, int x, int y, int face,
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::cubemap, x, y, face, mode,
                          "surfCubemapwrite");
}

// layer_face = 6 * layer + face.
template <class T>
inline T surfCubemapLayeredread(cudaSurfaceObject_t object, int x, int y, int layer_face,
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  return emulated::surface_read<T>(object, emulated::TextureShape::layered_cubemap, x, y, layer_face, mode,
                                   "surfCubemapLayeredread");
}
template <class T>
inline void surfCubemapLayeredwrite(T value, cudaSurfaceObject_t object, int x, int y, int layer_face,
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  emulated::surface_write(value, object, emulated::TextureShape::layered_cubemap, x, y, layer_face, mode,
                          "surfCubemapLayeredwrite");
}

// The forms that read through a pointer.
template <class T>
inline void surf1Dread(T* result, cudaSurfaceObject_t object, int x,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surf1Dread<T>(object, x, mode);
}
template <class T>
inline void surf2Dread(T* result, cudaSurfaceObject_t object, int x, int y,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surf2Dread<T>(object, x, y, mode);
}
template <class T>
inline void surf3Dread(T* result, cudaSurfaceObject_t object, int x, int y, int z,
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surf3Dread<T>(object, x, y, z, mode);
}
template <class T>
inline void surf1DLayeredread(T* result, cudaSurfaceObject_t object, int x, int layer,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surf1DLayeredread<T>(object, x, layer, mode);
}
template <class T>
inline void surf2DLayeredread(T* result, cudaSurfaceObject_t object, int x, int y, int layer,
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surf2DLayeredread<T>(object, x, y, layer, mode);
}
template <class T>
inline void surfCubemapread(T* result, cudaSurfaceObject_t object, int x, int y, int face,
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surfCubemapread<T>(object, x, y, face, mode);
}
template <class T>
inline void surfCubemapLayeredread(T* result, cudaSurfaceObject_t object, int x, int y, int layer_face,
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
  *result = surfCubemapLayeredread<T>(object, x, y, layer_face, mode);
}
