// Copies that run through an array's texels row by row, and copies between devices.
#include <cuda_runtime.h>

#include <cstring>

#include "device/device.h"
#include "emulated/errors.h"
#include "emulated/runtime.h"
#include "memory.h"
#include "memory/arena.h"

// These functions are deprecated for users.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

// Where texel (x bytes, y) of an array lies if `bytes` bytes follow, else nullptr. Rows lie without gaps.
std::byte* texels_at(const cudaArray* array, size_t x, size_t y, size_t bytes) {
  if (!emulated::is_array(array)) return nullptr;
  const size_t all = array->row_pitch * array->rows();
  if (x >= array->row_pitch || y >= array->rows() || x % array->texel_bytes != 0) return nullptr;
  const size_t begin = y * array->row_pitch + x;
  return bytes <= all - begin ? array->texels + begin : nullptr;
}

cudaError_t copy(void* to, const void* from, size_t bytes, cudaStream_t stream) {
  return emulated::submit(stream, [=] {
    const emulated::DeviceAccess access;
    std::memmove(to, from, bytes);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                   size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  std::byte* to = texels_at(dst, wOffset, hOffset, count);
  if (to == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::check_copy_source(src, count, kind)) return emulated::fail(error);
  return copy(to, src, count, stream);
}

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                              cudaMemcpyKind kind) {
  return cudaMemcpyToArrayAsync(dst, wOffset, hOffset, src, count, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                     size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  const std::byte* from = texels_at(src, wOffset, hOffset, count);
  if (from == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::check_copy_target(dst, count, kind)) return emulated::fail(error);
  return copy(dst, from, count, stream);
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, cudaMemcpyKind kind) {
  return cudaMemcpyFromArrayAsync(dst, src, wOffset, hOffset, count, kind);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                   cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc, size_t count,
                                   cudaMemcpyKind kind) {
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  std::byte* to = texels_at(dst, wOffsetDst, hOffsetDst, count);
  const std::byte* from = texels_at(src, wOffsetSrc, hOffsetSrc, count);
  if (to == nullptr || from == nullptr) return emulated::fail(cudaErrorInvalidValue);
  return copy(to, from, count, nullptr);
}

// ---- between devices ----
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
  if (!emulated::is_device(to_device) || !emulated::is_device(from_device))
    return emulated::fail(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  if (p == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (!emulated::is_device(p->srcDevice) || !emulated::is_device(p->dstDevice))
    return emulated::fail(cudaErrorInvalidDevice);
  const cudaMemcpy3DParms copy = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                  p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
  return cudaMemcpy3DAsync(&copy, stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) { return cudaMemcpy3DPeerAsync(p); }
