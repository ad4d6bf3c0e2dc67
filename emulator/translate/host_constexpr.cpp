// constexpr functions of the host in device code, which nvcc takes only with its option
// --expt-relaxed-constexpr, also where they are computed by the compiler: functions of the program,
// and those of the standard library that are called by their whole name (std::max) or by a variable
// of a class of it. nvcc takes what is not evaluated (sizeof), std::move, std::forward and <cmath>.
#include <set>
#include <string>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

// What <utility>, <iterator>, <tuple>, <numeric>, <algorithm> and <bit> have for all types. Each
// of these names was tried with nvcc 13.0.
bool is_constexpr_of_std(std::string_view name) {
  return one_of(name,
                "min max minmax clamp swap exchange addressof as_const begin end cbegin cend "
                "rbegin rend size ssize empty data advance distance next prev make_pair make_tuple "
                "tie forward_as_tuple apply invoke get gcd lcm midpoint lerp popcount countl_zero "
                "countr_zero countl_one countr_one bit_ceil bit_floor bit_width has_single_bit "
                "rotl rotr bit_cast to_integer min_element max_element minmax_element");
}

// Functions on ranges, which are constexpr since C++20.
bool is_algorithm(std::string_view name) {
  return one_of(name,
                "accumulate reduce inner_product partial_sum iota adjacent_difference "
                "inclusive_scan exclusive_scan transform_reduce all_of any_of none_of for_each "
                "for_each_n count count_if find find_if find_if_not search mismatch equal copy "
                "copy_n copy_if copy_backward move_backward fill fill_n transform generate "
                "generate_n remove remove_if replace replace_if swap_ranges iter_swap reverse "
                "reverse_copy rotate unique partition sort partial_sort nth_element is_sorted "
                "lower_bound upper_bound equal_range binary_search merge includes set_union "
                "set_intersection set_difference push_heap pop_heap make_heap sort_heap "
                "lexicographical_compare next_permutation prev_permutation");
}

class Calls {
 public:
  Calls(Source& source, const Program& program, const Function& function)
      : source_(source), code_(source.code()), program_(program), function_(function) {}

  void check() {
    find_arrays();
    const std::size_t last = code_.partner(function_.body);
    for (std::size_t i = function_.body; i < last; ++i) {
      if (code_.is_one_of(i, "sizeof alignof decltype noexcept typeid") && code_.is(i + 1, "(")) {
        i = code_.partner(i + 1);
        continue;
      }
      if (!code_.is(i, Kind::word)) continue;
      const std::string_view name = code_.text(i);
      if (is_of_std(i))
        check_std(i, name);
      else if (is_called(i) && is_own_constexpr(i, name))
        refuse(i, std::string(name), true);
      else if (arrays_.contains(name) && !code_.is_one_of(i - 1, ". -> ::") &&
               (code_.is(i + 1, "[") || (code_.is(i + 1, ".") && is_called(i + 2))))
        refuse(
            i,
            "std::array's " + std::string(code_.is(i + 1, "[") ? "operator[]" : code_.text(i + 2)),
            true);
    }
  }

 private:
  // Variables of this function, and no others in it, of type std::array.
  void find_arrays() {
    const std::size_t last = code_.partner(function_.body);
    for (std::size_t i = function_.parameters; i < last; ++i) {
      if (!code_.is(i, "array") || !is_of_std(i) || !code_.is(i + 1, "<")) continue;
      std::size_t name = after_angles(i + 1);
      if (code_.is(name, "&")) ++name;
      if (!code_.is(name, Kind::word) || !code_.is_one_of(name + 1, "; = { , )")) continue;
      std::size_t declarations = 0;
      for (std::size_t k = function_.parameters; k < last; ++k)
        if (code_.is(k, code_.text(name)) && declares(code_, function_, k)) ++declarations;
      if (declarations == 1) arrays_.insert(code_.text(name));
    }
  }

  // After the > of a type's arguments.
  std::size_t after_angles(std::size_t open) const {
    int depth = 0;
    std::size_t i = open;
    for (; !code_.is_one_of(i, "; { }"); ++i) {
      if (code_.is(i, "<")) ++depth;
      if (code_.is_one_of(i, "> >>")) depth -= code_.is(i, ">") ? 1 : 2;
      if (depth <= 0) return i + 1;
    }
    return i;
  }

  // std::NAME, ::std::NAME, but not cuda::std::NAME.
  bool is_of_std(std::size_t i) const {
    return code_.is(i - 1, "::") && code_.is(i - 2, "std") &&
           !(code_.is(i - 3, "::") && code_.is(i - 4, Kind::word) && !code_.is(i - 4, "return"));
  }

  // The ( after a function's name, and after its template arguments; none: it is not called.
  bool is_called(std::size_t i) const {
    if (!code_.is(i + 1, "<")) return code_.is(i + 1, "(");
    const std::size_t end = code_.template_end(i + 1);
    return end != none && code_.is(end + 1, "(");
  }

  bool is_own_constexpr(std::size_t i, std::string_view name) const {
    if (code_.is_one_of(i - 1, ". -> ~") ||
        (code_.is(i - 1, "::") && code_.is(i - 2, Kind::word) && !code_.is(i - 2, "return")))
      return false;
    const auto found = program_.functions.find(name);
    return found != program_.functions.end() && found->second == side_both &&
           !program_.members.contains(name) && !program_.function_macros.contains(name) &&
           !program_.macro_sides.contains(name) && !is_local(code_, function_, name);
  }

  void check_std(std::size_t i, std::string_view name) {
    if (name == "numeric_limits" && code_.is(i + 1, "<")) {
      const std::size_t end = code_.template_end(i + 1);
      if (end != none && code_.is(end + 1, "::") && code_.is(end + 3, "("))
        refuse(i, joined({"std::numeric_limits's ", code_.text(end + 2)}), true);
    } else if (is_called(i) && (is_constexpr_of_std(name) || is_algorithm(name))) {
      refuse(i, joined({"std::", name}), is_constexpr_of_std(name));
    }
  }

  void refuse(std::size_t token, const std::string& name, bool is_constexpr) {
    if (!refused_.insert(name).second) return;
    source_.refuse(code_.begin(token),
                   is_constexpr
                       ? joined({name, " is a constexpr function of the host: ", function_.name,
                                 " runs on the device, where nvcc takes it only with "
                                 "--expt-relaxed-constexpr"})
                       : joined({name, " is a function of the host: ", function_.name,
                                 " runs on the device and can only call __device__ functions"}));
  }

  Source& source_;
  const Tokens& code_;
  const Program& program_;
  const Function& function_;
  std::set<std::string_view> arrays_;
  std::set<std::string> refused_;
};

}  // namespace

void refuse_host_constexpr(Source& source, const Outline& outline, Program& program) {
  if (program.relaxed_constexpr) return;
  for (const Function& function : outline.functions)
    if (function.body != none && function.only_device() && (function.side & side_unknown) == 0)
      Calls(source, program, function).check();
}

}  // namespace translate
