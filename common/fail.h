#pragma once
#include <cstddef>
#include <string>

/// Exit codes of every program of this collection.
namespace exit_code {
inline constexpr int fine = 0;
/// A failed check, a CUDA error, or a file that could not be written.
inline constexpr int failed = 1;
inline constexpr int wrong_use = 2;     ///< wrong options, input that cannot be read
inline constexpr int no_display = 3;    ///< --window where no window can be opened
inline constexpr int cannot_here = 77;  ///< this device cannot do it; ctest counts it as skipped
}  // namespace exit_code

/// The running program's name without its folder.
std::string program_name();

/// Prints "PROGRAM: sentence" on standard error and ends the program with `code`.
[[noreturn]] void fail(int code, const std::string& sentence);

/// Typed `text` for a message: control characters become ?, and it is cut after `max_bytes`.
std::string echoed(const std::string& text, size_t max_bytes = 200);
