// Error codes of the runtime API and where the last one is kept.
#pragma once

#include <cstddef>

enum cudaError {
#define ERROR_CODE(number, name, text) name = number,
#include "error_codes.h"
#undef ERROR_CODE
};
using cudaError_t = cudaError;

// Name of the enumerator, or "unrecognized error code".
const char* cudaGetErrorName(cudaError_t error);
// A sentence, or "unrecognized error code".
const char* cudaGetErrorString(cudaError_t error);
// The last error of this host thread. Get clears it, Peek does not. A device fault (an illegal
// address, a deadlock) is sticky: each call that needs the device returns it until cudaDeviceReset,
// and makes it the last error again.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();

namespace emulated {

// Remembers `error` as the host thread's last one and returns it.
cudaError_t fail(cudaError_t error);
// Gives a function's answer through a pointer; cudaErrorInvalidValue for a null pointer.
template <class T, class Value>
cudaError_t answer(T* place, Value value) {
  if (place == nullptr) return fail(cudaErrorInvalidValue);
  *place = static_cast<T>(value);
  return cudaSuccess;
}
// Why the present call fails, as printf composes it: a part of the sentence about errors that the
// program does not look at.
[[gnu::format(printf, 1, 2)]] void because(const char* format, ...);
// The program goes on: says, if the last call's error was dropped and not looked
// at, which call failed and why.
void tell_dropped();
// A launch kernel<<<...>>>(...) has failed, and that has been said: unless the last error of this
// host thread is looked at, the program does not end with exit code 0.
void launch_failed(cudaError_t error);
// Says on standard error that the emulated device does not have this function;
// cudaErrorNotSupported.
cudaError_t not_supported(const char* function);
/// How many errors the emulated device has named on standard error ("FILE:LINE: error: ...", a
/// failed assertion in a kernel): those that calls return, and those that CUDA does not notice,
/// such as a write past the end of an allocation. Looks at all guards first, so a program that asks
/// at its end misses none.
unsigned reported_errors();
/// Has the emulated device warned ("FILE:LINE: warning: ..."): of what a GPU may do otherwise?
bool reported_warnings();
/// The program has found this element of the host's memory to be wrong: --step --wrong finds out
/// who wrote it.
void note_wrong(const void* element, std::size_t bytes);
/// What the pack `explain` has counted so far in all kernels: the requests of warps of this kind,
/// as its table names it ("store global", "load shared"), their cost and the least that they could
/// have cost. All are 0 without the pack.
struct Counted {
  unsigned long long requests = 0;
  unsigned long long cost = 0;
  unsigned long long least = 0;
};
Counted counted(const char* kind);
/// How many blocks the kernel that ended last had, and how many threads each of them. All are 0
/// before the first.
struct Launched {
  unsigned long long blocks = 0;
  unsigned threads = 0;
};
Launched last_launch();
/// How many allocations of the program have not been freed.
std::size_t unfreed_allocations();
// Records a device fault.
void set_sticky_error(cudaError_t error);
// The device fault, or cudaSuccess.
cudaError_t device_error();
// The device fault, which becomes the last error of this host thread, or cudaSuccess.
cudaError_t sticky_error();

}  // namespace emulated
