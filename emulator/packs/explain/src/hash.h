// A hash of bytes: FNV-1a (G. Fowler, L. Noll, K. Vo, D. Eastlake, The FNV Non-Cryptographic Hash
// Algorithm).
#pragma once

#include <cstddef>
#include <cstdint>

namespace emulated::explain {

constexpr std::uint64_t hash_of_nothing = 14695981039346656037u;

/// The hash of these bytes after those that `hash` stands for.
inline std::uint64_t hash_of(const void* bytes, std::size_t size,
                             std::uint64_t hash = hash_of_nothing) {
  const auto* const first = static_cast<const unsigned char*>(bytes);
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ first[i]) * 1099511628211u;
  return hash;
}

}  // namespace emulated::explain
