// The parameters of a kernel: how each thread gets its copy of them, and which of several kernels of one name takes
// which arguments. Used by launch.h.
#pragma once

#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace emulated {

// CUDA copies a kernel's arguments once, on the host, and destroys the copies there; threads get their bytes. A
// type whose copies and end do nothing needs no care: every thread's call copies it. Of another one each thread
// gets a copy of the bytes, and the kernel is called through a pointer to a function that takes a reference where
// the kernel takes the object: by the C++ ABIs of x86-64 and arm64 that is the same call, but nothing is copied or
// destroyed.
template <class T>
inline constexpr bool is_bytes = std::is_trivially_copy_constructible_v<T>&&
    std::is_trivially_move_constructible_v<T>&& std::is_trivially_destructible_v<T>;

template <class T>
struct Bytes {
  explicit Bytes(const T& object) { std::memcpy(data, static_cast<const void*>(&object), sizeof(T)); }
  T& get() { return *reinterpret_cast<T*>(data); }
  alignas(T) char data[sizeof(T)];
};

// Calls a kernel for one thread after another with the bytes of `parameters`.
template <class... Parameters, std::size_t... I>
auto body_from_bytes(void (*function)(Parameters...), std::index_sequence<I...>,
                     const Parameters&... parameters) {
  const auto same_call =
      reinterpret_cast<void (*)(std::conditional_t<is_bytes<Parameters>, Parameters, Parameters&>...)>(
          reinterpret_cast<void*>(function));
  return [same_call, values = std::tuple<Bytes<Parameters>...>(Bytes<Parameters>(parameters)...)]() {
    auto own = values;
    same_call(std::get<I>(own).get()...);
  };
}

// What travels to the device for a parameter: the address of what a reference names, else the argument.
template <class Parameter>
auto passed(std::remove_reference_t<Parameter>& argument) {
  if constexpr (std::is_reference_v<Parameter>)
    return __builtin_addressof(argument);
  else
    return argument;
}

template <class... Types>
struct TypeList {};

// A function with parameters of known types.
template <class... Parameters>
struct KnownFunction {
  void (*function)(Parameters...);
};

// Takes a function whose name is not overloaded.
struct TakeAddress {
  template <class... Parameters>
  KnownFunction<Parameters...> operator()(void (*function)(Parameters...)) const {
    return {function};
  }
};

// Takes that one of several functions, or that instance of a template, which has exactly these parameters.
template <class... Parameters>
struct TakeExact {
  KnownFunction<Parameters...> operator()(void (*function)(Parameters...)) const { return {function}; }
};

// What a parameter may be that takes an argument of type T.
template <class T>
struct Alternatives {
  using type = TypeList<T>;
};
template <class T>
struct Alternatives<T*> {
  using type = TypeList<T*, const T*>;
};
template <>
struct Alternatives<int> {
  using type = TypeList<int, unsigned, std::size_t>;
};
template <>
struct Alternatives<unsigned> {
  using type = TypeList<unsigned, int, std::size_t>;
};
template <>
struct Alternatives<std::size_t> {
  using type = TypeList<std::size_t, int, unsigned>;
};
template <>
struct Alternatives<double> {
  using type = TypeList<double, float>;
};

// The parameters of the function among those behind `Address` that takes the arguments: tries the alternatives of
// each argument in turn. nullptr: there is none.
template <class Address, class... Done>
constexpr auto exact_parameters(TypeList<Done...>, TypeList<>) {
  if constexpr (std::is_invocable_v<const Address&, TakeExact<Done...>>)
    return TypeList<Done...>();
  else
    return nullptr;
}
template <class Address, class... Done, class First, class... Rest>
constexpr auto exact_parameters(TypeList<Done...>, TypeList<First, Rest...>);
template <class Address, class... Done, class... Rest>
constexpr auto first_match(TypeList<Done...>, TypeList<>, TypeList<Rest...>) {
  return nullptr;
}
template <class Address, class... Done, class Try, class... Others, class... Rest>
constexpr auto first_match(TypeList<Done...>, TypeList<Try, Others...>, TypeList<Rest...> rest) {
  using Found = decltype(exact_parameters<Address>(TypeList<Done..., Try>(), rest));
  if constexpr (!std::is_null_pointer_v<Found>)
    return Found();
  else
    return first_match<Address>(TypeList<Done...>(), TypeList<Others...>(), rest);
}
template <class Address, class... Done, class First, class... Rest>
constexpr auto exact_parameters(TypeList<Done...> done, TypeList<First, Rest...>) {
  return first_match<Address>(done, typename Alternatives<First>::type(), TypeList<Rest...>());
}

}  // namespace emulated
