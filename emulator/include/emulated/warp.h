// Operations of the lanes of a warp with each other. `mask` names the lanes that take part; each of
// them must come to the same call with the same mask. Definitions: CUDA C++ Programming Guide,
// "Warp Vote, Match, Reduce and Shuffle Functions".
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include "barriers.h"

namespace emulated {

// Values travel as 8 bytes.
template <class T>
static inline std::uint64_t pack(T value) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>,
                "a warp operation moves values of at most 8 bytes");
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &value, sizeof value);
  return bytes;
}
template <class T>
static inline T unpack(std::uint64_t bytes) {
  T value;
  std::memcpy(&value, &bytes, sizeof value);
  return value;
}

// Calls f with every lane of the mask. For whole warps the compiler can make vector instructions.
template <class F>
static inline void for_lanes(unsigned mask, F f) {
  if (mask == all_lanes)
    for (unsigned lane = 0; lane < 32; ++lane) f(lane);
  else
    for (unsigned rest = mask; rest != 0; rest &= rest - 1)
      f(static_cast<unsigned>(std::countr_zero(rest)));
}

// The kinds of what each lane brings and gets are those of explain::number_kind().
template <class T, char brought = explain::number_kind<T>(), char got = brought>
static inline T together(unsigned mask, std::uint64_t value, std::uint64_t argument,
                         const Call& call, Location at) {
  const unsigned thread = thread_rank();
  if (explain::on) explain::brings(brought, got, sizeof(T));
  suspending([=, &call] { warp_operation(mask, value, argument, call, at); });
  return unpack<T>(warps[thread / 32].result[thread % 32]);
}

// Every lane names the lane whose value it reads. A lane outside the mask has nothing
// to give: the result is undefined in CUDA; here it is 0, which hardware gives and
// which public reductions rely on.
[[maybe_unused]] static void shuffle(Warp& warp, unsigned mask) {
  for_lanes(mask, [&](unsigned lane) {
    const auto source = static_cast<unsigned>(warp.argument[lane]);
    warp.result[lane] = (mask >> source & 1) != 0 ? warp.value[source] : 0;
  });
}
constexpr Call shuffle_call(const char* name) {
  return {.name = name, .operation = shuffle, .names_lane = true};
}

// Combines the values of all lanes with `combine`; every lane gets the result.
template <class T, class Combine>
static void reduce(Warp& warp, unsigned mask) {
  bool first = true;
  T result{};
  for_lanes(mask, [&](unsigned lane) {
    const T value = unpack<T>(warp.value[lane]);
    result = first ? value : Combine()(result, value);
    first = false;
  });
  for_lanes(mask, [&](unsigned lane) { warp.result[lane] = pack(result); });
}

