// Atomic functions: read, change and write one word without another thread coming between.
// All are relaxed, as in CUDA: they order nothing but the word itself. The forms _block
// and _system are the same here.
#pragma once

#include <cstdint>
#include <type_traits>

#include "barriers.h"
#include "warp.h"

namespace emulated {

// Does the address lie in this OS thread's own memory (shared memory, above all)? Then no
// other OS thread sees it, and since threads of a block take turns, a plain read and write is
// atomic enough, and much faster.
static inline bool is_private([[maybe_unused]] const void* address) {
#if defined(EMULATED_EXPLAIN)
  return false;  // there the compiler must report every atomic operation
#else
  return in_shared_memory(address);
#endif
}

// Replaces *address by change(*address) and returns the old value.
template <class T, class Change>
static inline T atomically(T* address, Change change) {
  if (is_private(address)) {
    const T old = *address;
    *address = change(old);
    asm volatile("" ::: "memory");  // one thread at a time: no vector instructions here
    return old;
  }
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    T changed = change(old);
    if (__atomic_compare_exchange(address, &old, &changed, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED))
      return old;
  }
}

// A look that may be in a waiting loop: CAS that failed, an exchange that changed nothing.
template <class T>
static inline T looked(T* address, T old, bool unchanged, Location at) {
  if (unchanged) observe(address, pack(old), at);
  return old;
}

template <class T>
static inline T exchange(T* address, T value, Location at) {
  T old;
  __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);
  ++orderings;  // it may open a lock
  return looked(address, old, pack(old) == pack(value), at);
}

// Change() makes the new value of the old one and the argument.
template <class Change, class T>
static inline T update(T* address, T value, Location at) {
  const T old = atomically(address, [=](T before) { return Change()(before, value); });
  return looked(address, old, Change()(old, value) == old, at);
}

// Update with the processor's own instruction for adding.
template <class T>
static inline T add(T* address, T value, Location at) {
  if constexpr (std::is_integral_v<T>) {
    T old;
    if (is_private(address)) {
      old = *address;
      *address = Plus()(old, value);
      asm volatile("" ::: "memory");
    } else {
      old = __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
    }
    if (value == 0)
      observe(address, static_cast<std::uint64_t>(old),
              at);  // only a look: perhaps in a waiting loop
    return old;
  } else {
    return update<Plus>(address, value, at);
  }
}

template <class T>
static inline T subtract(T* address, T value, Location at) {
  return add(address, static_cast<T>(0u - static_cast<unsigned>(value)), at);
}

// Counters that wrap: 0, 1, ..., last, 0, ... and back.
struct CountUp {
  unsigned operator()(unsigned old, unsigned last) const { return old >= last ? 0u : old + 1u; }
};
struct CountDown {
  unsigned operator()(unsigned old, unsigned last) const {
    return old == 0 || old > last ? last : old - 1u;
  }
};

}  // namespace emulated

// Defines name, name_block and name_system for a type.
#define EMULATED_ATOMIC(name, T, function)                                           \
  [[maybe_unused]] static inline T name(T* address, T value, EMULATED_AT) {          \
    return function(address, value, at);                                             \
  }                                                                                  \
  [[maybe_unused]] static inline T name##_block(T* address, T value, EMULATED_AT) {  \
    if (emulated::explain::on) emulated::explain::in_block_scope(2);                 \
    return name(address, value, at);                                                 \
  }                                                                                  \
  [[maybe_unused]] static inline T name##_system(T* address, T value, EMULATED_AT) { \
    emulated::note_host_is_told();                                                   \
    return name(address, value, at);                                                 \
  }
#define EMULATED_ATOMIC_INTEGERS(name, function) \
  EMULATED_ATOMIC(name, int, function)           \
  EMULATED_ATOMIC(name, unsigned, function)      \
  EMULATED_ATOMIC(name, unsigned long long, function)

// *address += value, -= value, = value
EMULATED_ATOMIC_INTEGERS(atomicAdd, emulated::add)
EMULATED_ATOMIC(atomicAdd, float, emulated::add)
EMULATED_ATOMIC(atomicAdd, double, emulated::add)
EMULATED_ATOMIC(atomicSub, int, emulated::subtract)
EMULATED_ATOMIC(atomicSub, unsigned, emulated::subtract)
EMULATED_ATOMIC_INTEGERS(atomicExch, emulated::exchange)
EMULATED_ATOMIC(atomicExch, float, emulated::exchange)
// *address = the lesser or the greater of *address and value
EMULATED_ATOMIC_INTEGERS(atomicMin, emulated::update<emulated::Least>)
EMULATED_ATOMIC(atomicMin, long long, emulated::update<emulated::Least>)
EMULATED_ATOMIC_INTEGERS(atomicMax, emulated::update<emulated::Greatest>)
EMULATED_ATOMIC(atomicMax, long long, emulated::update<emulated::Greatest>)
// *address &= value, |= value, ^= value
EMULATED_ATOMIC_INTEGERS(atomicAnd, emulated::update<emulated::BitAnd>)
EMULATED_ATOMIC_INTEGERS(atomicOr, emulated::update<emulated::BitOr>)
EMULATED_ATOMIC_INTEGERS(atomicXor, emulated::update<emulated::BitXor>)
EMULATED_ATOMIC(atomicInc, unsigned, emulated::update<emulated::CountUp>)
EMULATED_ATOMIC(atomicDec, unsigned, emulated::update<emulated::CountDown>)
#undef EMULATED_ATOMIC_INTEGERS
#undef EMULATED_ATOMIC

// *address = value if *address == compare; returns the old *address either way.
#define EMULATED_COMPARE_AND_SWAP(T)                                                               \
  [[maybe_unused]] static inline T atomicCAS(T* address, T compare, T value, EMULATED_AT) {        \
    T old = compare;                                                                               \
    __atomic_compare_exchange_n(address, &old, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);  \
    ++emulated::orderings;                                                                         \
    return emulated::looked(address, old, old != compare || compare == value, at);                 \
  }                                                                                                \
  [[maybe_unused]] static inline T atomicCAS_block(T* address, T compare, T value, EMULATED_AT) {  \
    if (emulated::explain::on) emulated::explain::in_block_scope(1);                               \
    return atomicCAS(address, compare, value, at);                                                 \
  }                                                                                                \
  [[maybe_unused]] static inline T atomicCAS_system(T* address, T compare, T value, EMULATED_AT) { \
    return atomicCAS(address, compare, value, at);                                                 \
  }
EMULATED_COMPARE_AND_SWAP(int)
EMULATED_COMPARE_AND_SWAP(unsigned)
EMULATED_COMPARE_AND_SWAP(unsigned long long)
EMULATED_COMPARE_AND_SWAP(unsigned short)
#undef EMULATED_COMPARE_AND_SWAP
