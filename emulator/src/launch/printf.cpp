// printf in kernels, which takes at most 32 arguments (CUDA C++ Programming Guide, "Formatted
// Output"). On an H200 a conversion without an argument prints any number, and nothing is lost
// where the output is larger than cudaLimitPrintfFifoSize.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>
#include <string_view>

#include "diagnosis/diagnosis.h"
#include "running.h"

namespace emulated {

namespace {

constexpr int max_arguments = 32;

// Calls it with each conversion of the format, from after its '%', and how many arguments have been
// asked for with it. "%%" does not count.
template <class Function>
int for_each_conversion(std::string_view format, Function function) {
  int arguments = 0;
  std::size_t at = 0;
  while ((at = format.find('%', at)) != std::string_view::npos && ++at < format.size()) {
    if (format[at] == '%') {
      ++at;
      continue;
    }
    const std::size_t end =
        std::min(format.find_first_not_of("-+ #0123456789.*hlLqjzt", at), format.size());
    const std::string_view conversion = format.substr(at, end - at);
    // Width and precision may be arguments, too.
    arguments += 1 + static_cast<int>(std::count(conversion.begin(), conversion.end(), '*'));
    function(at, arguments);
    at = end;
  }
  return arguments;
}

// Conversions that get no argument print themselves.
std::string with_arguments_only(std::string_view format) {
  std::string kept;
  std::size_t begin = 0;
  for_each_conversion(format, [&](std::size_t at, int arguments) {
    kept += format.substr(begin, at - begin);
    if (arguments > max_arguments) kept += '%';
    begin = at;
  });
  return kept.append(format.substr(begin));
}

}  // namespace

// Returns the number of arguments, as CUDA's does.
int device_printf(const char* format, ...) {
  std::va_list values;
  va_start(values, format);
  if (!in_kernel() || format == nullptr) {
    const int written = format == nullptr ? -1 : std::vprintf(format, values);
    va_end(values);
    return written;
  }
  running->printed.store(true, std::memory_order_relaxed);
  const int arguments = for_each_conversion(format, [](std::size_t, int) {});
  if (arguments <= max_arguments)
    std::vprintf(format, values);
  else
    std::vprintf(with_arguments_only(format).c_str(), values);
  va_end(values);
  if (arguments > max_arguments)
    warn_once(text(running->launch.at),
              std::string("kernel ") + running->launch.name + " calls printf with " +
                  std::to_string(arguments) +
                  " arguments; a GPU takes 32, and prints any number for the others");
  return std::min(arguments, max_arguments);
}

}  // namespace emulated