struct Plus {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)  // wraps, as on hardware
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) +
                            static_cast<std::make_unsigned_t<T>>(b));
    else
      return a + b;
  }
};
struct Least {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct Greatest {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
using BitAnd = std::bit_and<>;
using BitOr = std::bit_or<>;
using BitXor = std::bit_xor<>;

}  // namespace emulated

// ---- shuffles: a value from another lane ----
// `width` (a power of two up to 32) cuts the warp into sections that do not see each other. Other
// widths do what hardware does with them, PTX ISA, "shfl.sync": the bits of 32 - width stay those
// of the calling lane.
namespace emulated {
[[maybe_unused]] static inline unsigned section_bits(int width) {
  return (32u - static_cast<unsigned>(width)) & 31;
}
// Is there a lane so far away, among so many?
[[maybe_unused]] static inline void look_how_far(const char* name, unsigned distance,
                                                 unsigned lanes, Location at) {
  if (explain::on && distance >= lanes) explain::shuffles_too_far(name, distance, lanes, at);
}
// The value of lane `source`.
template <class T>
static inline T shuffle_from(unsigned mask, T value, unsigned source, const Call& call,
                             Location at) {
  if ((mask >> source & 1) == 0) [[unlikely]]
    warn_foreign_lane(source, mask, call.name, at);
  return together<T>(mask, pack(value), source, call, at);
}
// The lane that `wanted` names, or the calling one when that is outside its section.
[[maybe_unused]] static inline unsigned within_section(unsigned wanted, int width) {
  const unsigned bits = section_bits(width);
  const unsigned last = (lane() & bits) | (31 & ~bits);
  return wanted <= last ? wanted : lane();
}
}  // namespace emulated

// From lane `source` of the section.
template <class T>
static inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, EMULATED_AT) {
  static constexpr emulated::Call call = emulated::shuffle_call("__shfl_sync");
  const unsigned bits = emulated::section_bits(width);
  const unsigned wanted = (emulated::lane() & bits) | (static_cast<unsigned>(source) & 31 & ~bits);
  return emulated::shuffle_from(mask, value, wanted, call, at);
}
namespace emulated {
// The value of lane `source`, of any size: 8 bytes at a time.
template <class T>
static inline T shuffle_any(unsigned mask, T value, unsigned source, Location at) {
  static_assert(std::is_trivially_copyable_v<T>,
                "a shuffle copies the bytes of a value: it must allow that");
  static constexpr Call call = shuffle_call("shfl");
  for (std::size_t i = 0; i < sizeof(T); i += 8) {
    std::uint64_t part = 0;
    const std::size_t bytes = sizeof(T) - i < 8 ? sizeof(T) - i : 8;
    std::memcpy(&part, reinterpret_cast<const char*>(&value) + i, bytes);
    part = together<std::uint64_t>(mask, part, source, call, at);
    std::memcpy(reinterpret_cast<char*>(&value) + i, &part, bytes);
  }
  return value;
}
}  // namespace emulated
// From `delta` (modulo 32) lanes below; the first lanes of a section keep their value.
template <class T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32,
                               EMULATED_AT) {
  static constexpr emulated::Call call = emulated::shuffle_call("__shfl_up_sync");
  emulated::look_how_far(call.name, delta, static_cast<unsigned>(width), at);
  const unsigned lane = emulated::lane();
  const unsigned first = lane & emulated::section_bits(width);
  const unsigned wanted = lane >= first + delta % 32 ? lane - delta % 32 : lane;
  return emulated::shuffle_from(mask, value, wanted, call, at);
}
// From `delta` (modulo 32) lanes above; the last lanes of a section keep their value.
template <class T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                                 EMULATED_AT) {
  static constexpr emulated::Call call = emulated::shuffle_call("__shfl_down_sync");
  emulated::look_how_far(call.name, delta, static_cast<unsigned>(width), at);
  const unsigned wanted = emulated::within_section(emulated::lane() + delta % 32, width);
  return emulated::shuffle_from(mask, value, wanted, call, at);
}
// From the lane whose number differs in the bits of `bits`; not from a later section.
template <class T>
static inline T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, EMULATED_AT) {
  static constexpr emulated::Call call = emulated::shuffle_call("__shfl_xor_sync");
  const unsigned wanted =
      emulated::within_section(emulated::lane() ^ (static_cast<unsigned>(bits) & 31), width);
  return emulated::shuffle_from(mask, value, wanted, call, at);
}

// ---- votes ----
// The set of lanes whose predicate is not 0.
[[maybe_unused]] static inline unsigned __ballot_sync(unsigned mask, int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{
      "__ballot_sync", [](emulated::Warp& warp, unsigned lanes) {
        std::uint64_t votes = 0;
        emulated::for_lanes(lanes, [&](unsigned lane) { votes |= warp.value[lane] << lane; });
        emulated::for_lanes(lanes, [&](unsigned lane) { warp.result[lane] = votes; });
      }};
  return emulated::together<unsigned, 'u', 'x'>(mask, predicate != 0, 0, call, at);
}
[[maybe_unused]] static inline int __any_sync(unsigned mask, int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__any_sync", emulated::reduce<int, emulated::BitOr>};
  return emulated::together<int>(mask, predicate != 0, 0, call, at);
}
[[maybe_unused]] static inline int __all_sync(unsigned mask, int predicate, EMULATED_AT) {
  static constexpr emulated::Call call{"__all_sync", emulated::reduce<int, emulated::BitAnd>};
  return emulated::together<int>(mask, predicate != 0, 0, call, at);
}
// Waits for the lanes of the mask; what each wrote before, all see afterwards.
[[maybe_unused]] static inline void __syncwarp(unsigned mask = 0xffffffffu, EMULATED_AT) {
  static constexpr emulated::Call call{
      "__syncwarp", [](emulated::Warp&, unsigned) { __atomic_thread_fence(__ATOMIC_ACQ_REL); },
      true};
  emulated::together<int>(mask, 0, 0, call, at);
}
// The lanes that are at this place now. On hardware those that happen to run together; here those
// that come to this call before all others of the warp wait elsewhere or have ended.
[[maybe_unused]] static inline unsigned __activemask(EMULATED_AT) {
  return emulated::suspending([=] { return emulated::converged_lanes(at); });
}

