// What the three histogram programs share: the input, the CPU reference, and how a histogram is shown.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../common/options.h"

// One bin for each value of a byte. 32 bits a bin: an input of up to 4 GiB - 1 bytes cannot overflow one.
constexpr std::size_t bin_count = 256;
using Histogram = std::array<unsigned int, bin_count>;
constexpr std::size_t most_bytes = 0xffffffff;

struct HistogramOptions {
  std::size_t bytes = 100 * 1024 * 1024;
  std::string input;
  int blocks_per_sm = 2;
};

// Adds --bytes and --input, and for programs that run on the device --blocks-per-sm; call before
// options.parse().
void add_histogram_options(Options& options, HistogramOptions& histogram_options, bool on_device);

// The bytes to count: those of --input, or random ones. A file that cannot be read or is empty ends the
// program with one sentence and exit code 2.
std::vector<unsigned char> histogram_input(const Options& options, const HistogramOptions& histogram_options);

// CPU reference: one pass, one increment a byte.
inline Histogram reference_histogram(std::span<const unsigned char> bytes) {
  Histogram histogram{};
  for (const unsigned char byte : bytes) ++histogram[byte];
  return histogram;
}

// The histogram in the terminal, its sum, and with --output as a picture. Compares it with `expected` bin by
// bin and prints the verdict. Returns the exit code for main.
int report_histogram(const Options& options, const Histogram& got, const Histogram& expected,
                     std::size_t bytes);
