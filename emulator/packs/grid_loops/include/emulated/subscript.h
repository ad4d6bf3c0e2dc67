// Indices of a kernel's pointers, as in out[x + y * width].
//
// With an int that is computed in the kernel the compiler does not see that neighboring threads
// access neighboring elements, see beside_thread(). So cu2cpp (../../translate/subscripts.cpp) puts
// this function around indices that depend on threadIdx. It changes no value.
#pragma once

#include <type_traits>

#include <emulated/explain_hooks.h>
#include <emulated/indices.h>

namespace emulated {

template <class T>
[[maybe_unused, gnu::always_inline]] static inline auto subscript(T index) {
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)  // else it would only be in the way
  if constexpr (std::is_same_v<T, int> && !explain::on)
    return beside_thread(index);
  else
#endif
    return index;
}

}  // namespace emulated
