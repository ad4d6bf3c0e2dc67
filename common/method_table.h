#pragma once
#include <cuda_runtime.h>  // for EMULATED_DEVICE

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fail.h"
#include "options.h"

/// The reason why a method cannot do a job, as a clause after its name
/// ("takes at most 1000 numbers"); empty if it can.
struct Refusal {
  std::string why;
  int code = exit_code::wrong_use;  ///< or cannot_here, if another device could
  explicit operator bool() const { return !why.empty(); }
};

/// One way to compute something: a rung of a ladder, or the library next to it.
///   Ready   what make() returns: a function, such as
///           std::function<void(const unsigned* in, unsigned* out, size_t n)>, or a pointer to an
///           object
///   Job...  the arguments of make(), for example size_t: arrays of up to that many elements
template <class Ready, class... Job>
struct Method {
  std::string name;  ///< as --method takes it; for a rung the NAME in N_NAME.cuh
  /// The function that make() calls: function_of<R> or another. Empty if the method is not built().
  std::function<Ready(Job...)> maker;
  std::function<Refusal(Job...)> refusal_for = {};  ///< see refusal(); empty: it can do every job
  /// One line for --help. Empty for a rung: its file has the line (Options::add_methods()).
  std::string help = {};
  bool gpu_only = false;  ///< uses a library of the CUDA toolkit

  /// Is the method there in this build?
  bool built() const { return static_cast<bool>(maker); }

  /// The reason why the method cannot do this job on this device.
  Refusal refusal(Job... job) const { return refusal_for ? refusal_for(job...) : Refusal(); }

  /// Makes the method ready: allocates its scratch memory, so a call of the result does only the
  /// work. Ends the program with a sentence if the method cannot do the job or is not built.
  Ready make(Job... job) const {
    if (!built())
      fail(exit_code::cannot_here,
           name + " needs the CUDA toolkit (DEVICE=gpu); this build uses the emulated device");
    if (const Refusal refused = refusal(job...)) fail(refused.code, name + " " + refused.why);
    return maker(job...);
  }

  /// The maker of a method that is a class R. It constructs R(job...) and returns a function that
  /// calls run() of this object.
  template <class R>
  static Ready function_of(Job... job) {
    const auto object = std::make_shared<R>(job...);  // lives as long as the function
    return [object](auto&&... arguments) { return object->run(arguments...); };
  }
};

/// The entry of a class R that uses a library of the CUDA toolkit. In the emulated build R is only
/// declared, and built() of the entry is false.
template <class AnyMethod, class R>
AnyMethod gpu_method(std::string name, std::string help) {
  AnyMethod method{.name = name, .maker = {}, .help = help, .gpu_only = true};
#ifndef EMULATED_DEVICE
  method.maker = AnyMethod::template function_of<R>;
#endif
  return method;
}

/// All methods of a ladder, from naive to fast. --help, --method, --benchmark, --compare and the
/// tests use it. A new rung is a file; include it and name it next to the table.
template <class AnyMethod>
class MethodTable {
 public:
  MethodTable(std::initializer_list<AnyMethod> methods) : methods_(methods) {}

  auto begin() const { return methods_.begin(); }
  auto end() const { return methods_.end(); }

  /// The method of that name. Ends the program if there is none.
  const AnyMethod& operator[](std::string_view name) const {
    for (const AnyMethod& method : methods_)
      if (method.name == name) return method;
    fail(exit_code::wrong_use, "there is no method " + std::string(name));
  }
  /// The next method; after the last, the first.
  const AnyMethod& next(const AnyMethod& method) const {
    const AnyMethod* const after = &method + 1;
    return after == methods_.data() + methods_.size() ? methods_.front() : *after;
  }

  /// The argument of Options::add_methods().
  std::vector<Options::Method> for_options() const {
    std::vector<Options::Method> list;
    for (const AnyMethod& method : methods_)
      list.push_back({std::string(method.name), std::string(method.help), method.gpu_only});
    return list;
  }

 private:
  std::vector<AnyMethod> methods_;
};
