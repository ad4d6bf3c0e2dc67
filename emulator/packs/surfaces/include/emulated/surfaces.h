// Surface objects: texels of a CUDA array read and written as they are stored, by integer
// coordinates. x counts bytes, y rows, z slices. T is any type of 1, 2, 4, 8 or 16 bytes and x a
// multiple of its size. Outside the array: cudaBoundaryModeTrap (the default) ends the kernel with
// an error, cudaBoundaryModeClamp takes the nearest texel, cudaBoundaryModeZero reads 0 and writes
// nothing. Source: CUDA C++ programming guide, "Surface Functions".
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <emulated/texture_fetch.h>

namespace emulated {

// The place of size bytes at (x, y) of a slice, or null where the boundary
// mode says: nothing there.
[[gnu::always_inline]] inline std::byte* surface_place(const TextureState& surface,
                                                       TextureShape shape, std::size_t size, int x,
                                                       int y, int slice,
                                                       cudaSurfaceBoundaryMode mode,
                                                       const char* function) {
  if (!surface.writable) [[unlikely]]
    texture_misuse(function, "this is a texture object, not a surface object");
  expect_shape(surface, shape, function);
  const int row_bytes = surface.width * surface.texel_bytes;
  if (x % static_cast<int>(size) != 0) [[unlikely]]
    texture_misuse(function,
                   "x is in bytes and must be a multiple of the size of what is read or written");
  const bool inside = x >= 0 && x + static_cast<int>(size) <= row_bytes &&
                      static_cast<unsigned>(y) < static_cast<unsigned>(surface.height) &&
                      static_cast<unsigned>(slice) < static_cast<unsigned>(surface.depth);
  if (!inside) [[unlikely]] {
    if (mode == cudaBoundaryModeTrap)
      texture_misuse(function,
                     "outside the surface (boundary mode trap); x is in bytes, not in texels");
    if (mode == cudaBoundaryModeZero) return nullptr;
    auto clamp = [](int i, int last) { return i < 0 ? 0 : i > last ? last : i; };
    x = clamp(x, row_bytes - static_cast<int>(size));
    y = clamp(y, surface.height - 1);
    slice = clamp(slice, surface.depth - 1);
  }
  return surface.texels + static_cast<std::size_t>(slice) * surface.slice_pitch +
         static_cast<std::size_t>(y) * surface.row_pitch + x;
}

// The pack `explain` shows what is read or written, and where.
template <class T>
[[gnu::always_inline]] inline void note_surface(const char* function, TextureShape shape,
                                                const T& value, int x, int y, int slice) {
  if (shape == TextureShape::array1d)
    noted(function, value, x);
  else if (shape == TextureShape::array2d)
    noted(function, value, x, y);
  else if (shape == TextureShape::layered1d)
    noted(function, value, x, slice);
  else
    noted(function, value, x, y, slice);
}

template <class T>
[[gnu::always_inline]] inline T surface_read(cudaSurfaceObject_t object, TextureShape shape, int x,
                                             int y, int slice, cudaSurfaceBoundaryMode mode,
                                             const char* function) {
  T value{};
  if (const std::byte* place = surface_place(texture_state(object, function), shape, sizeof(T), x,
                                             y, slice, mode, function))
    std::memcpy(&value, place, sizeof value);
  note_surface(function, shape, value, x, y, slice);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void surface_write(T value, cudaSurfaceObject_t object,
                                                 TextureShape shape, int x, int y, int slice,
                                                 cudaSurfaceBoundaryMode mode,
                                                 const char* function) {
  if (std::byte* place = surface_place(texture_state(object, function), shape, sizeof(T), x, y,
                                       slice, mode, function))
    std::memcpy(place, &value, sizeof value);
  note_surface(function, shape, value, x, y, slice);
}

}  // namespace emulated

// surf...read in its two forms and surf...write. `parameters` is the list of the coordinates, with
// x; y and slice say which of them are those of the array.
#define EMULATED_LIST(...) __VA_ARGS__
#define EMULATED_SURFACE(name, shape, parameters, y, slice)                                       \
  template <class T>                                                                              \
  inline T surf##name##read(cudaSurfaceObject_t object, EMULATED_LIST parameters,                 \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                \
    return emulated::surface_read<T>(object, emulated::TextureShape::shape, x, y, slice, mode,    \
                                     "surf" #name "read");                                        \
  }                                                                                               \
  template <class T>                                                                              \
  inline void surf##name##read(T* result, cudaSurfaceObject_t object, EMULATED_LIST parameters,   \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {             \
    *result = emulated::surface_read<T>(object, emulated::TextureShape::shape, x, y, slice, mode, \
                                        "surf" #name "read");                                     \
  }                                                                                               \
  template <class T>                                                                              \
  inline void surf##name##write(T value, cudaSurfaceObject_t object, EMULATED_LIST parameters,    \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {            \
    emulated::surface_write(value, object, emulated::TextureShape::shape, x, y, slice, mode,      \
                            "surf" #name "write");                                                \
  }
EMULATED_SURFACE(1D, array1d, (int x), 0, 0)
EMULATED_SURFACE(2D, array2d, (int x, int y), y, 0)
EMULATED_SURFACE(3D, array3d, (int x, int y, int z), y, z)
EMULATED_SURFACE(1DLayered, layered1d, (int x, int layer), 0, layer)
EMULATED_SURFACE(2DLayered, layered2d, (int x, int y, int layer), y, layer)
// face: 0..5 as in the guide's table of cubemap faces; layer_face = 6 * layer + face.
EMULATED_SURFACE(Cubemap, cubemap, (int x, int y, int face), y, face)
EMULATED_SURFACE(CubemapLayered, layered_cubemap, (int x, int y, int layer_face), y, layer_face)
#undef EMULATED_SURFACE
#undef EMULATED_LIST
