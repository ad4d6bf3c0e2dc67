#pragma once
#include <cmath>
#include <cstdint>
#include <span>

/// `z` with its bits mixed: inputs that differ in one bit give results that differ in half
/// of their bits. SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom
/// number generators", OOPSLA 2014.
constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A small seeded generator, SplitMix64: the same numbers on every machine, unlike rand().
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// 64 random bits.
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    return mixed(state_);
  }

  /// A multiple of 2^-24 in [0, 1). Each of these is a float.
  float uniform() { return static_cast<float>(bits() >> 40) * 0x1p-24f; }

  /// A float in [low, high), for finite low < high.
  float uniform(float low, float high) {
    const float value = low + (high - low) * uniform();
    return value < high ? value
                        : std::nextafter(high, low);  // the sum may have rounded up to `high`
  }

 private:
  std::uint64_t state_;
};

/// Fills `bytes` with random bytes of the given seed.
void fill_random_bytes(std::span<unsigned char> bytes, std::uint64_t seed);
