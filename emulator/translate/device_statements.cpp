// What nvcc refuses in device code and g++ would take: exceptions, arrays whose length is known
// only at run time, what the standard library has for the host; and names of older versions of
// CUDA, for which the sentence names what replaces them.
#include <string>
#include <string_view>

#include "declarators.h"
#include "passes.h"

namespace translate {

namespace {

// Names of the standard library that no device has.
bool is_host_only(std::string_view name) {
  return one_of(
      name,
      "cout cerr clog cin string vector map unordered_map set unordered_set multimap "
      "list deque queue stack valarray stringstream ostringstream ifstream ofstream mutex "
      "lock_guard atomic thread function unique_ptr shared_ptr chrono random_device "
      "mt19937 mt19937_64 default_random_engine uniform_int_distribution "
      "uniform_real_distribution normal_distribution");
}

class Statements {
 public:
  Statements(Source& source, const Outline& outline, const Program& program)
      : source_(source), code_(source.code()), outline_(outline), program_(program) {}

  void run() {
    for (const Function& function : outline_.functions) {
      if (function.body == none || !function.in_kernel() || (function.side & side_unknown) != 0)
        continue;
      check_exceptions(function);
      if (!function.only_device()) continue;
      check_library(function);
      check_arrays(function);
    }
    check_old_names();
  }

 private:
  void refuse(std::size_t token, const std::string& sentence) {
    source_.refuse(code_.begin(token), sentence);
  }

  void check_exceptions(const Function& function) {
    // nvcc compiles a template for the device only where a kernel uses it.
    if (!function.only_device() && code_.is(function.head, "template")) return;
    for (std::size_t i = function.body; i < code_.partner(function.body); ++i)
      if (code_.is_one_of(i, "throw try")) {
        refuse(i, joined({"device code cannot throw or catch exceptions: ", function.name,
                          " can write an error into memory, or end the kernel with __trap()"}));
        return;
      }
  }

  void check_library(const Function& function) {
    for (std::size_t i = function.parameters; i < code_.partner(function.body); ++i) {
      const std::string_view name = code_.text(i);
      if (!code_.is(i, Kind::word) || !is_host_only(name)) continue;
      const bool of_std = code_.is(i - 1, "::") && code_.is(i - 2, "std") && !code_.is(i - 3, "::");
      const bool stream = one_of(name, "cout cerr clog cin");
      const bool bare_stream = stream && !code_.is_one_of(i - 1, ":: . ->") &&
                               code_.is_one_of(i + 1, "< >") && !is_local(code_, function, name);
      const bool clocks = name == "chrono";
      if (!(of_std || bare_stream) || (code_.is(i + 1, "::") && !clocks)) continue;
      refuse(i, joined({"std::", name, " is the host's: ", function.name, " runs on the device, ",
                        stream   ? "which has printf"
                        : clocks ? "which has clock64()"
                                 : "which has no such class"}));
      return;
    }
  }

  // type name[length]; where the length is no number: the compiler finds
  // out whether it is a constant.
  void check_arrays(const Function& function) {
    for (std::size_t i = function.body + 1; i < code_.partner(function.body); ++i) {
      if (!code_.is_one_of(i - 1, "; { }")) continue;
      const std::size_t end = code_.find(i, code_.size(), ";");
      if (!is_declaration_of_array(i, end)) continue;
      std::string checks;
      for (const Part& part : parts(code_, i, end)) {
        const std::string name = declared_name(code_, part);
        for (std::size_t k = part.first; k + 1 < part.last; ++k)
          if (!name.empty() && name != "auto" && code_.is(k, name) && code_.is(k + 1, "["))
            checks += joined(
                {" static_assert(decltype(::emulated::has_fixed_length(", name,
                 "))::value, \"the length of an array in device code must be a constant: ", name,
                 " has one that is known only when the kernel runs\");"});
      }
      source_.close(code_.end(end), checks);
      i = end;
    }
  }

  // int a[n], and a word in some length.
  bool is_declaration_of_array(std::size_t first, std::size_t end) const {
    std::size_t i = first;
    for (; i < end && !code_.is(i, "["); ++i) {
      if (code_.is(i, "<")) i = code_.after_angles(i, end) - 1;
      if (i >= end || !(code_.is(i, Kind::word) || code_.is_one_of(i, ":: >"))) return false;
      if (code_.is_one_of(
              i, "return delete case goto throw new else using typedef extern static __shared__"))
        return false;
    }
    if (i >= end || i < first + 2 || !code_.is(i - 1, Kind::word)) return false;
    if (!code_.is(i - 2, Kind::word) && !code_.is(i - 2, ">")) return false;
    for (std::size_t k = i; k < end && !code_.is(k, "="); ++k)
      if (code_.is(k, "[") && code_.partner(k) != none)
        for (std::size_t word = k + 1; word < code_.partner(k); ++word)
          if (code_.is(word, Kind::word)) return true;
    return false;
  }

  void check_old_names() {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const std::string_view name = code_.text(i);
      if (!code_.is(i, Kind::word) ||
          !(name.starts_with("__") || name.starts_with("CU") || name.starts_with("cu")))
        continue;
      const std::string sentence = instead_of(name);
      if (sentence.empty() || code_.is_one_of(i - 1, ". -> ::") || is_known(name)) continue;
      refuse(i, sentence);
      return;  // where there is one there are many
    }
  }

  // The program has made the name its own.
  bool is_known(std::string_view name) const {
    return program_.functions.contains(name) || program_.function_macros.contains(name) ||
           program_.macro_sides.contains(name) || program_.other_names.contains(name);
  }

  static std::string instead_of(std::string_view name) {
    if (one_of(name, "__shfl __shfl_up __shfl_down __shfl_xor __any __all __ballot")) {
      const bool vote = !name.starts_with("__shfl");
      return joined({name, " does not exist since compute capability 7.0: write ", name,
                     "_sync(0xffffffff, ", vote ? "condition)" : "value, ...)",
                     ", which names the lanes that take part"});
    }
    if (one_of(name,
               "CUresult CUdevice CUcontext CUmodule CUfunction CUdeviceptr cuInit cuDeviceGet "
               "cuCtxCreate"))
      return joined({name,
                     " belongs to the driver API, which the emulated device does not have: use the "
                     "runtime API, such as "
                     "cudaError_t, cudaSetDevice and kernel<<<...>>>(...)"});
    return "";
  }

  Source& source_;
  const Tokens& code_;
  const Outline& outline_;
  const Program& program_;
};

}  // namespace

void refuse_statements(Source& source, const Outline& outline, Program& program) {
  Statements(source, outline, program).run();
}

}  // namespace translate
