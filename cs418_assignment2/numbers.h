#pragma once
// The input of scan and find_repeats.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../common/options.h"
#include "../common/random.h"

/// The number of numbers, and their kind.
struct Input {
  std::string kind = "random";
  size_t n = 1'000'000;

  /// Adds -i and -n, up to max_n.
  void add_to(Options& options, size_t max_n) {
    options.add_choice("-i,--input", kind, "all ones, or random numbers from 0 to 9",
                       {"ones", "random"});
    options.add("-n,--arraysize", n, "numbers in the array", 0, max_n);
  }

  template <class T>
  std::vector<T> numbers(std::uint64_t seed) const {
    std::vector<T> in(n, T{1});
    if (kind != "random") return in;

    Random random(seed);
    for (T& value : in) value = static_cast<T>(random.bits() % 10);
    return in;
  }
};
