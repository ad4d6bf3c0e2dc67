// Loops in which each thread of a kernel steps over the whole grid or block:
//
//   for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) y[i] = a * x[i];
//
// The emulated device runs one thread after another, so each would walk through memory alone, in long steps. Such a loop
// becomes a function of one round, and a call that can run it for all threads of the block, one round of all after
// another (../include/emulated/grid_loops.h):
//
//   { int i = ...; const auto emulated_round = [&](const auto i) { do y[i] = a * x[i]; while (0); };
//     if (!grid_loop(i, n, ..., emulated_round)) for (; i < n; i += ...) emulated_round(i); }
//
// Threads may take turns anywhere, where none waits for another. So the body may call only what is known not to wait, and
// must not leave the loop. Of the names in it, parameters that the kernel never changes, shared arrays and what stands at
// namespace scope are the same for all threads; other variables from outside of the loop are the thread's own, which the
// call is given. A loop of which that is not plain to see stays as it is, and runs thread by thread.
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "passes.h"

namespace translate {

namespace {

using Names = std::set<std::string, std::less<>>;

bool is_type_word(std::string_view word) {
  return one_of(
      word,
      "const char short int long signed unsigned float double bool auto int8_t int16_t int32_t int64_t "
      "uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t uint uchar ushort uchar4 int2 int4 uint2 "
      "uint4 float2 float3 float4 double2");
}

// A function of CUDA's that computes with what it is given by value.
bool is_plain_function(std::string_view word) {
  return one_of(word,
                "min max abs fabs fabsf fmin fminf fmax fmaxf fma fmaf sqrt sqrtf rsqrt rsqrtf cbrt cbrtf "
                "exp expf exp2 exp2f exp10 exp10f expm1 expm1f log logf log2 log2f log10 log10f log1p "
                "log1pf pow powf sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f "
                "sinh sinhf cosh coshf tanh tanhf erf erff erfc erfcf floor floorf ceil ceilf round "
                "roundf trunc truncf rint rintf fmod fmodf hypot hypotf fdim fdimf copysign copysignf "
                "isnan isinf isfinite __popc __popcll __clz __clzll __ffs __ffsll __brev __brevll __mul24 "
                "__umul24 __expf __logf __sinf __cosf __powf __fdividef __saturatef __float2int_rn "
                "__float2int_rz __int2float_rn __float_as_int __int_as_float __fmaf_rn __fadd_rn "
                "__fmul_rn make_float2 make_float3 make_float4 make_int2 make_int3 make_int4 make_uint2 "
                "make_uint4 make_uchar4 make_double2");
}

bool is_plain_atomic(std::string_view word) {
  return one_of(word,
                "atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor atomicInc atomicDec");
}

// What is known of a file's code.
class PlainCode {
 public:
  PlainCode(const Source& source, const Outline& outline, const Program& program)
      : source_(source), code_(source.code()), outline_(outline), program_(program) {
    for (const auto& [name, side] : program.macro_sides) macros_.insert(name);
    macros_.insert(program.function_macros.begin(), program.function_macros.end());
    for (const Macro& macro : source.macros()) {  // #define N (33 * 1024)
      bool plain = !macro.has_parameters;
      for (std::size_t i = macro.body; i < macro.line.size(); ++i)
        plain &= macro.line.is(i, Kind::number) || is_global(macro.line.text(i)) ||
                 macro.line.is_one_of(i, "+ - * / ( )");
      if (plain && globals_.emplace(macro.name).second) macros_.erase(std::string(macro.name));
    }
    for (const Declaration& declaration : outline.declarations)
      for (std::size_t i = declaration.first; i < declaration.last && !declaration.member; ++i)
        if (code_.is(i, Kind::word)) globals_.emplace(code_.text(i));
  }

  /// A variable, a constant, or a type at namespace scope, or a macro that stands for a number.
  bool is_global(std::string_view name) const { return globals_.contains(name) && !macros_.contains(name); }

  /// Is nothing there that may hide names or change their meaning?
  bool is_readable(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view t = code_.text(i);
      if (one_of(t, "volatile goto asm __asm__ operator using typedef struct class union enum") ||
          macros_.contains(t))
        return false;
      const bool subscript =
          code_.is(i - 1, Kind::word) ? !code_.is(i - 1, "return") : code_.is_one_of(i - 1, ") ]");
      if (t == "[" && !subscript) return false;  // a lambda, a structured binding
    }
    for (const Directive& directive : source_.directives())
      if (directive.code_index > first && directive.code_index < last && !directive.tokens.is(0, "pragma"))
        return false;
    return true;
  }

