#include "hist_common.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <utility>

#include "../common/check.h"
#include "../common/grid.h"
#include "../common/picture/draw.h"
#include "../common/picture/image.h"
#include "../common/random.h"
#include "../common/timing.h"

HistogramOptions::HistogramOptions(std::string name, Common declared)
    : Options(std::move(name), Common::seed | Common::always_checked | declared) {
  add("--bytes", bytes, "number of random bytes to count", 1, max_bytes);
  add_file("--input", input, "count the bytes of this file instead of random ones");
  add_file("--output", output, "draw the histogram into this file: .png or .ppm");
}

std::vector<unsigned char> HistogramOptions::read_input() const {
  if (input.empty()) {
    std::vector<unsigned char> random(bytes);
    fill_random_bytes(random, seed);
    return random;
  }
  // Read in pieces: the size of a pipe or a device is not known in advance.
  std::ifstream file(input, std::ios::binary);
  if (!file) fail("cannot read " + input + ": " + std::strerror(errno));
  std::vector<unsigned char> content;
  std::vector<char> piece(1 << 20);
  while (content.size() < max_bytes && file) {
    errno = 0;
    file.read(piece.data(),
              static_cast<std::streamsize>(std::min(piece.size(), max_bytes - content.size())));
    content.insert(content.end(), piece.begin(), piece.begin() + file.gcount());
  }
  if (file.bad() || (content.empty() && errno != 0))
    fail("cannot read " + input + ": " + std::strerror(errno));
  if (content.empty()) fail(input + " is empty; there is nothing to count");
  if (content.size() == max_bytes && file.peek() != std::ifstream::traits_type::eof())
    fail(input + " is larger than 4 GiB - 1 bytes, which is the most that a 32-bit bin can count");
  return content;
}

namespace {

std::uint64_t sum_of(const Histogram& histogram) {
  return std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0});
}

// 64 columns of four bins each, six rows of a terminal, eighths of a row by Unicode's block
// characters.
void print_bars(const Histogram& histogram) {
  constexpr size_t columns = 64;
  constexpr size_t rows = 6;
  constexpr size_t bins = bin_count / columns;
  static const char* const eighths[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::array<std::uint64_t, columns> bars{};
  for (size_t i = 0; i < bin_count; ++i) bars[i / bins] += histogram[i];
  const std::uint64_t tallest =
      std::max<std::uint64_t>(1, *std::max_element(bars.begin(), bars.end()));
  for (size_t from_top = 1; from_top <= rows; ++from_top) {
    const size_t row = rows - from_top;
    for (const std::uint64_t bar : bars) {
      // Rounded up, so that every bin that is not empty shows.
      const std::uint64_t height = div_up(bar * rows * 8, tallest);
      std::uint64_t in_this_row = 0;
      if (height > row * 8) in_this_row = std::min<std::uint64_t>(height - row * 8, 8);
      std::fputs(eighths[in_this_row], stdout);
    }
    std::putchar('\n');
  }
  std::printf("0%*s\n", static_cast<int>(columns) - 1, "255");
}

/// Draws a text as the frequencies of its letters, and anything else as a bar per value.
Image picture_of(const Histogram& histogram, const std::string& input, size_t bytes) {
  constexpr int width = 640;
  constexpr int height = 480;
  const std::string name = std::filesystem::path(input).filename().string();
  std::uint64_t letters = 0;
  std::vector<Bar> bars;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    const unsigned count = histogram[letter] + histogram[letter - 'a' + 'A'];
    bars.push_back({std::string(1, letter), static_cast<double>(count)});
    letters += count;
  }
  if (2 * letters > bytes)
    return bar_chart({"Letters of " + name, "", "how often"}, bars, width, height);
  bars.clear();
  for (size_t i = 0; i < bin_count; ++i)
    bars.push_back({i % 64 == 0 ? std::to_string(i) : "", static_cast<double>(histogram[i])});
  ChartWords words{input.empty() ? "Random bytes" : "Bytes of " + name, "value", "how often"};
  if (file_ending(input) == ".ppm") {
    words.title = "Tones of " + name;
    words.x_axis = "dark to bright";
  }
  return bar_chart(words, bars, width, height);
}

}  // namespace

bool check_histogram(const Histogram& got, const Histogram& expected, size_t bytes) {
  const bool bins = check_equal<unsigned int>("bin", got, expected);
  if (sum_of(got) == bytes) return bins;
  std::fprintf(stderr, "the bins sum up to %" PRIu64 ", but there are %zu bytes\n", sum_of(got),
               bytes);
  return false;
}

bool report_histogram(const HistogramOptions& options, const Histogram& got,
                      const Histogram& expected, size_t bytes) {
  if (!options.check) {
    print_bars(got);
    std::printf("Histogram sum: %" PRIu64 "\n", sum_of(got));
  }
  const bool passed = check_histogram(got, expected, bytes);
  if (!options.output.empty() && passed) {
    write_image(options.output, picture_of(got, options.input, bytes));
    std::printf("Wrote %s\n", absolute_path(options.output).c_str());
  }
  return passed;
}

bool report_histogram(const HistogramOptions& options, const Histogram& got,
                      std::span<const unsigned char> bytes, float total_ms, float kernel_ms) {
  if (!options.check)
    std::printf("Time to generate: with copies %s, on the device %s\n", time_text(total_ms).c_str(),
                time_text(kernel_ms, static_cast<double>(bytes.size())).c_str());
  return report_histogram(options, got, reference_histogram(bytes), bytes.size());
}

void report_lost_counts(const Histogram& got, size_t bytes) {
  const std::uint64_t lost = bytes - sum_of(got);
  std::printf("%" PRIu64 " of %zu counts are lost (%.3f %%).\n", lost, bytes,
              100.0 * static_cast<double>(lost) / static_cast<double>(bytes));
  if (lost > 0)
    std::printf(
        "Why: ++ on a bin is three steps: read, add one, write back. What other threads write "
        "between the\n"
        "read and the write is overwritten. atomicAdd makes the three steps one "
        "(hist_gpu_gmem_atomics).\n");
  else
    std::printf("No counts were lost in this run, but this is not guaranteed.\n");
}
