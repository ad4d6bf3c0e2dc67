#pragma once
// What the tests of scan and find_repeats share: sizes, arrays, copies.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "../../common/book.h"
#include "../../common/device.h"
#include "../../common/device_memory.h"
#include "../../common/method_table.h"
#include "../../common/random.h"

// Not in an unnamed namespace: there nvcc calls the members that GoogleTest adds unused.

#ifndef EMULATED_DEVICE
constexpr int power_limit = 22;  // TEST_P(LargeScan, ...) goes on from there
constexpr std::size_t round_limit = 8'000'000;
#else
constexpr int power_limit = 19;
constexpr std::size_t round_limit = 1'600'000;  // one round of the emulated device's 255 blocks
#endif
constexpr std::ptrdiff_t guard = 64;  // elements after the output that must stay untouched

/// Any 32 bits, or with a modulus numbers below it.
template <class T>
std::vector<T> random_numbers(std::size_t n, std::uint64_t seed, unsigned modulus = 0) {
  Random random(seed);
  std::vector<T> numbers(n);
  for (T& number : numbers)
    number = static_cast<T>(
        static_cast<unsigned>(modulus == 0 ? random.bits() : random.bits() % modulus));
  return numbers;
}

template <class T>
void upload(const DeviceMemory<T>& to, const std::vector<T>& from) {
  if (!from.empty())
    HANDLE_ERROR(
        cudaMemcpy(to.get(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
}
template <class T>
std::vector<T> download(const DeviceMemory<T>& from, std::size_t n) {
  std::vector<T> to(n);
  if (n > 0) HANDLE_ERROR(cudaMemcpy(to.data(), from.get(), n * sizeof(T), cudaMemcpyDeviceToHost));
  return to;
}

/// The names of the methods that this build has, for testing::ValuesIn().
template <class AnyMethod>
std::vector<std::string> names_of(const MethodTable<AnyMethod>& table, bool libraries_too = true) {
  std::vector<std::string> names;
  for (const AnyMethod& method : table)
    if (method.built() && (libraries_too || !method.gpu_only)) names.push_back(method.name);
  return names;
}

/// The largest of `sizes` that the method takes, for its scratch memory.
template <class AnyMethod>
std::size_t largest_taken(const AnyMethod& method, const std::vector<std::size_t>& sizes) {
  std::size_t largest = 0;
  for (const std::size_t n : sizes)
    if (!method.refusal(n)) largest = std::max(largest, n);
  return largest;
}

/// Each size, one less, and one more.
inline std::vector<std::size_t> sizes_around(const std::vector<std::size_t>& sizes) {
  std::vector<std::size_t> around;
  for (const std::size_t n : sizes)
    for (const int offset : {-1, 0, 1}) around.push_back(n + offset);
  return around;
}

/// One, two and three rounds of all multiprocessors, for several of the
/// tiles that the methods choose.
inline std::vector<std::size_t> rounds(const std::vector<std::size_t>& tiles) {
  std::vector<std::size_t> sizes;
  for (const std::size_t tile : tiles)
    for (const std::size_t count : {1, 2, 3})
      if (const std::size_t n = count * multiprocessors() * tile; n < round_limit)
        sizes.push_back(n);
  return sizes;
}

#ifndef EMULATED_DEVICE
// ---- large arrays: where CPU references and copies would take too long (GPU only)

__global__ void fill_with(unsigned* data, std::size_t n, unsigned value) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    data[i] = value;
}
__global__ void count_wrong_products(const unsigned* sums, std::size_t n, unsigned value,
                                     unsigned* wrong) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step)
    if (sums[i] != static_cast<unsigned>(i) * value) atomicAdd(wrong, 1u);
}
/// How many of n numbers on the device differ from the scan of a constant.
inline unsigned wrong_products(const unsigned* sums, std::size_t n, unsigned value) {
  const DeviceMemory<unsigned> wrong(1);
  upload(wrong, {0u});
  count_wrong_products<<<1024, 256>>>(sums, n, value, wrong.get());
  HANDLE_ERROR(cudaGetLastError());
  return download(wrong, 1)[0];
}

inline bool fits(std::size_t bytes) {
  std::size_t free, all;
  HANDLE_ERROR(cudaMemGetInfo(&free, &all));
  return free >= bytes;
}
#endif
