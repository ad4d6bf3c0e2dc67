// The ladder, from naive to fast: --help, --benchmark and the tests use this table.

#include "methods.h"

#include "1_turns.cuh"
#include "2_exchange.cuh"
#include "3_buckets.cuh"
#include "4_open.cuh"
#include "5_sectors.cuh"

namespace hashtable_fast {

// The entry of a rung. T is its class.
template <class T>
static HashMethod entry(const char* name, size_t lists = 0) {
  HashMethod method;
  method.name = name;
  method.maker = [](size_t capacity, float load) { return std::make_unique<T>(capacity, load); };
  method.lists = lists;
  return method;
}

const MethodTable<HashMethod>& methods() {
  static const MethodTable<HashMethod> table{
      entry<Turns>("turns", book_lists), entry<Exchange>("exchange", book_lists),
      entry<Buckets>("buckets"), entry<Open>("open"), entry<Sectors>("sectors")};
  return table;
}

}  // namespace hashtable_fast
