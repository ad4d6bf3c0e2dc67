#pragma once
// buckets - as many lists as keys, or more.
//
//   ./run hashtable_fast --method buckets
//
// The kernels are those of `exchange`. A find now meets one or two entries. The heads no longer fit
// in the L2 cache. So each insertion reads and writes a sector of memory for the head, and each
// find reads one for the head and one per entry.
//
// Gain over exchange on an H100: insert 11.5 -> 12.5 billion keys/s
//
// Needed: 2_exchange.cuh (Exchange).

#include "2_exchange.cuh"

namespace hashtable_fast {

class Buckets : public Exchange {
 public:
  /// capacity / load lists.
  Buckets(size_t capacity, float load)
      : Exchange(capacity, load, static_cast<unsigned>(static_cast<double>(capacity) / load) + 1) {}
};

}  // namespace hashtable_fast
