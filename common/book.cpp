#include "book.h"

#include <unistd.h>

#include <atomic>
#include <string>

#include "fail.h"
#include "random.h"

namespace {

/// Advice to the user for an error of the machine, not of the program; else
/// empty.
std::string way_out(cudaError_t error, int& code) {
  code = exit_code::cannot_here;
  int driver = 0;
  int runtime = 0;
  switch (error) {
    case cudaErrorInsufficientDriver:
      cudaDriverGetVersion(&driver);
      cudaRuntimeGetVersion(&runtime);
      if (driver != 0) {
        return "The NVIDIA driver of this machine is too old: it supports CUDA " +
               std::to_string(driver / 1000) + "." + std::to_string(driver % 1000 / 10) +
               ", this program was built with CUDA " + std::to_string(runtime / 1000) + "." +
               std::to_string(runtime % 1000 / 10) +
               ". Install a newer driver, or build with an older CUDA toolkit.";
      }
      [[fallthrough]];  // without any driver the runtime reports it as too old
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
      return "No NVIDIA GPU was found (or no driver for it). Run this on a machine with one, or "
             "build for the emulated device, which needs none: cmake -B build -DDEVICE=emulated; "
             "./run chooses automatically.";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "The kernels were built for another GPU architecture than this GPU's. Build on this "
             "machine, or with -DCMAKE_CUDA_ARCHITECTURES=NN for compute capability N.N.";
    default:
      break;
  }
  code = exit_code::failed;
  if (error == cudaErrorInvalidDevice) {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    code = exit_code::wrong_use;
    return "There is no such device: this machine has " + std::to_string(devices) +
           (devices == 1 ? " device, number 0." : " devices, numbered from 0.");
  }
  if (error == cudaErrorMemoryAllocation) {
    size_t free = 0;
    size_t total = 0;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess) {
      return "There is not enough memory: the device has " + std::to_string(total >> 20) +
             " MiB, and " + std::to_string(free >> 20) + " of them are free.";
    }
  }
  return "";
}

}  // namespace

void handle_error(cudaError_t error, const char* expression, const char* file, int line) {
  if (error == cudaSuccess) return;
  // Host threads may fail at the same time (chapter 11). The first one
  // prints the reason and ends the program.
  static std::atomic_flag ending;
  static thread_local bool is_first = false;
  while (!is_first && ending.test_and_set()) ::pause();
  is_first = true;

  int code = exit_code::failed;
  const std::string advice = way_out(error, code);
  std::fflush(stdout);
  if (advice.empty()) {
    std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, expression, cudaGetErrorName(error),
                 cudaGetErrorString(error));
  } else {  // one cause, one message
    std::fprintf(stderr, "%s: %s (%s:%d: %s: %s)\n", program_name().c_str(), advice.c_str(), file,
                 line, expression, cudaGetErrorName(error));
  }
  std::exit(code);
}

void handle_null(bool is_null, const char* expression, const char* file, int line) {
  if (!is_null) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s is NULL: not enough host memory.\n", file, line, expression);
  std::exit(exit_code::failed);
}

void* big_random_block(int size) {
  if (size < 0) fail(exit_code::wrong_use, "big_random_block: the size is negative");
  auto* data = static_cast<unsigned char*>(std::malloc(size > 0 ? size : 1));
  HANDLE_NULL(data);
  fill_random_bytes({data, static_cast<size_t>(size)}, 1);
  return data;
}
