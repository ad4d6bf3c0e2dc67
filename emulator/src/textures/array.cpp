// CUDA arrays and the copies to, from and between them.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "emulated/errors.h"
#include "emulated/runtime.h"
#include "memory.h"
#include "streams/handles.h"

namespace {

using emulated::CopySide;
using emulated::TextureShape;

// Checks extent against flags and the limits of compute capability 9.0, in texels.
bool allowed_extent(const cudaExtent& e, unsigned flags) {
  const bool layered = flags & cudaArrayLayered;
  const bool cubemap = flags & cudaArrayCubemap;
  const bool gather = flags & cudaArrayTextureGather;
  const bool solid = !layered && !cubemap && e.depth > 0;
  size_t widest = 131072;
  if (layered || cubemap || gather) widest = 32768;
  if (solid) widest = 16384;
  size_t deepest = 2048;
  if (cubemap) deepest = 2046;  // whole cubemaps
  if (solid) deepest = 16384;
  if (e.width == 0 || e.width > widest || e.height > std::min<size_t>(widest, 65536)) return false;
  if (e.depth > deepest) return false;
  if (gather && (layered || cubemap || solid || e.height == 0)) return false;
  if (cubemap)
    return e.width == e.height && (layered ? e.depth > 0 && e.depth % 6 == 0 : e.depth == 6);
  return layered ? e.depth > 0 : !solid || e.height > 0;
}

TextureShape shape_of(const cudaExtent& e, unsigned flags) {
  const bool layered = flags & cudaArrayLayered;
  if (flags & cudaArrayCubemap)
    return layered ? TextureShape::layered_cubemap : TextureShape::cubemap;
  if (layered) return e.height > 0 ? TextureShape::layered2d : TextureShape::layered1d;
  if (e.depth > 0) return TextureShape::array3d;
  return e.height > 0 ? TextureShape::array2d : TextureShape::array1d;
}

// A part of an array, or of pitched memory, from a position in bytes, rows and slices.
struct Part {
  const cudaArray* array = nullptr;
  cudaPitchedPtr memory = {};  // its ptr is null where there is an array
  cudaPos at = {};
};

Part memory_part(const void* begin, size_t pitch, size_t rows) {
  return {nullptr, {const_cast<void*>(begin), pitch, 0, rows}, {}};
}

// Where a box that begins there lies. host_kind: which copies between host and
// device may use an array in this way.
cudaError_t find_box(const Part& part, const cudaExtent& box, cudaMemcpyKind kind,
                     cudaMemcpyKind host_kind, CopySide& side) {
  const auto& [x, y, z] = part.at;
  if (part.memory.ptr != nullptr) {
    const cudaPitchedPtr& m = part.memory;
    if (box.height * box.depth > 1 && m.pitch < x + box.width) return cudaErrorInvalidPitchValue;
    const size_t slice_pitch = m.pitch * m.ysize;
    side = {static_cast<std::byte*>(m.ptr) + z * slice_pitch + y * m.pitch + x, m.pitch,
            slice_pitch};
    return cudaSuccess;
  }
  if (!emulated::is_array(part.array)) return cudaErrorInvalidValue;
  if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice && kind != host_kind)
    return cudaErrorInvalidMemcpyDirection;
  const cudaArray& a = *part.array;
  const size_t rows = a.height;
  const size_t slices = a.depth;
  if (x % a.texel_bytes != 0 || box.width % a.texel_bytes != 0) return cudaErrorInvalidValue;
  if (x > a.row_pitch || box.width > a.row_pitch - x) return cudaErrorInvalidValue;
  if (y > rows || box.height > rows - y || z > slices || box.depth > slices - z)
    return cudaErrorInvalidValue;
  side = {a.texels + z * a.slice_pitch + y * a.row_pitch + x, a.row_pitch, a.slice_pitch};
  return cudaSuccess;
}

cudaError_t copy_parts(const Part& to, const Part& from, const cudaExtent& box, cudaMemcpyKind kind,
                       cudaStream_t stream) {
  CopySide target;
  CopySide source;
  cudaError_t error = find_box(from, box, kind, cudaMemcpyDeviceToHost, source);
  if (error == cudaSuccess) error = find_box(to, box, kind, cudaMemcpyHostToDevice, target);
  if (error != cudaSuccess) return emulated::fail(error);
  return emulated::waits(emulated::copy_box(target, source, box, kind, stream));
}

// Where a texel lies; those after it in its row and in the next rows follow.
// Null: there is none. x in bytes.
std::byte* texel_at(const cudaArray* array, size_t x, size_t y) {
  if (!emulated::is_array(array) || x >= array->row_pitch || x % array->texel_bytes != 0 ||
      y >= static_cast<size_t>(array->height))
    return nullptr;
  return array->texels + y * array->row_pitch + x;
}

}  // namespace

// cudaDeviceReset frees the texels of all arrays.
bool emulated::is_array(const cudaArray* array) {
  return exists(array) && is_device_range(array->texels, 1);
}

