// CUDA arrays and the copies to, from and between them.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

#include "device/variables.h"
#include "emulated/errors.h"
#include "emulated/runtime.h"
#include "memory.h"
#include "memory/arena.h"
#include "streams/handles.h"

namespace {

// cudaDeviceReset frees the texels of all arrays.
bool alive(const cudaArray* array) {
  return emulated::exists(array) && emulated::is_device_range(array->texels, 1);
}

// Checks extent against flags and the limits of compute capability 9.0, in texels.
bool allowed_extent(const cudaExtent& e, unsigned flags) {
  const bool layered = flags & cudaArrayLayered, cubemap = flags & cudaArrayCubemap;
  const bool gather = flags & cudaArrayTextureGather, solid = !layered && !cubemap && e.depth > 0;
  const size_t widest = solid ? 16384 : layered || cubemap || gather ? 32768 : 131072;
  if (e.width == 0 || e.width > widest || e.height > std::min<size_t>(widest, 65536)) return false;
  if (e.depth > (solid ? 16384 : cubemap ? 2046 : 2048)) return false;
  if (gather && (layered || cubemap || solid || e.height == 0)) return false;
  if (cubemap) return e.width == e.height && (layered ? e.depth > 0 && e.depth % 6 == 0 : e.depth == 6);
  return layered ? e.depth > 0 : !solid || e.height > 0;
}

// One side of a copy as a box of bytes: where row y of slice z starts, and whether the device owns it.
struct Side {
  std::byte* base = nullptr;
  size_t row_pitch = 0, slice_pitch = 0;
};

cudaError_t copy_box(const Side& to, const Side& from, size_t row_bytes, size_t rows, size_t slices,
                     cudaStream_t stream) {
  return emulated::submit(stream, [=] {
    const emulated::DeviceAccess access;
    const emulated::OnDevice target(to.base), source(from.base);
    for (size_t z = 0; z < slices; ++z)
      for (size_t y = 0; y < rows; ++y)
        std::memmove(target.place + z * to.slice_pitch + y * to.row_pitch,
                     source.place + z * from.slice_pitch + y * from.row_pitch, row_bytes);
    return cudaSuccess;
  });
}

// A box of an array, checked against its size. x in bytes.
cudaError_t array_side(const cudaArray* array, size_t x, size_t y, size_t z, size_t row_bytes, size_t rows,
                       size_t slices, Side& side) {
  if (!alive(array)) return cudaErrorInvalidValue;
  const auto& a = *array;
  if (x % a.texel_bytes != 0 || row_bytes % a.texel_bytes != 0) return cudaErrorInvalidValue;
  if (x > a.row_pitch || row_bytes > a.row_pitch - x) return cudaErrorInvalidValue;
  if (y > a.rows() || rows > a.rows() - y || z > a.slices() || slices > a.slices() - z)
    return cudaErrorInvalidValue;
  side = {a.texels + z * a.slice_pitch + y * a.row_pitch + x, a.row_pitch, a.slice_pitch};
  return cudaSuccess;
}

// Texels that follow each other, row by row. x in bytes.
cudaError_t run_of_texels(const cudaArray* array, size_t x, size_t y, size_t bytes, Side& side) {
  if (!alive(array)) return cudaErrorInvalidValue;
  const auto& a = *array;
  if (x >= a.row_pitch || y >= a.rows() || x % a.texel_bytes != 0) return cudaErrorInvalidValue;
  const size_t begin = y * a.row_pitch + x;
  side = {a.texels + begin, bytes, bytes};
  return bytes <= a.row_pitch * a.rows() - begin ? cudaSuccess : cudaErrorInvalidValue;
}

// A box of pitched memory that a copy of this kind may write or read.
enum class Role { source, target };

cudaError_t memory_side(const void* memory, size_t pitch, size_t rows_per_slice, size_t row_bytes,
                        size_t rows, size_t slices, cudaMemcpyKind kind, Role role, Side& side) {
  if (memory == nullptr) return cudaErrorInvalidValue;
  if (pitch < row_bytes && rows * slices > 1) return cudaErrorInvalidPitchValue;
  if (slices > 1 && rows > rows_per_slice) return cudaErrorInvalidPitchValue;
  const size_t bytes = (slices - 1) * rows_per_slice * pitch + (rows - 1) * pitch + row_bytes;
  const cudaError_t error = role == Role::source ? emulated::check_copy_source(memory, bytes, kind)
                                                 : emulated::check_copy_target(memory, bytes, kind);
  side = {static_cast<std::byte*>(const_cast<void*>(memory)), pitch, rows_per_slice * pitch};
  return error;
}

// May a copy of this kind read an array (Role::source) or write one?
bool fits_array(cudaMemcpyKind kind, Role array) {
  return kind == cudaMemcpyDefault || kind == cudaMemcpyDeviceToDevice ||
         kind == (array == Role::source ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
}

// Copies rows between a part of an array, where it is `array_role`, and memory.
cudaError_t copy_rows(Role array_role, cudaError_t array_error, const Side& texels, const void* memory,
                      size_t pitch, size_t row_bytes, size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
  if (!fits_array(kind, array_role)) return emulated::fail(cudaErrorInvalidMemcpyDirection);
  if (array_error != cudaSuccess || row_bytes == 0 || rows == 0) return emulated::fail(array_error);
  const bool to_memory = array_role == Role::source;
  Side side;
  if (const cudaError_t error = memory_side(memory, pitch, rows, row_bytes, rows, 1, kind,
                                            to_memory ? Role::target : Role::source, side))
    return emulated::fail(error);
  return to_memory ? copy_box(side, texels, row_bytes, rows, 1, stream)
                   : copy_box(texels, side, row_bytes, rows, 1, stream);
}

}  // namespace

bool emulated::is_array(const cudaArray* array) { return alive(array); }

bool emulated::texel_layout(const cudaChannelFormatDesc& desc, int& channels, int& bits) {
  const int sizes[4] = {desc.x, desc.y, desc.z, desc.w};
  channels = 0;
  while (channels < 4 && sizes[channels] != 0) ++channels;
  for (int c = 0; c < 4; ++c)
    if (sizes[c] != (c < channels ? desc.x : 0)) return false;
  bits = desc.x;
  if (channels != 1 && channels != 2 && channels != 4) return false;
  if (bits != 8 && bits != 16 && bits != 32) return false;
  if (desc.f == cudaChannelFormatKindFloat) return bits >= 16;
  return desc.f == cudaChannelFormatKindSigned || desc.f == cudaChannelFormatKindUnsigned;
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
  if (array == nullptr || desc == nullptr) return emulated::fail(cudaErrorInvalidValue);
  int channels = 0, bits = 0;
  if (!emulated::texel_layout(*desc, channels, bits))
    return emulated::fail(cudaErrorInvalidChannelDescriptor);
  constexpr unsigned known =
      cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
  if ((flags & ~known) != 0 || !allowed_extent(extent, flags)) return emulated::fail(cudaErrorInvalidValue);
  try {
    auto made = std::make_unique<cudaArray>();
    made->desc = *desc;
    made->extent = extent;
    made->flags = flags;
    made->texel_bytes = static_cast<size_t>(channels * bits / 8);
    made->row_pitch = extent.width * made->texel_bytes;
    made->slice_pitch = made->row_pitch * made->rows();
    void* texels = nullptr;
    const size_t bytes = made->slice_pitch * made->slices();
    if (const cudaError_t error = emulated::allocate(&texels, bytes, cudaMemoryTypeDevice, "a CUDA array"))
      return emulated::fail(error);
    made->texels = static_cast<std::byte*>(texels);
    emulated::add<const cudaArray*>(made.get());
    *array = made.release();
  } catch (const std::bad_alloc&) {
    return emulated::fail(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  if (!emulated::forget<const cudaArray*>(array)) return emulated::fail(cudaErrorInvalidValue);
  emulated::release(array->texels, cudaMemoryTypeDevice);
  delete array;
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
  if (!alive(array)) return emulated::fail(cudaErrorInvalidResourceHandle);
  if (desc) *desc = array->desc;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  if (!alive(array) || desc == nullptr) return emulated::fail(cudaErrorInvalidValue);
  *desc = array->desc;
  return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                     size_t spitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream) {
  Side texels;
  const cudaError_t error = array_side(dst, wOffset, hOffset, 0, width, height, 1, texels);
  return copy_rows(Role::target, error, texels, src, spitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                size_t spitch, size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(dst, wOffset, hOffset, src, spitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                       size_t hOffset, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  Side texels;
  const cudaError_t error = array_side(src, wOffset, hOffset, 0, width, height, 1, texels);
  return copy_rows(Role::source, error, texels, dst, dpitch, width, height, kind, stream);
}

cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                  size_t hOffset, size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(dst, dpitch, src, wOffset, hOffset, width, height, kind);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                              cudaMemcpyKind kind) {
  Side texels;
  const cudaError_t error = run_of_texels(dst, wOffset, hOffset, count, texels);
  return copy_rows(Role::target, error, texels, src, count, count, 1, kind, nullptr);
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, cudaMemcpyKind kind) {
  Side texels;
  const cudaError_t error = run_of_texels(src, wOffset, hOffset, count, texels);
  return copy_rows(Role::source, error, texels, dst, count, count, 1, kind, nullptr);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                     cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                     size_t width, size_t height, cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  Side to, from;
  cudaError_t error = array_side(dst, wOffsetDst, hOffsetDst, 0, width, height, 1, to);
  if (error == cudaSuccess) error = array_side(src, wOffsetSrc, hOffsetSrc, 0, width, height, 1, from);
  return error != cudaSuccess ? emulated::fail(error) : copy_box(to, from, width, height, 1, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  if (p == nullptr || (p->srcArray == nullptr) == (p->srcPtr.ptr == nullptr) ||
      (p->dstArray == nullptr) == (p->dstPtr.ptr == nullptr))
    return emulated::fail(cudaErrorInvalidValue);
  // The extent counts texels if an array takes part, and arrays that both take part must have the same
  // texels.
  size_t texel_bytes = 0;
  for (const cudaArray* array :
       {static_cast<const cudaArray*>(p->srcArray), static_cast<const cudaArray*>(p->dstArray)}) {
    if (array == nullptr) continue;
    if (!alive(array) || (texel_bytes != 0 && texel_bytes != array->texel_bytes))
      return emulated::fail(cudaErrorInvalidValue);
    texel_bytes = array->texel_bytes;
  }
  const size_t unit = texel_bytes != 0 ? texel_bytes : 1;
  const size_t row_bytes = p->extent.width * unit, rows = p->extent.height, slices = p->extent.depth;
  if (row_bytes == 0 || rows == 0 || slices == 0) return cudaSuccess;
  auto make_side = [&](cudaArray_t array, const cudaPos& pos, const cudaPitchedPtr& memory, Role role,
                       Side& side) {
    if (array != nullptr) {
      if (!fits_array(p->kind, role)) return cudaErrorInvalidMemcpyDirection;
      return array_side(array, pos.x * array->texel_bytes, pos.y, pos.z, row_bytes, rows, slices, side);
    }
    const size_t slice = memory.ysize * memory.pitch;
    if (memory.pitch < row_bytes + pos.x && rows * slices > 1) return cudaErrorInvalidPitchValue;
    const auto* start = static_cast<std::byte*>(memory.ptr) + pos.z * slice + pos.y * memory.pitch + pos.x;
    return memory_side(start, memory.pitch, memory.ysize, row_bytes, rows, slices, p->kind, role, side);
  };
  Side to, from;
  cudaError_t error = make_side(p->srcArray, p->srcPos, p->srcPtr, Role::source, from);
  if (error == cudaSuccess) error = make_side(p->dstArray, p->dstPos, p->dstPtr, Role::target, to);
  return error != cudaSuccess ? emulated::fail(error) : copy_box(to, from, row_bytes, rows, slices, stream);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) { return cudaMemcpy3DAsync(p); }
