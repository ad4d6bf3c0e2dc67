// Copies and fills of linear memory.
#include <cstdint>
#include <cstring>

#include "arena.h"
#include "cuda_runtime_api.h"
#include "device/device.h"
#include "device/variables.h"
#include "emulated/runtime.h"
#include "host.h"
#include "list.h"

namespace emulated {

namespace {

// Does the number of bytes from the first row to the end of the last fit?
bool rows_fit(std::size_t pitch, std::size_t width, std::size_t height) {
  return height == 1 || pitch <= (SIZE_MAX - width) / (height - 1);
}

cudaError_t fill_rows(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (width == 0 || height == 0) return cudaSuccess;
  if ((height > 1 && width > pitch) || !rows_fit(pitch, width, height)) return fail(cudaErrorInvalidValue);
  if (const cudaError_t error =
          check_copy(pointer, (height - 1) * pitch + width, cudaMemcpyDeviceToDevice, cudaMemcpyHostToDevice))
    return fail(error);
  return submit(
      stream,
      [=] {
        const DeviceAccess access;
        const auto variables = place_variables_at(pointer, pointer);
        for (std::size_t row = 0; row < height; ++row)
          std::memset(static_cast<char*>(pointer) + row * pitch, value, width);
        return cudaSuccess;
      },
      cudaGraphNodeTypeMemset);
}

}  // namespace

cudaError_t check_copy(const void* pointer, std::size_t bytes, cudaMemcpyKind kind,
                       cudaMemcpyKind host_kind) {
  if (bytes == 0) return cudaSuccess;
  if (pointer == nullptr) return cudaErrorInvalidValue;
  const bool device = kind == cudaMemcpyDeviceToDevice || kind == host_kind;
  Allocation found;
  const auto place = allocations().place(pointer, bytes, found);
  if (place == Allocations::Place::inside)
    return device || kind == cudaMemcpyDefault || found.type != cudaMemoryTypeDevice ? cudaSuccess
                                                                                     : cudaErrorInvalidValue;
  if (place == Allocations::Place::crosses_end || device) return cudaErrorInvalidValue;
  // The host's own memory, or device memory that was freed.
  return device_arena().contains(pointer) ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t copy_box(const CopySide& to, const CopySide& from, const cudaExtent& box, cudaMemcpyKind kind,
                     cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return fail(cudaErrorInvalidMemcpyDirection);
  const std::size_t width = box.width, height = box.height, depth = box.depth;
  if (width == 0 || height == 0 || depth == 0) return cudaSuccess;
  for (const CopySide& side : {to, from}) {
    if ((height > 1 || depth > 1) && width > side.row_pitch) return fail(cudaErrorInvalidPitchValue);
    if (depth > 1 && height > side.slice_pitch / side.row_pitch) return fail(cudaErrorInvalidPitchValue);
    if (!rows_fit(side.row_pitch, width, height) ||
        !rows_fit(side.slice_pitch, height * side.row_pitch, depth))
      return fail(cudaErrorInvalidValue);
  }
  const auto bytes_of = [=](const CopySide& side) {
    return (depth - 1) * side.slice_pitch + (height - 1) * side.row_pitch + width;
  };
  if (const cudaError_t error = check_copy(to.begin, bytes_of(to), kind, cudaMemcpyHostToDevice))
    return fail(error);
  if (const cudaError_t error = check_copy(from.begin, bytes_of(from), kind, cudaMemcpyDeviceToHost))
    return fail(error);
  return submit(stream, [=] {
    const DeviceAccess access;
    const auto variables = place_variables_at(to.begin, from.begin);
    auto* const target = static_cast<char*>(const_cast<void*>(to.begin));
    const auto* const source = static_cast<const char*>(from.begin);
    const bool contiguous = height == 1 || (width == to.row_pitch && width == from.row_pitch);
    const std::size_t pieces = contiguous ? 1 : height, bytes = width * height / pieces;
    for (std::size_t z = 0; z < depth; ++z)
      for (std::size_t y = 0; y < pieces; ++y)
        std::memmove(target + z * to.slice_pitch + y * to.row_pitch,
                     source + z * from.slice_pitch + y * from.row_pitch, bytes);
    if (contiguous && depth == 1 && device_arena().contains(to.begin) && !device_arena().contains(from.begin))
      note_copied_pointers(to.begin, bytes);
    return cudaSuccess;
  });
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy_box({to, bytes}, {from, bytes}, {bytes, 1, 1}, kind, stream);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  return copy_box({to, to_pitch}, {from, from_pitch}, {width, height, 1}, kind, stream);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_rows(pointer, bytes, value, bytes, 1, stream);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return fill_rows(pointer, bytes, value, bytes, 1, nullptr);
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill_rows(pointer, pitch, value, width, height, stream);
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fill_rows(pointer, pitch, value, width, height, nullptr);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  if (extent.height > pointer.ysize && extent.depth > 1) return fail(cudaErrorInvalidValue);
  for (std::size_t z = 0; z < extent.depth; ++z) {
    auto* slice = static_cast<char*>(pointer.ptr) + z * pointer.ysize * pointer.pitch;
    if (const cudaError_t error =
            fill_rows(slice, pointer.pitch, value, extent.width, extent.height, nullptr))
      return error;
  }
  return cudaSuccess;
}

// ---- between devices ----
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, std::size_t bytes,
                                cudaStream_t stream) {
  if (!is_device(to_device) || !is_device(from_device)) return fail(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, std::size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes);
}