// ---- volatile shared memory ----
namespace emulated {
template <class Element>
static inline void look_at_exchange([[maybe_unused]] Element& element, [[maybe_unused]] bool writes,
                                    [[maybe_unused]] Location at) {
  if constexpr (std::is_volatile_v<Element> && std::is_scalar_v<Element>)
    if (!explain::on && !strided_loops.running && in_shared_memory(&element))
      note_exchange(&element, writes, thread_rank(), at);
}
/// What cu2cpp puts around elements of volatile memory (../../translate/volatile_elements.cpp).
template <class Element>
[[gnu::always_inline]] constexpr Element&& reads(Element&& element, EMULATED_AT) {
  look_at_exchange(element, false, at);
  return static_cast<Element&&>(element);
}
template <class Element>
[[gnu::always_inline]] constexpr Element&& writes(Element&& element, EMULATED_AT) {
  look_at_exchange(element, true, at);
  return static_cast<Element&&>(element);
}
}  // namespace emulated

// ---- match: who has the same value? ----
template <class T>
static inline unsigned __match_any_sync(unsigned mask, T value, EMULATED_AT) {
  static constexpr emulated::Call call{
      "__match_any_sync", [](emulated::Warp& warp, unsigned lanes) {
        emulated::for_lanes(lanes, [&](unsigned a) {
          std::uint64_t same = 0;
          emulated::for_lanes(lanes, [&](unsigned b) {
            same |= std::uint64_t{warp.value[a] == warp.value[b]} << b;
          });
          warp.result[a] = same;
        });
      }};
  return emulated::together<unsigned, 'x'>(mask, emulated::pack(value), 0, call, at);
}
// `mask` and *all = 1 if all have the same value, else 0.
template <class T>
static inline unsigned __match_all_sync(unsigned mask, T value, int* all, EMULATED_AT) {
  static constexpr emulated::Call call{
      "__match_all_sync", [](emulated::Warp& warp, unsigned lanes) {
        const std::uint64_t first = warp.value[std::countr_zero(lanes)];
        bool equal = true;
        emulated::for_lanes(lanes,
                            [&](unsigned lane) { equal = equal && warp.value[lane] == first; });
        emulated::for_lanes(lanes, [&](unsigned lane) { warp.result[lane] = equal ? lanes : 0; });
      }};
  const auto same = emulated::together<unsigned, 'x'>(mask, emulated::pack(value), 0, call, at);
  *all = same != 0;
  return same;
}

// ---- reductions (integers only, as on hardware) ----
#define EMULATED_REDUCE(name, T, Combine)                                                \
  [[maybe_unused]] static inline T name(unsigned mask, T value, EMULATED_AT) {           \
    static constexpr emulated::Call call{#name, emulated::reduce<T, emulated::Combine>}; \
    return emulated::together<T>(mask, emulated::pack(value), 0, call, at);              \
  }
EMULATED_REDUCE(__reduce_add_sync, unsigned, Plus)
EMULATED_REDUCE(__reduce_add_sync, int, Plus)
EMULATED_REDUCE(__reduce_min_sync, unsigned, Least)
EMULATED_REDUCE(__reduce_min_sync, int, Least)
EMULATED_REDUCE(__reduce_max_sync, unsigned, Greatest)
EMULATED_REDUCE(__reduce_max_sync, int, Greatest)
EMULATED_REDUCE(__reduce_and_sync, unsigned, BitAnd)
EMULATED_REDUCE(__reduce_or_sync, unsigned, BitOr)
EMULATED_REDUCE(__reduce_xor_sync, unsigned, BitXor)
#undef EMULATED_REDUCE
