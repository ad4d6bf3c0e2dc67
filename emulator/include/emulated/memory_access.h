// Loads and stores with a hint for the caches. The emulated device has none of its own: they are plain
// accesses.
#pragma once

#include <type_traits>

#define EMULATED_LOAD(name)                \
  template <class T>                       \
  static inline T name(const T* address) { \
    return *address;                       \
  }
EMULATED_LOAD(__ldg)   // through the read-only cache
EMULATED_LOAD(__ldca)  // kept in all caches
EMULATED_LOAD(__ldcs)  // used once
EMULATED_LOAD(__ldlu)  // used for the last time
#undef EMULATED_LOAD

// Loads that see what other threads have written meanwhile, from L2 (cg) or from memory (cv): the compiler must not
// take an earlier value instead. The loops in which they stand let other threads run (barriers.h).
namespace emulated {
template <class T>
static inline T fresh_load(const T* address) {
  if constexpr (std::is_scalar_v<T>) {
    return *const_cast<const volatile T*>(address);
  } else {
    asm volatile("" : : "r"(address) : "memory");  // memory may have changed
    return *address;
  }
}
}  // namespace emulated
template <class T>
static inline T __ldcg(const T* address) {
  return emulated::fresh_load(address);
}
template <class T>
static inline T __ldcv(const T* address) {
  return emulated::fresh_load(address);
}

#define EMULATED_STORE(name)                         \
  template <class T, class Value>                    \
  static inline void name(T* address, Value value) { \
    *address = static_cast<T>(value);                \
  }
EMULATED_STORE(__stwb)
EMULATED_STORE(__stcg)
EMULATED_STORE(__stcs)
EMULATED_STORE(__stwt)
#undef EMULATED_STORE

// Promises to the compiler.
#define __builtin_assume(condition) \
  (static_cast<bool>(condition) ? static_cast<void>(0) : __builtin_unreachable())
