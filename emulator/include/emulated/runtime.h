// How other parts of the emulated device (textures, for example) use its memory and
// its streams. Not part of CUDA.
#pragma once

#include <cstddef>
#include <functional>

#include "../driver_types.h"
#include "errors.h"

namespace emulated {

struct Launch;

// What allocates memory, or registers it: a call of the program, for example.
struct Allocator {
  const char* name;
  cudaMemoryType type;
  bool is_pitched = false;      // of rows that are a pitch apart
  bool is_read_unseen = false;  // by others than kernels, copies and the host
};
// Allocates memory as cudaMalloc does. `by` is kept.
cudaError_t allocate(void** pointer, std::size_t bytes, const Allocator& by);
// Frees what allocate() returned; cudaErrorInvalidValue when it did not.
cudaError_t release(void* pointer, cudaMemoryType type);

// Do `bytes` bytes from `pointer` lie within one living allocation that the device may use?
bool is_device_range(const void* pointer, std::size_t bytes);
// One side of a copy: its first byte, and bytes from one row, and from one slice, to the next.
struct CopySide {
  const void* begin = nullptr;
  std::size_t row_pitch = 0, slice_pitch = 0;
};
// May a copy of this kind use a box of bytes there? cudaSuccess or the error code. host_kind: of
// copies between host and device, that for which the bytes must be the device's.
cudaError_t check_box(const CopySide& side, const cudaExtent& box, cudaMemcpyKind kind,
                      cudaMemcpyKind host_kind);
// Checks and does, or records, a copy of a box of bytes: rows of box.width bytes.
cudaError_t copy_box(const CopySide& to, const CopySide& from, const cudaExtent& box,
                     cudaMemcpyKind kind, cudaStream_t stream);
// Makes the variable's bytes known as device memory: afterwards copies to its address are accepted.
// The address of the host's own copy becomes that of the variable. cudaErrorInvalidSymbol when it
// cannot be a __device__ or __constant__ variable.
cudaError_t register_symbol(const void*& address, std::size_t bytes);
// `place`: where `bytes` bytes of the symbol begin, moved by `offset`. An error
// where they do not fit, or as above.
template <class T>
cudaError_t find_in_symbol(const T& symbol, std::size_t bytes, std::size_t offset, char*& place) {
  const void* begin =
      const_cast<const void*>(reinterpret_cast<const volatile void*>(__builtin_addressof(symbol)));
  if (const cudaError_t error = register_symbol(begin, sizeof(T))) return error;
  if (offset > sizeof(T) || bytes > sizeof(T) - offset) {
    because("%zu bytes from byte %zu on do not fit into the variable, which has %zu", bytes, offset,
            sizeof(T));
    return fail(cudaErrorInvalidValue);
  }
  place = static_cast<char*>(const_cast<void*>(begin)) + offset;
  return cudaSuccess;
}

// A call has waited for all that was given to the device before. Returns the call's result.
cudaError_t waits(cudaError_t result = cudaSuccess);
// The same of a call that waits for one stream only, which the pack explain distinguishes.
cudaError_t waits_for(cudaStream_t stream, cudaError_t result = cudaSuccess);
// May work be given to this stream now? cudaErrorInvalidResourceHandle: there is no such stream.
// cudaErrorStreamCapture...: a capture forbids it.
cudaError_t check_stream(cudaStream_t stream);
// May this kernel be given to its stream? That must be one of the present device. Says why not.
cudaError_t check_kernel_stream(const Launch& launch);
// Gives work to a stream: runs it at once and returns its result, or records it when the stream is
// being captured, as a node of a graph.
cudaError_t submit(cudaStream_t stream, std::function<cudaError_t()> work,
                   cudaGraphNodeType type = cudaGraphNodeTypeMemcpy);
bool is_capturing(cudaStream_t stream);
// For calls that a capture does not take, as they would wait: refused if this stream is being
// captured, and the capture is spoilt.
cudaError_t refuse_in_capture(cudaStream_t stream);
// For calls that CUDA forbids while a capture is going on and that do not belong
// to it (a copy without a stream).
cudaError_t check_no_capture();

}  // namespace emulated
