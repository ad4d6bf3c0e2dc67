// What is checked of a kernel's arguments before it runs.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "errors.h"
#include "explain_hooks.h"
#include "scheduler.h"

#ifndef __has_builtin
#define __has_builtin(name) 0
#endif

namespace emulated {

// One argument of a launch, for messages.
struct Argument {
  unsigned position;  // from 1
  const char* kernel;
  Location at;                             // of the launch
  std::size_t element_bytes = 0;           // of what a pointer points to; 0: not known
  bool of_pointers = false;                // are they pointers?
  const unsigned char* padding = nullptr;  // of such an element: bytes that are 0; nullptr: none
};

// May the device use what the pointer, an argument of a launch, points to? If it surely may not,
// says so on standard error.
bool device_can_use(const void* pointer, const Argument& argument);

// The size of T, or 0 where none is known, as of void.
template <class T>
constexpr std::size_t size_of() {
  if constexpr (std::is_object_v<T> && requires { sizeof(T); })
    return sizeof(T);
  else
    return 0;
}

// Notes pointers to host memory in an object of `bytes` bytes; warns of objects with virtual
// functions.
void note_host_pointers(const void* object, std::size_t bytes, unsigned position,
                        const char* kernel, Location at);

// ---- managed memory that the launch may write ----
// The arguments of a launch come. Forgets what an earlier launch was given.
void begin_arguments();
// The kernel gets this pointer to what is not const.
void note_written_argument(const void* pointer);

// May the host rely on nothing of it while a kernel runs that has a pointer to it? Not so of what
// is volatile or holds atomic variables (which cannot be copied).
template <class T>
constexpr bool is_the_kernels() {
  if constexpr (size_of<T>() > 0)
    return !std::is_const_v<T> && !std::is_volatile_v<T> && std::is_copy_constructible_v<T>;
  else
    return !std::is_const_v<T> && !std::is_volatile_v<T>;
}

template <class Parameter, class Argument>
void note_if_written(const Argument& argument) {
  using Object = std::remove_pointer_t<std::remove_reference_t<Parameter>>;
  if constexpr (std::is_reference_v<Parameter> &&
                is_the_kernels<std::remove_reference_t<Parameter>>())
    note_written_argument(__builtin_addressof(argument));
  else if constexpr (std::is_pointer_v<Parameter> && std::is_pointer_v<Argument> &&
                     !std::is_function_v<Object> && is_the_kernels<Object>())
    note_written_argument(argument);
}

// Notes the arguments through which the kernel may write.
template <class... Parameters, class... Arguments>
void note_written(void (*)(Parameters...), const Arguments&... arguments) {
  if constexpr (sizeof...(Parameters) == sizeof...(Arguments))
    (note_if_written<Parameters>(arguments), ...);
  if (explain::on) (explain::argument(__builtin_addressof(arguments), sizeof arguments), ...);
}

// The bytes of an object. A union may hold any class without constructing or destroying it.
template <class T>
union Storage {
  T object;
  Storage() {}
  ~Storage() {}
};

// Notes pointers to host memory in an argument that is an object: they may be meant for the host,
// so only --explain reports a kernel that follows one. Between the members lies padding, where
// anything may be left over, also what looks like a pointer: it is cleared first. A compiler that
// cannot do that looks only into objects that have none.
template <class T>
void note_host_pointers_of(const T& argument, unsigned position, const char* kernel, Location at) {
#if __has_builtin(__builtin_clear_padding)
  Storage<T> copy;
  std::memcpy(static_cast<void*>(&copy), static_cast<const void*>(__builtin_addressof(argument)),
              sizeof(T));
  __builtin_clear_padding(&copy);
  note_host_pointers(&copy, sizeof(T), position, kernel, at);
#else
  if constexpr (std::has_unique_object_representations_v<T>)
    note_host_pointers(__builtin_addressof(argument), sizeof(T), position, kernel, at);
#endif
}

// For each byte of an object: is it 0, as padding between the members is here? nullptr: not known.
template <class T>
const unsigned char* padding_of() {
#if __has_builtin(__builtin_clear_padding)
  if constexpr (std::is_class_v<T> && size_of<T>() > 0 && size_of<T>() <= 4096) {
    static const auto bytes = [] {
      struct Bytes {
        unsigned char all[sizeof(T)];
      } known;
      Storage<T> object;
      std::memset(static_cast<void*>(&object), 0xff, sizeof(T));
      __builtin_clear_padding(&object);
      std::memcpy(known.all, static_cast<const void*>(&object), sizeof(T));
      return known;
    }();
    return bytes.all;
  }
#endif
  return nullptr;
}

// Looks at all arguments that are pointers to data, or structures. cudaErrorIllegalAddress, the
// sticky one, if a pointer names host memory.
template <class... Arguments>
cudaError_t check_arguments([[maybe_unused]] const char* kernel, [[maybe_unused]] Location at,
                            const Arguments&... arguments) {
  [[maybe_unused]] unsigned position = 0;
  [[maybe_unused]] const auto usable = [&]<class T>(const T& argument) {
    using Element = std::remove_pointer_t<T>;
    ++position;
    if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>)
      return device_can_use(const_cast<const void*>(static_cast<const volatile void*>(argument)),
                            {position, kernel, at, size_of<Element>(), std::is_pointer_v<Element>,
                             padding_of<std::remove_cv_t<Element>>()});
    if constexpr (std::is_class_v<T> && !std::is_polymorphic_v<T> && alignof(T) >= alignof(void*))
      note_host_pointers_of(argument, position, kernel, at);
    return true;
  };
  if ((usable(arguments) && ...)) return cudaSuccess;
  set_sticky_error(cudaErrorIllegalAddress);
  return cudaErrorIllegalAddress;
}

}  // namespace emulated
