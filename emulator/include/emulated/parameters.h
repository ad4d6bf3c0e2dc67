// The parameters of a kernel: how each thread gets its copy of them, and which of several kernels
// of one name takes which arguments. Used by launch.h.
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace emulated {

// CUDA copies a kernel's arguments once, on the host, and destroys the copies there; threads get
// their bytes. A type whose copies and end do nothing needs no care: every thread's call copies it.
// For other types each thread gets a copy of the bytes, and the kernel is called through a pointer
// to a function that takes a reference where the kernel takes the object: by the C++ ABIs of x86-64
// and arm64 that is the same call, but nothing is copied or destroyed.
template <class T>
inline constexpr bool is_bytes = std::is_trivially_copy_constructible_v<T>&&
    std::is_trivially_move_constructible_v<T>&& std::is_trivially_destructible_v<T>;

// How many bytes a kernel's parameters take, each at an address that fits its type.
template <class... Parameters>
constexpr std::size_t parameter_bytes() {
  std::size_t bytes = 0;
  ((bytes = (bytes + alignof(Parameters) - 1) / alignof(Parameters) * alignof(Parameters) +
            (std::is_reference_v<Parameters> ? sizeof(void*) : sizeof(Parameters))),
   ...);
  return bytes;
}
constexpr std::size_t max_parameter_bytes = 32764;

template <class T>
struct Bytes {
  explicit Bytes(const T& object) {
    std::memcpy(data, static_cast<const void*>(&object), sizeof(T));
  }
  T& get() { return *reinterpret_cast<T*>(data); }
  alignas(T) char data[sizeof(T)];
};

// Calls a kernel for one thread after another with the bytes of `parameters`.
template <class... Parameters, std::size_t... I>
auto body_from_bytes(void (*function)(Parameters...), std::index_sequence<I...>,
                     const Parameters&... parameters) {
  const auto same_call = reinterpret_cast<void (*)(
      std::conditional_t<is_bytes<Parameters>, Parameters, Parameters&>...)>(
      reinterpret_cast<void*>(function));
  return
      [same_call, values = std::tuple<Bytes<Parameters>...>(Bytes<Parameters>(parameters)...)]() {
        [[maybe_unused]] auto own = values;
        same_call(std::get<I>(own).get()...);
      };
}

// What travels to the device for a parameter: the address of what a
// reference names, else the argument.
template <class Parameter>
auto passed(std::remove_reference_t<Parameter>& argument) {
  if constexpr (std::is_reference_v<Parameter>)
    return __builtin_addressof(argument);
  else
    return argument;
}

// Takes a function whose name is not overloaded.
struct TakeAddress {
  template <class... Parameters>
  auto operator()(void (*function)(Parameters...)) const {
    return function;
  }
};

// Takes that one of several functions, or that instance of a template,
// which has exactly these parameters.
template <class... Parameters>
struct TakeExact {
  auto operator()(void (*function)(Parameters...)) const { return function; }
};

// What a parameter often is that takes an argument of type T, besides T.
template <class T>
T other(T);
template <class T>
const T* other(T*);
unsigned other(int);
int other(unsigned);
int other(std::size_t);
float other(double);

// Takes the function among those after `Address` that takes such arguments. Each bit of `choice`
// makes an argument's other type of it; more than five arguments must have exactly the parameters'
// types. nullptr: there is none.
template <class Address, unsigned choice, class... Arguments, std::size_t... I>
constexpr auto taker(std::index_sequence<I...> all) {
  using Take = TakeExact<
      std::conditional_t<(choice >> I & 1) != 0,
                         decltype(::emulated::other(std::declval<Arguments>())), Arguments>...>;
  if constexpr (std::is_invocable_v<const Address&, Take>)
    return Take();
  else if constexpr (sizeof...(I) <= 5 && choice + 1 < 1u << sizeof...(I))
    return taker<Address, choice + 1, Arguments...>(all);
  else
    return nullptr;
}

}  // namespace emulated
