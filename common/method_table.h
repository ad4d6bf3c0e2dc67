#pragma once
#include <cuda_runtime.h>  // for EMULATED_DEVICE

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fail.h"
#include "options.h"

/// One way to compute something, as a function: a rung of a ladder. `Signature`: how the ready method is called, for
/// example void(const unsigned* in, unsigned* out, std::size_t n). Made by method() and gpu_method() below.
template <class Signature>
struct Method {
  using Run = std::function<Signature>;

  std::string name;       ///< as --method takes it
  std::string help;       ///< one line
  bool gpu_only = false;  ///< uses a library of the CUDA toolkit, which the emulated device has not
  std::function<std::string(std::size_t n)> refusal_for;  ///< see refusal()
  std::function<Run(std::size_t most)> maker;             ///< see make(); empty where not built()

  /// Is the method there in this build?
  bool built() const { return static_cast<bool>(maker); }

  /// Why the method cannot take an array of n elements on this device; empty when it can.
  std::string refusal(std::size_t n) const { return refusal_for ? refusal_for(n) : std::string(); }

  /// Makes the method ready for arrays of up to `most` elements: allocates its scratch memory, so that a call
  /// of the result is the work alone. Ends the program with a sentence when the method cannot take `most`
  /// elements or is not built.
  Run make(std::size_t most) const {
    if (!built()) fail(exit_code::cannot_here, name + " is gpu only: it uses a library of the CUDA toolkit.");
    if (const std::string why = refusal(most); !why.empty()) fail(exit_code::wrong_use, name + " " + why);
    return maker(most);
  }
};

/// The table entry of class Rung, which has a constructor Rung(std::size_t most), a function run() with
/// Signature, and, if it cannot take every size, `static std::string refusal(std::size_t n)`.
template <class Signature, class Rung>
Method<Signature> method(std::string name, std::string help) {
  Method<Signature> entry{std::move(name), std::move(help), false, {}, {}};
  if constexpr (requires(std::size_t n) { Rung::refusal(n); }) entry.refusal_for = &Rung::refusal;
  entry.maker = [](std::size_t most) -> std::function<Signature> {
    return [rung = std::make_shared<Rung>(most)](auto... arguments) { return rung->run(arguments...); };
  };
  return entry;
}

/// The same for a class that uses a library of the CUDA toolkit. In the emulated build it has to be declared
/// only, and the entry is not built().
template <class Signature, class Rung>
Method<Signature> gpu_method(std::string name, std::string help) {
#ifdef EMULATED_DEVICE
  return {std::move(name), std::move(help), true, {}, {}};
#else
  Method<Signature> entry = method<Signature, Rung>(std::move(name), std::move(help));
  entry.gpu_only = true;
  return entry;
#endif
}

/// Entries that say whether they need libraries of the GPU.
template <class Entry>
concept tells_gpu_only = requires(const Entry& entry) {
  entry.gpu_only;
};

/// All rungs of a ladder, from plain to fast. --help, --benchmark, the tests and the benchmark programs go
/// through it; a new rung is a file, included and named in the ladder's methods.cu. `Entry`: what the ladder says of a
/// rung, `name` and `help` at least. Method<Signature> where a rung is a function; a struct of the ladder's own
/// where it is more.
template <class Entry>
class MethodTable {
 public:
  MethodTable(std::initializer_list<Entry> methods) : methods_(methods) {}

  auto begin() const { return methods_.begin(); }
  auto end() const { return methods_.end(); }

  /// The method of that name. Ends the program when there is none: none but those of the table can be made.
  const Entry& operator[](std::string_view name) const {
    for (const Entry& one : methods_)
      if (one.name == name) return one;
    fail(exit_code::wrong_use, "there is no method " + std::string(name));
  }
  /// The one after it; after the last the first.
  const Entry& next(const Entry& method) const {
    const Entry* const after = &method + 1;
    return after == methods_.data() + methods_.size() ? methods_.front() : *after;
  }

  /// What Options::add_methods() wants.
  std::vector<Options::Method> for_options() const {
    std::vector<Options::Method> list;
    for (const Entry& one : methods_) {
      Options::Method method{std::string(one.name), std::string(one.help)};
      if constexpr (tells_gpu_only<Entry>) method.gpu_only = one.gpu_only;
      list.push_back(method);
    }
    return list;
  }

 private:
  std::vector<Entry> methods_;
};
