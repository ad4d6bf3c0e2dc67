// Copies and fills of linear memory.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "arena.h"
#include "cuda_runtime_api.h"
#include "device/device.h"
#include "device/variables.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/report.h"
#include "emulated/explain_hooks.h"
#include "emulated/runtime.h"
#include "heap.h"
#include "host.h"
#include "launch/declarations.h"
#include "list.h"
#include "managed.h"
#include "platform/platform.h"

namespace emulated {

namespace {

// Does the number of bytes from the first row to the end of the last fit?
bool rows_fit(std::size_t pitch, std::size_t width, std::size_t height) {
  return height == 1 || pitch <= (SIZE_MAX - width) / (height - 1);
}

// What lies at the address.
std::string side_of(const void* pointer) {
  if (pointer == nullptr) return "a null pointer";
  const cudaMemoryType type = allocations().place(pointer).allocation.type;
  if (type == cudaMemoryTypeDevice) return "device memory";
  if (type == cudaMemoryTypeManaged) return "managed memory";
  if (type == cudaMemoryTypeHost) return "pinned memory";
  if (device_arena().contains(pointer)) {
    const std::string where = explain::freed_text(pointer);
    return "device memory that is not allocated" + (where.empty() ? "" : ", freed " + where);
  }
  if (is_in_heap(pointer))
    return "memory from malloc() or new in a kernel, which the host's calls cannot use (let a "
           "kernel copy it to memory from cudaMalloc)";
  std::string text = "host memory";
  if (const char* call = allocations().stored_at(pointer))
    text += std::string(" (where ") + call +
            " stored an address; to allocate device memory, give that call the address of the "
            "pointer, &p)";
  return text;
}

// If it is the direction that is wrong: which side each pointer is on.
void because_of_direction(const void* to, const void* from, cudaMemcpyKind kind) {
  const auto fits = [](const void* pointer, bool device) {
    const cudaMemoryType type = allocations().place(pointer).allocation.type;
    const bool on_host = type == cudaMemoryTypeUnregistered && !device_arena().contains(pointer) &&
                         !is_in_heap(pointer);
    return device ? !on_host : type != cudaMemoryTypeDevice;
  };
  if (kind == cudaMemcpyDefault || to == nullptr || from == nullptr) return;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (fits(to, to_device) && fits(from, from_device)) return;
  constexpr const char* names[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice",
                                   "cudaMemcpyDeviceToHost", "cudaMemcpyDeviceToDevice"};
  because("%s, but the destination is %s and the source %s", names[kind], side_of(to).c_str(),
          side_of(from).c_str());
}

// Each byte gets the last eight bits of the value. Where that is not what the value says, as of
// 1000, but not of -1, 255 or 0x3f3f3f3f: said once for each place.
void warn_of_value(int value, const void* caller) {
  const unsigned bits = static_cast<unsigned>(value);
  const unsigned byte = bits & 0xff;
  if ((value >= -128 && value <= 255) || bits == byte * 0x01010101u) return;
  char at[1000];
  write_source_line(static_cast<const char*>(caller) - 1, at, sizeof at);
  if (*at == '\0') return;
  warn_once(at + 4, "cudaMemset sets each byte to " + std::to_string(byte) +
                        ", the last 8 bits of " + std::to_string(value) +
                        "; set larger elements with a kernel or a copy");
}

bool is_empty(const cudaExtent& box) { return box.width == 0 || box.height == 0 || box.depth == 0; }

cudaError_t fill_box(const CopySide& to, int value, const cudaExtent& box, cudaStream_t stream,
                     const void* caller) {
  if (const cudaError_t error = sticky_error()) return error;
  if (is_empty(box)) return cudaSuccess;
  if (check_box(to, box, cudaMemcpyDeviceToDevice, cudaMemcpyHostToDevice) != cudaSuccess)
    return fail(cudaErrorInvalidValue);
  warn_of_value(value, caller);
  return submit(
      stream,
      [=] {
        const DeviceAccess access;
        const auto variables = place_variables_at(to.begin, to.begin);
        auto* const target = static_cast<char*>(const_cast<void*>(to.begin));
        for (std::size_t z = 0; z < box.depth; ++z)
          for (std::size_t y = 0; y < box.height; ++y) {
            char* const row = target + z * to.slice_pitch + y * to.row_pitch;
            std::memset(row, value, box.width);
            explain::memory_set(row, box.width);
          }
        return cudaSuccess;
      },
      cudaGraphNodeTypeMemset);
}

// The host's own memory: the size of variables with static storage is known, that of allocations
// only by --explain.
cudaError_t check_host_room(const void* begin, std::size_t bytes, const char* side_name) {
  const auto [allocated, offset] = explain::host_room(begin);
  if (allocated > 0 && bytes > allocated - offset) {
    because(
        "%s from byte %zu of the %s on do not fit into the %s that the host has "
        "allocated there; only --explain checks this",
        bytes_text(bytes).c_str(), offset, side_name, bytes_text(allocated).c_str());
    return cudaErrorInvalidValue;
  }
  const ProgramVariable* const variable = program_variable(begin);
  if (variable == nullptr) return cudaSuccess;
  const std::size_t at = reinterpret_cast<std::uintptr_t>(begin) - variable->begin;
  if (bytes <= variable->bytes - at) return cudaSuccess;
  because("%s from byte %zu of the %s on do not fit into the %s of the variable %s",
          bytes_text(bytes).c_str(), at, side_name, bytes_text(variable->bytes).c_str(),
          variable->name().c_str());
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t check_box(const CopySide& side, const cudaExtent& box, cudaMemcpyKind kind,
                      cudaMemcpyKind host_kind) {
  const auto& [begin, row_pitch, slice_pitch] = side;
  const auto& [width, height, depth] = box;
  const bool device = kind == cudaMemcpyDeviceToDevice || kind == host_kind;
  const char* const side_name = host_kind == cudaMemcpyHostToDevice ? "destination" : "source";
  if ((height > 1 || depth > 1) && width > row_pitch) {
    because("the pitch of the %s, %zu bytes, is less than the width, %zu bytes; both are in bytes",
            side_name, row_pitch, width);
    return cudaErrorInvalidPitchValue;
  }
  if (depth > 1 && height > slice_pitch / row_pitch) return cudaErrorInvalidPitchValue;
  if (!rows_fit(row_pitch, width, height) || !rows_fit(slice_pitch, height * row_pitch, depth))
    return cudaErrorInvalidValue;
  const std::size_t bytes = (depth - 1) * slice_pitch + (height - 1) * row_pitch + width;
  const auto [place, found, offset] = allocations().place(begin, bytes);
  if (place == Allocations::Place::inside) {
    if (device || kind == cudaMemcpyDefault || found.type != cudaMemoryTypeDevice)
      return cudaSuccess;
    because("the %s is %s", side_name, side_of(begin).c_str());
    return cudaErrorInvalidValue;
  }
  if (place == Allocations::Place::crosses_end) {
    because("%s from byte %zu of the %s on do not fit into its %s from %s",
            bytes_text(bytes).c_str(), offset, side_name, bytes_text(found.bytes).c_str(),
            found.by->name);
    return cudaErrorInvalidValue;
  }
  // The host's own memory, or what belongs to a kernel, or was freed.
  if (!device && !is_in_heap(begin) && begin != nullptr && !device_arena().contains(begin))
    return check_host_room(begin, bytes, side_name);
  because("the %s is %s", side_name, side_of(begin).c_str());
  return cudaErrorInvalidValue;
}

cudaError_t copy_box(const CopySide& to, const CopySide& from, const cudaExtent& box,
                     cudaMemcpyKind kind, cudaStream_t stream) {
  if (const cudaError_t error = sticky_error()) return error;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return fail(cudaErrorInvalidMemcpyDirection);
  if (is_empty(box)) return cudaSuccess;
  cudaError_t error = check_box(to, box, kind, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = check_box(from, box, kind, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    because_of_direction(to.begin, from.begin, kind);
    return fail(error);
  }
  return submit(stream, [=] {
    const DeviceAccess access;
    const auto variables = place_variables_at(to.begin, from.begin);
    auto* const target = static_cast<char*>(const_cast<void*>(to.begin));
    const auto* const source = static_cast<const char*>(from.begin);
    const auto& [width, height, depth] = box;
    const bool contiguous = height == 1 || (width == to.row_pitch && width == from.row_pitch);
    const std::size_t pieces = contiguous ? 1 : height;
    const std::size_t bytes = width * height / pieces;
    for (std::size_t z = 0; z < depth; ++z)
      for (std::size_t y = 0; y < pieces; ++y) {
        char* const row = target + z * to.slice_pitch + y * to.row_pitch;
        const char* const row_from = source + z * from.slice_pitch + y * from.row_pitch;
        std::memmove(row, row_from, bytes);
        explain::memory_copied(row, row_from, bytes);
      }
    if (contiguous && depth == 1 && device_arena().contains(to.begin) &&
        !device_arena().contains(from.begin))
      note_copied_pointers(to.begin, bytes);
    return cudaSuccess;
  });
}

// Where pageable memory takes part, an asynchronous copy may wait.
static cudaError_t copied(const void* to, const void* from, cudaStream_t stream,
                          cudaError_t error) {
  const auto is_pageable = [](const void* pointer) {
    return allocations().place(pointer).allocation.type == cudaMemoryTypeUnregistered;
  };
  return is_pageable(to) || is_pageable(from) ? waits_for(stream, error) : error;
}

}  // namespace emulated

using namespace emulated;

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  const void* const caller = __builtin_return_address(0);
  const DeviceAccess access;
  const cudaError_t error =
      copied(to, from, stream, copy_box({to, bytes}, {from, bytes}, {bytes, 1, 1}, kind, stream));
  if (error == cudaSuccess && device_arena().contains(from) && !is_capturing(stream))
    close_copied(to, bytes, caller);
  return error;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t error = copy_box({to, bytes}, {from, bytes}, {bytes, 1, 1}, kind, nullptr);
  // Within the device it does not wait.
  return device_arena().contains(to) && device_arena().contains(from) ? error
                                                                      : waits_for(nullptr, error);
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return copied(to, from, stream,
                copy_box({to, to_pitch}, {from, from_pitch}, {width, height, 1}, kind, stream));
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  return waits_for(nullptr,
                   cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr));
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  return fill_box({pointer, bytes}, value, {bytes, 1, 1}, stream, __builtin_return_address(0));
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return fill_box({pointer, bytes}, value, {bytes, 1, 1}, nullptr, __builtin_return_address(0));
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return fill_box({pointer, pitch}, value, {width, height, 1}, stream, __builtin_return_address(0));
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return fill_box({pointer, pitch}, value, {width, height, 1}, nullptr,
                  __builtin_return_address(0));
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  return fill_box({pointer.ptr, pointer.pitch, pointer.ysize * pointer.pitch}, value, extent,
                  nullptr, __builtin_return_address(0));
}

// ---- between devices ----
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                std::size_t bytes, cudaStream_t stream) {
  if (!is_device(to_device) || !is_device(from_device)) return fail(cudaErrorInvalidDevice);
  if (to_device == from_device || (variable_at(to) == nullptr && variable_at(from) == nullptr))
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
  // A variable has one address for all devices, where the values of one of them are.
  return submit(stream, [=] {
    std::vector<char> values(bytes);
    {
      const OtherDevice source(from_device);
      const cudaError_t error = cudaMemcpy(values.data(), from, bytes, cudaMemcpyDeviceToHost);
      if (error != cudaSuccess) return error;
    }
    const OtherDevice target(to_device);
    return cudaMemcpy(to, values.data(), bytes, cudaMemcpyHostToDevice);
  });
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                           std::size_t bytes) {
  return waits(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes));
}