bool emulated::describe_texels(const cudaChannelFormatDesc& desc, Texels& texels) {
  const int bits = desc.x;
  int channels = 1;
  if (desc.y != 0) channels = 2;
  if (desc.w != 0) channels = 4;
  const int sizes[] = {desc.x, desc.y, desc.z, desc.w};
  for (int c = 0; c < 4; ++c)
    if (sizes[c] != (c < channels ? bits : 0)) return false;
  if ((bits != 8 && bits != 16 && bits != 32) || desc.f >= cudaChannelFormatKindNone) return false;
  if (desc.f == cudaChannelFormatKindFloat && bits == 8) return false;
  using enum TexelFormat;
  constexpr TexelFormat formats[3][3] = {
      {s8, s16, s32}, {u8, u16, u32}, {f16, f16, f32}};  // by kind and bits
  texels.format = formats[desc.f][bits / 16];
  texels.channels = channels;
  texels.texel_bytes = channels * bits / 8;
  return true;
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned flags) {
  if (array == nullptr || desc == nullptr) return emulated::fail(cudaErrorInvalidValue);
  auto made = std::make_unique<cudaArray>();
  if (!emulated::describe_texels(*desc, *made))
    return emulated::fail(cudaErrorInvalidChannelDescriptor);
  constexpr unsigned known =
      cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
  if ((flags & ~known) != 0 || !allowed_extent(extent, flags))
    return emulated::fail(cudaErrorInvalidValue);
  made->desc = *desc;
  made->extent = extent;
  made->flags = flags;
  made->shape = shape_of(extent, flags);
  made->width = static_cast<int>(extent.width);
  made->height = std::max(static_cast<int>(extent.height), 1);
  made->depth = std::max(static_cast<int>(extent.depth), 1);
  made->row_pitch = extent.width * made->texel_bytes;
  made->slice_pitch = made->row_pitch * made->height;
  void* texels = nullptr;
  static constexpr emulated::Allocator array_allocator{
      .name = "a CUDA array", .type = cudaMemoryTypeDevice, .is_read_unseen = true};
  const size_t bytes = made->slice_pitch * made->depth;
  if (const cudaError_t error = emulated::allocate(&texels, bytes, array_allocator))
    return emulated::fail(error);
  made->texels = static_cast<std::byte*>(texels);
  emulated::add<const cudaArray*>(made.get());
  *array = made.release();
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  if (!emulated::forget<const cudaArray*>(array)) return emulated::fail(cudaErrorInvalidValue);
  emulated::waits();
  emulated::release(array->texels, cudaMemoryTypeDevice);
  delete array;
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  if (!emulated::is_array(array)) return emulated::fail(cudaErrorInvalidResourceHandle);
  if (desc) *desc = array->desc;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (!emulated::is_array(array) || desc == nullptr) return emulated::fail(cudaErrorInvalidValue);
  *desc = array->desc;
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                     const void* src, size_t spitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_parts({.array = dst, .at = {wOffset, hOffset, 0}}, memory_part(src, spitch, height),
                    {width, height, 1}, kind, stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                size_t spitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src,
                                       size_t wOffset, size_t hOffset, size_t width, size_t height,
                                       cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_parts(memory_part(dst, dpitch, height), {.array = src, .at = {wOffset, hOffset, 0}},
                    {width, height, 1}, kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height,
                                  cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_parts({.array = dst, .at = {wOffsetDst, hOffsetDst, 0}},
                    {.array = src, .at = {wOffsetSrc, hOffsetSrc, 0}}, {width, height, 1}, kind,
                    nullptr);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                              size_t count, cudaMemcpyKind kind) {
  return cudaMemcpy(texel_at(dst, wOffset, hOffset), src, count, kind);
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, cudaMemcpyKind kind) {
  return cudaMemcpy(dst, texel_at(src, wOffset, hOffset), count, kind);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  if (p == nullptr || (p->srcArray == nullptr) == (p->srcPtr.ptr == nullptr) ||
      (p->dstArray == nullptr) == (p->dstPtr.ptr == nullptr))
    return emulated::fail(cudaErrorInvalidValue);
  // The extent counts texels if an array takes part, and arrays that both take
  // part must have the same texels.
  Part to = {p->dstArray, p->dstPtr, p->dstPos};
  Part from = {p->srcArray, p->srcPtr, p->srcPos};
  size_t unit = 1;
  for (Part* part : {&to, &from}) {
    if (part->array == nullptr) continue;
    if (!emulated::is_array(part->array)) return emulated::fail(cudaErrorInvalidValue);
    unit = part->array->texel_bytes;
    part->at.x *= unit;
  }
  if (to.array != nullptr && from.array != nullptr &&
      to.array->texel_bytes != from.array->texel_bytes)
    return emulated::fail(cudaErrorInvalidValue);
  return copy_parts(to, from, {p->extent.width * unit, p->extent.height, p->extent.depth}, p->kind,
                    stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p); }
