// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include <memory>

#include "1_turns.cuh"
#include "2_exchange.cuh"
#include "3_buckets.cuh"
#include "4_open.cuh"
#include "5_sectors.cuh"

namespace hashtable_fast {

// A table of class T as one function.
template <class T>
std::function<HashTable> table_of(std::size_t capacity, float load) {
  return [table = std::make_shared<T>(capacity, load)](Step step, const unsigned* keys,
                                                       unsigned* values, std::size_t n) {
    if (step == Step::clear) table->clear();
    if (step == Step::insert) table->insert(keys, values, n);
    if (step == Step::find) table->find(keys, values, n);
  };
}

const MethodTable<HashMethod>& methods() {
  static const MethodTable<HashMethod> table{{{"turns", table_of<Turns>}, book_lists},
                                             {{"exchange", table_of<Exchange>}, book_lists},
                                             {{"buckets", table_of<Buckets>}},
                                             {{"open", table_of<Open>}},
                                             {{"sectors", table_of<Sectors>}}};
  return table;
}

}  // namespace hashtable_fast
