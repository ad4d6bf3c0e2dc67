// Every rung of hashtable_fast: few and many keys, loads, keys that begin at
// the same slot, and the last slot.
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "../../appendix_a_advanced_atomics/hashtable_fast/4_open.cuh"
#include "../../appendix_a_advanced_atomics/hashtable_fast/methods.h"

using namespace hashtable_fast;

// Not in an unnamed namespace: there nvcc calls the members that GoogleTest adds unused.

// Inserts keys with values 1000, 1001, ... and looks for them and for absent ones.
void expect_all_found(const HashMethod& method, float load, const std::vector<unsigned>& keys,
                      const std::vector<unsigned>& absent) {
  std::vector<unsigned> expected, wanted = keys;
  for (std::size_t i = 0; i < keys.size(); ++i) expected.push_back(static_cast<unsigned>(1000 + i));
  const DeviceMemory<unsigned> dev_keys(keys.size()), dev_values(keys.size());
  HANDLE_ERROR(cudaMemcpy(dev_keys.get(), keys.data(), dev_keys.bytes(), cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy(dev_values.get(), expected.data(), dev_values.bytes(), cudaMemcpyHostToDevice));
  wanted.insert(wanted.end(), absent.begin(), absent.end());
  expected.resize(wanted.size(), not_found);
  const DeviceMemory<unsigned> dev_wanted(wanted.size()), dev_found(wanted.size());
  HANDLE_ERROR(
      cudaMemcpy(dev_wanted.get(), wanted.data(), dev_wanted.bytes(), cudaMemcpyHostToDevice));

  const auto table = method.make(keys.size(), load);
  for (int round = 0; round < 2; ++round) {  // a table can be used again
    std::vector<unsigned> found(wanted.size());
    HANDLE_ERROR(cudaMemset(dev_found.get(), 0xab, dev_found.bytes()));
    table->clear();
    table->insert(dev_keys.get(), dev_values.get(), keys.size());
    table->find(dev_wanted.get(), dev_found.get(), wanted.size());
    HANDLE_ERROR(
        cudaMemcpy(found.data(), dev_found.get(), dev_found.bytes(), cudaMemcpyDeviceToHost));
    EXPECT_EQ(found, expected) << method.name << ", " << keys.size() << " keys, load " << load;
  }
}

TEST(HashtableFast, EveryRungAtManySizes) {
  for (const HashMethod& method : methods())
    for (const std::size_t n : {0, 1, 2, 31, 32, 33, 255, 257, 5000})
      for (const float load : {0.1f, 0.5f, 0.9f}) {
        std::vector<unsigned> keys, absent{1, 3, 0xffffffff};
        for (std::size_t i = 0; i < n; ++i) keys.push_back(static_cast<unsigned>(2 * i));
        expect_all_found(method, load, keys, absent);
      }
}

TEST(HashtableFast, ExtremeKeys) {
  for (const HashMethod& method : methods())
    expect_all_found(method, 0.5f, {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff},
                     {2, 0xfffffffd});
}

// Keys whose search begins at the last slots: it goes on at the first.
TEST(HashtableFast, SearchGoesOnAtTheFirstSlot) {
  std::vector<unsigned> keys, absent;
  for (unsigned key = 0; keys.size() < 40 || absent.size() < 5; ++key)
    if (mixed_bits(key) > 0xfff00000u) (keys.size() < 40 ? keys : absent).push_back(key);
  for (const HashMethod& method : methods()) expect_all_found(method, 0.9f, keys, absent);
}

// All keys in one list of the book's.
TEST(HashtableFast, OneList) {
  std::vector<unsigned> keys;
  for (unsigned i = 0; i < 300; ++i) keys.push_back(7 + 1024 * i);
  for (const HashMethod& method : methods())
    expect_all_found(method, 0.5f, keys, {7 + 1024 * 300, 8});
}
