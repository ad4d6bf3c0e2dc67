#pragma once
// The reference of this chapter's dot products.

#include <cstddef>
#include <span>
#include <vector>

#include "../common/check.h"

/// The sum of 2 i^2 for all i < n: a[i] = i, b[i] = 2 i.
inline double reference_dot(size_t n) {
  const double x = static_cast<double>(n);
  return 2 * (x - 1) * x * (2 * x - 1) / 6;
}

/// Returns whether the sums are as near to the reference as rounding allows. All products are
/// positive, so each rounding of a product adds at most 2^-24 to the relative error: 3 for the
/// product and its factors, one per further product of its thread, 8 in the tree of 256 threads,
/// 32 for the blocks' sums and 1 for the halves on the host. The reference as a float adds
/// one more.
inline bool check_dots(std::span<const float> sums, size_t n) {
  constexpr size_t threads = 32 * 256;
  const float roundings = static_cast<float>(n / threads + 3 + 8 + 32 + 1 + 1);
  const std::vector<float> expected(sums.size(), static_cast<float>(reference_dot(n)));
  return check_near("sum", sums, expected, expected[0] * roundings * 0x1p-24f);
}
