#pragma once
// The interface of a rung, the shared parts of all rungs, and their table, which methods.cu fills.

#include <algorithm>
#include <cstddef>
#include <memory>

#include "../../common/grid.h"
#include "../../common/method_table.h"

namespace hashtable_fast {

constexpr unsigned not_found = 0xffffffff;  // the result of a find if there is no such key

constexpr int threads_per_block = 256;

/// For a thread per key. A launch of no blocks would be an error.
inline size_t blocks_for(size_t n) {
  return std::max<size_t>(div_up(n, size_t{threads_per_block}), 1);
}

/// A table in device memory. It is made for a number of keys and a load: the part of its slots, or
/// of its lists, that the keys fill.
class Table {
 public:
  virtual ~Table() = default;
  /// Empties it.
  virtual void clear() = 0;
  /// Adds keys[i] with values[i], for all i < n. The keys differ, and no value is not_found.
  virtual void insert(const unsigned* keys, const unsigned* values, size_t n) = 0;
  /// values[i] = the value of keys[i], or not_found if there is none, for all i < n.
  virtual void find(const unsigned* keys, unsigned* values, size_t n) = 0;
};

struct HashMethod : Method<std::unique_ptr<Table>, size_t, float> {
  /// The number of lists if it is fixed, else 0. With fixed lists, more keys make a find longer.
  size_t lists = 0;
};

/// All rungs, from naive to fast.
const MethodTable<HashMethod>& methods();

}  // namespace hashtable_fast
