// cooperative_groups::inclusive_scan and exclusive_scan.
#pragma once

#include "reduce.h"

namespace cooperative_groups {

// The combination of the values of this rank and all below it.
template <class Group, class T, class Operation>
T inclusive_scan(const Group& group, T value, Operation operation, EMULATED_AT) {
  for (unsigned distance = 1; distance < group.size(); distance *= 2) {
    const T below = group.shfl_up(value, distance, at);
    if (group.thread_rank() >= distance) value = operation(below, value);
  }
  return value;
}
template <class Group, class T>
T inclusive_scan(const Group& group, T value, EMULATED_AT) {
  return inclusive_scan(group, value, plus<T>(), at);
}

// The combination of the values of all ranks below this one; T() for rank 0.
template <class Group, class T, class Operation>
T exclusive_scan(const Group& group, T value, Operation operation, EMULATED_AT) {
  const T below = group.shfl_up(inclusive_scan(group, value, operation, at), 1, at);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value, EMULATED_AT) {
  return exclusive_scan(group, value, plus<T>(), at);
}

}  // namespace cooperative_groups
