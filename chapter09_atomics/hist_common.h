#pragma once
// The shared parts of the histogram programs: the CPU reference, the input, and the output.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "../common/options.h"

/// One bin of 32 bits for each value of a byte: an input of less than 4 GiB cannot overflow one.
constexpr size_t bin_count = 256;
using Histogram = std::array<unsigned int, bin_count>;
constexpr size_t max_bytes = 0xffffffff;

/// CPU reference: one pass, one increment per byte.
inline Histogram reference_histogram(std::span<const unsigned char> bytes) {
  Histogram histogram{};
  for (const unsigned char byte : bytes) ++histogram[byte];
  return histogram;
}

/// The command line of a histogram program: Options with --seed, --check, --bytes, --input and
/// --output.
struct HistogramOptions : Options {
  HistogramOptions(std::string name, Common declared);

  /// The bytes to count: those of --input, or random bytes. If the file cannot be read, is empty or
  /// has more than max_bytes, the program ends with one sentence and exit code 2.
  std::vector<unsigned char> read_input() const;

  size_t bytes = 100 * 1024 * 1024;
  std::string input;
};

/// Compares `got` with `expected` bin by bin, and the sum of the bins with the number of bytes.
/// Returns whether they agree; if not, prints the difference on standard error.
bool check_histogram(const Histogram& got, const Histogram& expected, size_t bytes);

/// Prints the histogram as bars and its sum (not with --check), and checks it. Draws a right one
/// into --output: the letters of a text, or a bar per value of anything else. Returns whether it
/// is right.
bool report_histogram(const HistogramOptions& options, const Histogram& got,
                      const Histogram& expected, size_t bytes);

/// The same with the CPU reference of `bytes`, after a line with a device's times: the time with
/// both copies, and the time of the kernel alone.
bool report_histogram(const HistogramOptions& options, const Histogram& got,
                      std::span<const unsigned char> bytes, float total_ms, float kernel_ms);

/// Prints the number of counts that the histogram `got` of `bytes` bytes lacks, and the reason.
void report_lost_counts(const Histogram& got, size_t bytes);