  /// Is nothing called there that may wait for another thread?
  bool never_waits(std::size_t first, std::size_t last) {
    bool atomic = false, loop = false;
    for (std::size_t i = first; i < last; ++i) {
      if (code_.is(i, "(") && !may_open(i)) return false;
      atomic |= is_plain_atomic(code_.text(i));
      loop |= code_.is_one_of(i, "for while do");
    }
    return !atomic || !loop;
  }

 private:
  // The ( at a token: of an expression, a cast, or a call of a function that is known.
  bool may_open(std::size_t open) {
    const std::size_t callee = open - 1;
    const std::string_view name = code_.text(callee);
    if (name == "]") return false;
    if (name == ")" || name == ">") {  // (float)(x), static_cast<float>(x), but no call of f<int>(x)
      const std::size_t begin = name == ">" ? code_.template_begin(callee) : code_.partner(callee);
      if (name == ">") return begin == none || code_.is_one_of(begin - 1, "static_cast reinterpret_cast");
      return code_.is_one_of(begin - 1, "if for while") || is_type_word(code_.text(callee - 1));
    }
    if (!code_.is(callee, Kind::word) || is_type_word(name) || one_of(name, "if for while sizeof return"))
      return true;
    if (code_.is_one_of(callee - 1, ". ->")) return false;
    if (is_plain_function(name) || is_plain_atomic(name))
      return !program_.functions.contains(name) && !program_.members.contains(name);
    return is_plain_device_function(name);
  }

  // A function of this file, with parameters by value and pointers, that is plain code.
  bool is_plain_device_function(std::string_view name) {
    const auto [found, fresh] = functions_.emplace(name, false);  // one that calls itself is not plain
    if (!fresh) return found->second;
    const Function* definition = nullptr;
    for (const Function& function : outline_.functions) {
      if (function.name != name) continue;
      if (definition != nullptr || function.body == none || function.member) return false;
      definition = &function;
    }
    if (definition == nullptr) return false;
    for (std::size_t i = definition->parameters; i < definition->body; ++i)
      if (code_.is(i, "&")) return false;
    const std::size_t end = code_.partner(definition->body);
    const bool plain = is_readable(definition->head, end) && never_waits(definition->body, end);
    return functions_[std::string(name)] = plain;
  }

  const Source& source_;
  const Tokens& code_;
  const Outline& outline_;
  const Program& program_;
  Names macros_, globals_;                              // macros_: of which it is not known what they are
  std::map<std::string, bool, std::less<>> functions_;  // asked before
};

class KernelLoops {
 public:
  KernelLoops(Source& source, PlainCode& plain, const Function& kernel)
      : source_(source),
        code_(source.code()),
        plain_(plain),
        kernel_(kernel),
        end_(code_.partner(kernel.body)) {}

  void translate() {
    if (!plain_.is_readable(kernel_.parameters, end_)) return;
    for (std::size_t i = kernel_.head; i < kernel_.name_at; ++i)
      if (code_.is(kernel_.head, "template") && code_.is(i, Kind::word))
        template_names_.emplace(code_.text(i));
    for (std::size_t i = kernel_.parameters + 1; i <= code_.partner(kernel_.parameters); ++i)
      if (code_.is_one_of(i, ", )") && is_the_same_for_all(code_.text(i - 1)))
        the_same_.emplace(code_.text(i - 1));
    for (std::size_t i = kernel_.body; i < end_; ++i)
      if (code_.is(i, "__shared__"))
        for (; !code_.is(i, ";") && i < end_; ++i)
          if (code_.is_one_of(i + 1, "[ , ;")) the_same_.emplace(code_.text(i));
    // A statement of the outermost block.
    for (std::size_t i = kernel_.body + 1; i < end_; i = code_.past_brackets(i) + 1) {
      if (!code_.is_one_of(i - 1, "; { }") || !code_.is(i + 1, "(")) continue;
      loop_ = {};
      loop_.first = i;
      if ((code_.is(i, "for") ? for_parts() : code_.is(i, "while") && while_parts()) && is_understood())
        write();
    }
  }

 private:
  // for (int i = ...; i < bound; i += step) body, or the same with while, as tokens [first, last).
  struct Loop {
    std::size_t first, close;       // the ) of its head
    std::size_t head = none;        // the ; before the condition of a `for`
    bool declares = false;          // its index
    std::size_t bound, bound_last;  // behind i < or i <=
    std::size_t step, step_last;    // behind i += or i = i +
    std::size_t body, body_last, last;
    std::string index;
    Names own;  // the thread's variables that the body names
  };

