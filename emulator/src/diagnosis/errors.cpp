// Names and texts of error codes, and the last error.
#include <utility>

#include "cuda_runtime_api.h"
#include "dropped.h"
#include "emulated/errors.h"
#include "report.h"

namespace emulated {

namespace {
thread_local cudaError_t last_error = cudaSuccess;

struct Code {
  cudaError_t error;
  const char *name, *text;
};
constexpr Code codes[] = {
#define ERROR_CODE(number, name, text) {name, #name, text},
#include "emulated/error_codes.h"
#undef ERROR_CODE
};

Code code_of(cudaError_t error) {
  for (const Code& code : codes)
    if (code.error == error) return code;
  return {error, "unrecognized error code", "unrecognized error code"};
}
}  // namespace

cudaError_t fail(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

cudaError_t not_supported(const char* function) {
  report_error("", "%s is not supported by the emulated device", function);
  return fail(cudaErrorNotSupported);
}

}  // namespace emulated

const char* cudaGetErrorName(cudaError_t error) { return emulated::code_of(error).name; }
const char* cudaGetErrorString(cudaError_t error) { return emulated::code_of(error).text; }
cudaError_t cudaPeekAtLastError() {
  emulated::forget_dropped();
  if (emulated::last_error != cudaSuccess && emulated::last_error == emulated::device_error())
    emulated::fault_returned();
  return emulated::last_error;
}
cudaError_t cudaGetLastError() {
  cudaPeekAtLastError();
  return std::exchange(emulated::last_error, cudaSuccess);
}
