// How the device names a program's mistakes on standard error, and what
// that makes of the program's end.
#pragma once

namespace emulated {

/// Prints "PLACE: error: " and a sentence, composed as by printf, and counts it
/// (reported_mistakes()). `place` is "FILE:LINE", or empty where none is known.
[[gnu::format(printf, 2, 3)]] void report_error(const char* place, const char* format, ...);

/// The same for a mistake that no call of CUDA returns: a program that would end with exit code 0
/// ends with 1. Said once for each place.
[[gnu::format(printf, 2, 3)]] void report_mistake(const char* place, const char* format, ...);

/// The program has made a mistake that was said otherwise: it does not end with exit code 0.
void fail_at_end();

/// In a function that report_at_end() has: the exit code that the program has chosen.
int exit_code();

/// Counts a mistake that was said in CUDA's words.
void count_error();
/// How many were counted.
unsigned error_count();

/// Calls the function when the program ends, after all of its static
/// destructors: for what is only known then.
void report_at_end(void (*report)());
/// The same for mistakes, which come before all reports.
void report_mistakes_at_end(void (*report)());

}  // namespace emulated
