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

cudaError_t copy(void* to, const void* from, size_t bytes) {
  return emulated::submit(nullptr, [=] {
    const emulated::DeviceAccess access;
    std::memmove(to, from, bytes);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                              cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  std::byte* to = texels_at(dst, wOffset, hOffset, count);
  if (to == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::check_copy_source(src, count, kind)) return emulated::fail(error);
  return copy(to, src, count);
}

cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset,
                                size_t count, cudaMemcpyKind kind) {
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return emulated::fail(cudaErrorInvalidMemcpyDirection);
  const std::byte* from = texels_at(src, wOffset, hOffset, count);
  if (from == nullptr) return emulated::fail(cudaErrorInvalidValue);
  if (const cudaError_t error = emulated::check_copy_target(dst, count, kind)) return emulated::fail(error);
  return copy(dst, from, count);
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
