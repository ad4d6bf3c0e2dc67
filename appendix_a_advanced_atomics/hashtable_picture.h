#pragma once
// The output of hashtable_cpu and hashtable: the lengths of a table's lists.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/grid.h"
#include "../common/options.h"
#include "../common/picture/draw.h"
#include "../common/picture/image.h"

/// The number of lists of each length as a bar chart: a bar per length, or per few lengths; some
/// bars have their smallest length below.
inline Image length_chart(const std::vector<std::uint32_t>& lengths) {
  constexpr std::uint32_t max_bars = 32;
  constexpr size_t max_labels = 6;
  const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
  const std::uint32_t per_bar = div_up(*longest - *shortest + 1, max_bars);

  std::vector<Bar> bars(div_up(*longest - *shortest + 1, per_bar));
  for (const std::uint32_t length : lengths) ++bars[(length - *shortest) / per_bar].value;
  const size_t labeled = div_up(bars.size(), max_labels);
  for (size_t i = 0; i < bars.size(); i += labeled)
    bars[i].label = std::to_string(*shortest + i * per_bar);

  const std::string from = per_bar == 1 ? "" : " (" + std::to_string(per_bar) + " per bar)";
  return bar_chart({"Lengths of the lists", "entries in a list" + from, "lists"}, bars, 640, 480);
}

/// Prints the lengths of the lists (not with --check) and draws them into --output.
inline void show_lengths(const Options& options, const std::vector<std::uint32_t>& lengths,
                         size_t keys) {
  if (!options.check) {
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    std::printf("%zu keys in %zu lists of %u to %u entries\n", keys, lengths.size(), *shortest,
                *longest);
  }
  if (options.output.empty()) return;
  write_image(options.output, length_chart(lengths));
  std::printf("Wrote %s\n", absolute_path(options.output).c_str());
}