  // ---- its parts ----
  bool for_parts() {
    const std::size_t open = loop_.first + 1, close = code_.partner(open);
    if (close == none) return false;
    loop_.close = close;
    loop_.head = code_.find(open + 1, close, ";");
    const std::size_t second = code_.find(loop_.head + 1, close, ";");
    if (second == close) return false;
    loop_.declares = loop_.head > open + 1;
    // int i = ..., but not i = ... or int i = ..., j
    if (loop_.declares && (!is_type_word(code_.text(open + 1)) && !code_.is(open + 1, "std"))) return false;
    if (code_.find(open + 1, loop_.head, ",") < loop_.head) return false;
    loop_.index = code_.text(second + 1);
    loop_.body = close + 1;
    const bool block = code_.is(loop_.body, "{");
    if (!block && code_.is_one_of(loop_.body, "for while do if")) return false;
    loop_.last = 1 + (block ? code_.partner(loop_.body) : code_.find(loop_.body, end_, ";"));
    loop_.body_last = loop_.last;
    return loop_.last != 0 && condition(loop_.head + 1, second) && step(second + 1, close);
  }

  // The last statement is the step.
  bool while_parts() {
    loop_.close = code_.partner(loop_.first + 1);
    loop_.body = loop_.close + 1;
    if (loop_.close == none || !code_.is(loop_.body, "{") || code_.partner(loop_.body) == none) return false;
    const std::size_t end = code_.partner(loop_.body);
    loop_.last = end + 1;
    std::size_t last = end - 1;
    while (last > loop_.body && !code_.is_one_of(last - 1, "; { }")) --last;
    loop_.index = code_.text(last);
    loop_.body_last = last;
    for (std::size_t i = loop_.body; i < end; ++i)
      if (code_.is(i, "continue")) return false;
    return code_.is(end - 1, ";") && condition(loop_.first + 2, loop_.close) && step(last, end - 1);
  }

  // i < bound, i <= bound
  bool condition(std::size_t first, std::size_t last) {
    loop_.bound = first + 2;
    loop_.bound_last = last;
    return code_.is(first, loop_.index) && code_.is_one_of(first + 1, "< <=") && is_number(loop_.bound, last);
  }

  // i += step, i = i + step, where the step tells of the grid's size
  bool step(std::size_t first, std::size_t last) {
    if (!code_.is(first, loop_.index) || !code_.is(first, Kind::word)) return false;
    const bool sum = code_.is(first + 1, "=") && code_.is(first + 2, loop_.index) && code_.is(first + 3, "+");
    if (!sum && !code_.is(first + 1, "+=")) return false;
    loop_.step = first + (sum ? 4 : 2);
    loop_.step_last = last;
    return is_number(loop_.step, last) && tells_of_grid(loop_.step, last);
  }

  // Names and numbers with + - * /, and casts: the loop does not change it.
  bool is_number(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (code_.is(i, "static_cast")) i = code_.find(i, last, ">") + 1;
      const bool call = code_.is(i, Kind::word) && code_.is(i + 1, "(") && !is_type_word(code_.text(i));
      const bool memory = code_.is(i, "*") && (i == first || code_.is_one_of(i - 1, "( + - * /"));
      if (code_.is(i, loop_.index) || call || memory ||
          !(code_.is(i, Kind::word) || code_.is(i, Kind::number) || code_.is_one_of(i, "+ - * / % ( ) . ::")))
        return false;
    }
    return first < last;
  }

