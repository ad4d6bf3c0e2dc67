// For programs that are compiled as C++17: what the emulated device's headers take from C++20's
// library. (The language they need, concepts above all, GCC has in C++17 with -fconcepts. It reads
// [[ after a requires clause as a subscript there, so attributes at such places are
// __attribute__s.) The names are in std, where C++20 has them.
#pragma once

#if __cplusplus < 202002L

#include <type_traits>

#define constinit __constinit

namespace std {

// Laid out as in C++20, since the library is compiled so: the compiler gives
// the address of such an __impl.
struct source_location {
  struct __impl {
    const char *_M_file_name, *_M_function_name;
    unsigned _M_line, _M_column;
  };
  static source_location current(const void* place = __builtin_source_location()) {
    source_location result;
    result.impl_ = static_cast<const __impl*>(place);
    return result;
  }
  const char* file_name() const { return impl_ != nullptr ? impl_->_M_file_name : ""; }
  unsigned line() const { return impl_ != nullptr ? impl_->_M_line : 0; }

 private:
  const __impl* impl_ = nullptr;
};

template <class T>
using remove_cvref_t = remove_cv_t<remove_reference_t<T>>;
template <class T>
struct type_identity {
  using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

constexpr bool is_constant_evaluated() noexcept { return __builtin_is_constant_evaluated(); }

template <class To, class From>
constexpr To bit_cast(const From& from) {
  return __builtin_bit_cast(To, from);
}
template <class T>
constexpr int popcount(T value) {
  return __builtin_popcountll(value);
}
template <class T>
constexpr int countl_zero(T value) {
  constexpr int bits = 8 * sizeof(T);
  return value == 0 ? bits : __builtin_clzll(value) - (64 - bits);
}
template <class T>
constexpr int countr_zero(T value) {
  return value == 0 ? 8 * static_cast<int>(sizeof(T)) : __builtin_ctzll(value);
}
template <class T>
constexpr int bit_width(T value) {
  return 8 * static_cast<int>(sizeof(T)) - countl_zero(value);
}

}  // namespace std

#endif
