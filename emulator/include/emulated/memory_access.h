// Loads and stores with a hint for the caches. The emulated device has none of
// its own: they are plain accesses.
#pragma once

#include <type_traits>

// Sees what other threads have written meanwhile: the compiler must not take an earlier value
// instead. The loops in which such loads stand let other threads run (barriers.h).
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

#define EMULATED_LOAD(name, value)         \
  template <class T>                       \
  static inline T name(const T* address) { \
    return value;                          \
  }
EMULATED_LOAD(__ldg, *address)                        // through the read-only cache
EMULATED_LOAD(__ldca, *address)                       // kept in all caches
EMULATED_LOAD(__ldcs, *address)                       // used once
EMULATED_LOAD(__ldlu, *address)                       // used for the last time
EMULATED_LOAD(__ldcg, emulated::fresh_load(address))  // from L2
EMULATED_LOAD(__ldcv, emulated::fresh_load(address))  // from memory
#undef EMULATED_LOAD

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