  bool tells_of_grid(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (code_.is_one_of(i, "blockDim gridDim")) return true;
      for (std::size_t k = kernel_.body; k + 2 < first; ++k)
        if (code_.is(i, Kind::word) && code_.is(k, code_.text(i)) && code_.is(k + 1, "=") &&
            tells_of_grid(k + 2, code_.find(k + 2, first, "; ,")))
          return true;
    }
    return false;
  }

  // ---- what is known of it ----
  // Might tokens [first, last) change the variable, or let others do so?
  bool changes(std::string_view name, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i)
      if (code_.is(i, name) && !code_.is_one_of(i - 1, ". ->") &&
          (is_assignment(code_.text(i + 1)) || code_.is_one_of(i - 1, "++ --") || code_.is(i + 1, ".") ||
           (code_.is(i - 1, "&") && !code_.is(i + 1, "[")) ||
           (code_.is(i - 1, "=") && code_.is_one_of(i - 3, "& &&"))))  // int& r = name
        return true;
    return false;
  }

  // A parameter that the kernel neither changes nor hands to a function.
  bool is_the_same_for_all(std::string_view name) const {
    for (std::size_t i = kernel_.body; i < end_; ++i)
      if (code_.is(i, name) && code_.is_one_of(i - 1, "( ,") && code_.is_one_of(i + 1, ") ,")) return false;
    return !changes(name, kernel_.body, end_);
  }

  bool is_understood() {
    if (!plain_.never_waits(loop_.body, loop_.body_last)) return false;
    for (const auto& [first, last] :
         {std::pair(loop_.bound, loop_.bound_last), {loop_.step, loop_.step_last}})
      for (std::size_t i = first; i < last; ++i)
        if (changes(code_.text(i), loop_.body, loop_.body_last)) return false;
    for (std::size_t i = loop_.last; i < end_ && !loop_.declares; ++i)
      if (code_.is(i, loop_.index)) return false;  // its last value is wanted
    if (changes(loop_.index, loop_.body, loop_.body_last)) return false;
    for (std::size_t i = loop_.body; i < loop_.body_last; ++i)
      if (code_.is(i, Kind::word) ? !is_understood(i) : code_.is_one_of(i, "... \\ ##")) return false;
    return true;
  }

  // A word of the body.
  bool is_understood(std::size_t i) {
    const std::string_view t = code_.text(i);
    if (one_of(t, "break return")) return false;
    if (code_.is_one_of(i - 1, ". ->")) return true;
    if (code_.is(i + 1, "[") && code_.is(i - 1, Kind::word) && !code_.is(i - 1, "else"))
      return false;  // an array, whose size must stay a constant
    if (is_type_word(t) || code_.is(i + 1, "(") || template_names_.contains(t) || t == loop_.index ||
        one_of(t,
               "threadIdx blockIdx blockDim gridDim warpSize std if else for while do continue true false "
               "static_cast reinterpret_cast"))
      return true;
    if (declares(code_, kernel_, kernel_.parameters, loop_.first, t)) {
      if (!the_same_.contains(t)) loop_.own.emplace(t);
      return true;
    }
    return declares(code_, kernel_, loop_.body, loop_.body_last, t) || plain_.is_global(t);
  }

  // ---- what is written ----
  std::string text(std::size_t first, std::size_t last) const {
    std::string all;
    for (; first < last; ++first) all.append(code_.text(first)).append(" ");
    return all;
  }

  void write() {
    std::string parameters, variables, arguments;
    for (const std::string& name : loop_.own) {
      parameters += ", [[maybe_unused]] auto& " + name;
      variables += joined({", ::emulated::Own<decltype(", name, ")>{", name, "}"});
      arguments += ", " + name;
    }
    const std::string& index = loop_.index;
    const std::string bound = text(loop_.bound, loop_.bound_last), step = text(loop_.step, loop_.step_last),
                      condition = joined({index, " ", code_.text(loop_.bound - 1), " ", bound}),
                      round = joined({"const auto emulated_round = [&]([[maybe_unused]] const auto ", index,
                                      parameters, ") __attribute__((always_inline)) { do "});
    std::size_t head = loop_.first;
    if (loop_.head != none) {
      source_.replace(code_.begin(head), code_.end(head + 1), "{ ");
      head = loop_.head;
    }
    source_.replace(code_.begin(head), code_.end(loop_.close), (loop_.head != none ? "; " : "{ ") + round);
    if (loop_.body_last < loop_.last)
      source_.replace(code_.begin(loop_.body_last), code_.end(loop_.last - 2), "");
    source_.close(code_.end(loop_.last - 1), joined({" while (0); }; if (!::emulated::grid_loop(",
                                                     index,
                                                     ", ",
                                                     bound,
                                                     ", ",
                                                     step,
                                                     ", [&](auto ",
                                                     index,
                                                     ") { return ",
                                                     condition,
                                                     "; }, emulated_round",
                                                     variables,
                                                     ")) for (; ",
                                                     condition,
                                                     "; ",
                                                     index,
                                                     " += ",
                                                     step,
                                                     ") emulated_round(",
                                                     index,
                                                     arguments,
                                                     "); }"}));
  }

  Source& source_;
  const Tokens& code_;
  PlainCode& plain_;
  const Function& kernel_;
  const std::size_t end_;
  Names the_same_;  // for all threads of the block
  Names template_names_;
  Loop loop_;
};

}  // namespace

static void translate_grid_loops(Source& source, const Outline& outline, Program& program) {
  PlainCode plain(source, outline, program);
  for (const Function& function : outline.functions)
    if (function.side == side_global && function.body != none && !function.member)
      KernelLoops(source, plain, function).translate();
}

extern const Pass grid_loops_pass;
const Pass grid_loops_pass = {"grid loops", "for (i = thread; i < n; i += blockDim.x * gridDim.x)",
                              translate_grid_loops};

}  // namespace translate
