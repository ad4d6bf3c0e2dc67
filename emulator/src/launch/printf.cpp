// printf in kernels, with CUDA's limits (CUDA C++ Programming Guide, "Formatted Output"): 32
// arguments, and a buffer whose oldest output is overwritten.
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <string>

#include "cuda_runtime_api.h"
#include "diagnosis/diagnosis.h"
#include "running.h"

namespace emulated {

namespace {

constexpr int max_arguments = 32;

struct Format {
  int arguments = 0;  // that it asks for
  std::string kept;   // with conversions beyond the 32nd as plain text
};

// The arguments of one conversion, which begins after its '%'.
int arguments_of(const std::string& text, std::size_t begin, std::size_t end) {
  int count = 1;
  for (std::size_t i = begin; i < end; ++i) count += text[i] == '*' ? 1 : 0;  // width, precision
  return count;
}

Format format_of(const std::string& text) {
  Format format;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '%') {
      format.kept += text[i++];
      continue;
    }
    if (text.compare(i, 2, "%%") == 0) {
      format.kept += "%%";
      i += 2;
      continue;
    }
    const std::size_t end =
        std::min(text.find_first_not_of("-+ #0123456789.*hlLqjzt", i + 1), text.size() - 1);
    format.arguments += arguments_of(text, i + 1, end);
    format.kept += format.arguments > max_arguments ? "%%" : "%";
    format.kept += text.substr(i + 1, end - i);
    i = end + 1;
  }
  return format;
}

// A GPU keeps the format's address and the arguments, 8 bytes each, until the kernel has ended.
void note_buffer(int arguments) {
  Running& run = *running;
  const std::uint64_t bytes = 8u * (1u + static_cast<unsigned>(arguments));
  const std::uint64_t before = run.printed_bytes.fetch_add(bytes, std::memory_order_relaxed);
  std::size_t limit = 0;
  if (cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize) != cudaSuccess) return;
  if (before > limit || before + bytes <= limit) return;
  warn_once(text(run.launch.at),
            std::string("kernel ") + run.launch.name + " prints more than the " +
                std::to_string(limit) +
                " bytes of the buffer for printf; a GPU loses the oldest lines. "
                "cudaDeviceSetLimit(cudaLimitPrintfFifoSize, n) before the launch gives it more");
}

}  // namespace

// Returns the number of arguments, as CUDA's does.
int device_printf(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  if (!in_kernel()) {
    const int written = std::vprintf(format, values);
    va_end(values);
    return written;
  }
  running->printed.store(true, std::memory_order_relaxed);
  const Format kept = format_of(format);
  std::vprintf(kept.kept.c_str(), values);
  va_end(values);
  if (kept.arguments > max_arguments)
    warn_once(text(running->launch.at),
              std::string("kernel ") + running->launch.name + " calls printf with " +
                  std::to_string(kept.arguments) +
                  " arguments after the format; a GPU prints 32, and the rest of the format as it "
                  "stands");
  const int arguments = std::min(kept.arguments, max_arguments);
  note_buffer(arguments);
  return arguments;
}

}  // namespace emulated
