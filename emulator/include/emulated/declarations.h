// What the translator notes of a program's declarations (../../translate/declarations.cpp): launch
// bounds, static shared memory, variables of the device. A note costs nothing where it stands:
// calling note_... in a kernel only makes the compiler instantiate an object whose constructor
// gives the note to the runtime when the program starts, before constructors of the program's own.
#pragma once

#include <cstddef>
#include <type_traits>

#include "parameters.h"
#include "scheduler.h"

// The address of a kernel; nullptr for one of several that share the name.
#define EMULATED_ADDRESS(...)  \
  ::emulated::address_of_only( \
      [](auto take) -> decltype(take(__VA_ARGS__)) { return take(__VA_ARGS__); })
// EMULATED_NOTE_KERNEL((threads), kernel): at the beginning of a kernel; see KernelNote.
#define EMULATED_NOTE_KERNEL(threads, ...)                                                        \
  ::emulated::take_note([] {                                                                      \
    return ::emulated::KernelNote{EMULATED_ADDRESS(__VA_ARGS__), static_cast<unsigned>(threads)}; \
  })
// EMULATED_NOTE_SHARED(name, kernel): after a __shared__ variable; see SharedNote.
#define EMULATED_NOTE_SHARED(name, ...)                                          \
  ::emulated::note_shared<sizeof(name)>(EMULATED_SHARED_NOTE(name, __VA_ARGS__)) \
      EMULATED_GAP(static thread_local, emulated_gap_at_##name, )
#define EMULATED_SHARED_NOTE(name, ...)                                                        \
  [] {                                                                                         \
    return ::emulated::shared_note<decltype(name)>(                                            \
        EMULATED_ADDRESS(__VA_ARGS__), #name, []() -> const volatile void* { return &name; }); \
  }
// EMULATED_NOTE_STATIC(name): after a static variable of a function of the device, of which each
// device has its own. As with nvcc, its first value is known before the program runs.
#define EMULATED_NOTE_STATIC(name)                                                            \
  ::emulated::take_note([] { return ::emulated::static_note<decltype(name)>(&name, #name); }) \
      EMULATED_GAP(static, emulated_gap_at_##name, )                                          \
          EMULATED_GAP(static, emulated_gap_of_##name, = {1})
#ifdef __clang__
#define EMULATED_CONSTANT_VALUE __attribute__((require_constant_initialization))
#else
#define EMULATED_CONSTANT_VALUE __constinit
#endif
// After a variable of the device; `note` is the name of the object that notes it; `space`: device,
// constant or managed.
#define EMULATED_NOTE_VARIABLE(note, variable, space)                                \
  [[gnu::init_priority(101)]] const ::emulated::VariableNote note(                   \
      &variable, sizeof(variable), #variable, ::emulated::VariableSpace::in_##space, \
      &::emulated::constant_bank) EMULATED_GAPS(note)
// In a program that explains nothing lies within a KiB of a variable of the device, before or
// after it: the compiler lays variables out in the order in which they are declared, or in the
// reverse order, those with a first value apart.
#if defined(EMULATED_EXPLAIN)
#define EMULATED_GAP(storage, name, value)                      \
  ;                                                             \
  [[gnu::used, gnu::aligned(1)]] storage char name[1024] value; \
  ::emulated::take_note([] { return EMULATED_NOTE_OF_GAP(name); })
#define EMULATED_GAPS(name)                                               \
  ;                                                                       \
  [[gnu::used, gnu::aligned(1)]] char name##_gap[1024];                   \
  [[gnu::used, gnu::aligned(1)]] char name##_gap_with_value[1024] = {1};  \
  const ::emulated::Note name##_of_gap(EMULATED_NOTE_OF_GAP(name##_gap)), \
      name##_of_gap_with_value(EMULATED_NOTE_OF_GAP(name##_gap_with_value))
#define EMULATED_NOTE_OF_GAP(name) \
  ::emulated::GapNote { &name, sizeof(name) }
#else
#define EMULATED_GAP(storage, name, value)
#define EMULATED_GAPS(name)
#endif

namespace emulated {

// cu2cpp asks it of local arrays in device code.
template <class Element, std::size_t length>
std::true_type has_fixed_length(Element (&)[length]);
std::false_type has_fixed_length(...);

/// A __shared__ variable. Several instances of a template give several notes.
struct SharedNote {
  const void* kernel;  // that declares it; nullptr: it may be any kernel's
  const char* name;
  const volatile void* (*address)();  // of the calling OS thread's copy
  std::size_t bytes;
  std::size_t element_bytes,
      extents[3];  // of an array: what it holds, and how many; 0: it has not so many dimensions
};

// Type: a reference, when a macro's parameter was no name but a[4], which is not noted.
template <class Type>
SharedNote shared_note(const void* kernel, const char* name, const volatile void* (*address)()) {
  return {kernel,
          name,
          address,
          std::is_reference_v<Type> ? 0 : sizeof(Type),
          sizeof(std::remove_all_extents_t<std::remove_reference_t<Type>>),
          {std::extent_v<Type, 0>, std::extent_v<Type, 1>, std::extent_v<Type, 2>}};
}

struct KernelNote {
  const void* kernel;
  unsigned threads;  // of __launch_bounds__
};

template <class Name>
const void* address_of_only(Name name) {
  if constexpr (std::is_invocable_v<Name, TakeAddress>)
    return reinterpret_cast<const void*>(name(TakeAddress()));
  else
    return nullptr;
}

void add_note(const SharedNote& note);
void add_note(const KernelNote& note);
enum class VariableSpace { in_device, in_constant, in_managed };
void add_variable(const volatile void* address, std::size_t bytes, const char* name,
                  VariableSpace space, bool read_only, const void* bank);
void add_unnoted_variables();

struct StaticNote {
  const volatile void* address;
  std::size_t bytes;  // 0: a reference
  const char* name;
  bool read_only;
};
template <class Type>
StaticNote static_note(const volatile void* address, const char* name) {
  return {address, std::is_reference_v<Type> ? 0 : sizeof(Type), name, std::is_const_v<Type>};
}
inline void add_note(const StaticNote& note) {
  if (note.bytes > 0)
    add_variable(note.address, note.bytes, note.name, VariableSpace::in_device, note.read_only,
                 nullptr);
}

struct GapNote {
  const void* begin;  // of the calling OS thread's copy
  std::size_t bytes;
};
void add_note(const GapNote& note);

// Where the host has its own copy of the variable, with zeros at first, as nvcc makes one; nullptr:
// there is no such variable.
void* host_copy(const volatile void* variable);
// What a name of a variable of the device stands for in host code.
template <class T>
T& host_side(T& object) {
  void* const copy = host_copy(reinterpret_cast<const volatile void*>(__builtin_addressof(object)));
  return copy == nullptr ? object : *static_cast<T*>(copy);
}

struct Note {
  template <class T>
  explicit Note(const T& note) {
    add_note(note);
  }
};
// Calls a lambda that holds nothing, of which C++17 can make no other one than that in the kernel.
template <class Function>
auto call_of_type() {
  static_assert(std::is_empty_v<Function>);
  alignas(Function) const char nothing[sizeof(Function)] = {};
  return reinterpret_cast<const Function&>(nothing)();
}
template <class Function>
struct NoteOf {
  [[gnu::init_priority(101)]] static inline const Note note{call_of_type<Function>()};
};

template <class Function>
[[gnu::always_inline]] inline void take_note(Function) {
  static_cast<void>(&NoteOf<Function>::note);
}
template <std::size_t bytes, class Function>
[[gnu::always_inline]] inline void note_shared(Function) {
  static_assert(bytes <= shared_bytes_per_block,
                "a __shared__ variable is larger than the 48 KiB that a block has");
  static_cast<void>(&NoteOf<Function>::note);
}

/// A __device__, __constant__ or __managed__ variable. `bank`: constants
/// with the same one share 64 KiB.
struct VariableNote {
  template <class T>
  VariableNote(T* address, std::size_t bytes, const char* name, VariableSpace space,
               const void* bank) {
    add_variable(reinterpret_cast<const volatile void*>(address), bytes, name, space,
                 std::is_const_v<T>, bank);
  }
};
/// Somewhere is a variable of the device that the translator could not note.
struct UnnotedVariables {
  UnnotedVariables() { add_unnoted_variables(); }
};
// Each translation unit has constant memory of its own, as with nvcc.
[[maybe_unused]] static const char constant_bank = 0;

#if defined(EMULATED_EXPLAIN)
// In front of the first variables, or after them.
namespace {
[[gnu::used, gnu::aligned(1)]] thread_local char first_gap_of_shared[1024];
const Note first_note(EMULATED_NOTE_OF_GAP(first_gap_of_shared)) EMULATED_GAPS(first);
}  // namespace
#endif

}  // namespace emulated
