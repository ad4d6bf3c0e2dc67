// cooperative_groups::reduce and the function objects that it knows.
#pragma once

#include <functional>
#include <type_traits>

#include "../cooperative_groups.h"

namespace cooperative_groups {

using std::bit_and, std::bit_or, std::bit_xor, std::plus;
template <class T>
struct less : emulated::Least {};
template <class T>
struct greater : emulated::Greatest {};

// Combines the values of all threads of the group, in the order of their
// ranks; every thread gets the result.
template <class Group, class T, class Operation>
T reduce(const Group& group, T value, Operation operation, EMULATED_AT) {
  if constexpr (sizeof(T) <= 8 && std::is_empty_v<Operation> &&
                std::is_default_constructible_v<Operation>) {
    // The operation has no state: the last lane that comes can combine for all.
    static constexpr emulated::Call call{"cooperative_groups::reduce",
                                         emulated::reduce<T, Operation>};
    return emulated::together<T>(group.emulated_mask(), emulated::pack(value), 0, call, at);
  } else {
    T result = group.shfl(value, 0, at);
    for (unsigned rank = 1; rank < group.size(); ++rank)
      result = operation(result, group.shfl(value, static_cast<int>(rank), at));
    return result;
  }
}

}  // namespace cooperative_groups
