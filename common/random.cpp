#include "random.h"

#include <algorithm>

void fill_random_bytes(std::span<unsigned char> bytes, std::uint64_t seed) {
  Random random(seed);
  for (size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t bits = random.bits();
    const size_t count = std::min(sizeof bits, bytes.size() - i);
    for (size_t k = 0; k < count; ++k, bits >>= 8) bytes[i + k] = static_cast<unsigned char>(bits);
  }
}
