// Random orders for EMULATED_ORDER=shuffled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace emulated {

// Puts the elements into an order that depends on the seed only (Fisher and Yates; Knuth, The Art of Computer
// Programming, volume 2, algorithm 3.4.2P). The random numbers come from a linear congruential generator
// (Knuth's MMIX); the upper half of its state is scaled to the range (Lemire, Fast Random Integer Generation
// in an Interval, 2019, without the correction: the bias is below 1 in a million here).
template <class T>
void shuffle(std::span<T> elements, std::uint64_t seed) {
  std::uint64_t state = (seed + 1) * 0x9e3779b97f4a7c15ull;
  for (std::size_t left = elements.size(); left > 1; --left) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    std::swap(elements[left - 1], elements[(state >> 32) * left >> 32]);
  }
}

}  // namespace emulated
