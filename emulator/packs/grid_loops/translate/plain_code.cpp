#include "plain_code.h"

namespace translate {

bool is_operand(const Tokens& code, std::size_t i) {
  if (code.is(i, Kind::word))
    return !code.is_one_of(i, "return else case do auto") && !is_plain_type_word(code.text(i));
  return code.is(i, Kind::number) || code.is(i, ")") || code.is(i, "]");
}

std::size_t last_of_member(const Tokens& code, std::size_t i) {
  while (code.is(i + 1, ".") && code.is(i + 2, Kind::word)) i += 2;
  return i;
}

std::size_t after_statement(const Tokens& code, std::size_t i) {
  const auto after_parentheses = [&](std::size_t open) {
    return code.is(open, "(") && code.partner(open) != none ? code.partner(open) + 1 : none;
  };
  if (i >= code.size()) return none;
  if (code.is(i, "{")) return code.partner(i) == none ? none : code.partner(i) + 1;
  if (code.is(i, "if")) {
    const std::size_t then = after_parentheses(code.is(i + 1, "constexpr") ? i + 2 : i + 1);
    std::size_t end = then == none ? none : after_statement(code, then);
    if (end != none && code.is(end, "else")) end = after_statement(code, end + 1);
    return end;
  }
  if (code.is_one_of(i, "for while switch")) {
    const std::size_t body = after_parentheses(i + 1);
    return body == none ? none : after_statement(code, body);
  }
  if (code.is(i, "do")) {
    const std::size_t tail = after_statement(code, i + 1);
    if (tail == none || !code.is(tail, "while")) return none;
    const std::size_t end = after_parentheses(tail + 1);
    return end != none && code.is(end, ";") ? end + 1 : none;
  }
  for (; i < code.size(); ++i) {
    if (code.is(i, ";")) return i + 1;
    if (code.is_one_of(i, "} ) ]")) return none;
    if (code.is_one_of(i, "( [ {")) {
      if (code.partner(i) == none) return none;
      i = code.partner(i);
    }
  }
  return none;
}

// ---- words ----
bool is_vector_type(std::string_view word) {
  return one_of(word,
                "char2 char3 char4 uchar2 uchar3 uchar4 short2 short4 ushort2 ushort4 int2 int3 "
                "int4 uint2 uint3 uint4 "
                "float2 float3 float4 double2 longlong2 ulonglong2");
}

bool is_arithmetic_type_word(std::string_view word) {
  return one_of(word,
                "const char short int long signed unsigned float double bool int8_t int16_t "
                "int32_t int64_t uint8_t "
                "uint16_t uint32_t uint64_t size_t ptrdiff_t uint uchar ushort constexpr");
}

bool is_plain_type_word(std::string_view word) {
  return is_arithmetic_type_word(word) || is_vector_type(word);
}

bool is_plain_function(std::string_view word) {
  // All take numbers by value (min and max perhaps by constant reference) and return one.
  return one_of(
      word,
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
  return one_of(
      word,
      "atomicAdd atomicSub atomicMin atomicMax atomicAnd atomicOr atomicXor atomicInc atomicDec");
}

// ---- a file ----
PlainFile::PlainFile(const Source& source, const Outline& outline, const Program& program)
    : source_(source), code_(source.code()), outline_(outline), program_(program) {
  for (const auto& [name, side] : program.macro_sides) macros_.insert(name);
  macros_.insert(program.function_macros.begin(), program.function_macros.end());
  NameSet twice;
  const auto add_constant = [&](std::string_view name) {
    if (!constants_.emplace(name).second) twice.emplace(name);
  };
  // #define N (33 * 1024)
  for (const Directive& directive : source.directives())
    if (directive.tokens.is(0, "undef")) twice.emplace(directive.tokens.text(1));
  for (const Macro& macro : source.macros()) {
    const Tokens& line = macro.line;
    bool plain = line.size() > macro.body && !macro.has_parameters;
    for (std::size_t i = macro.body; i < line.size(); ++i)
      plain &= line.is(i, Kind::number) || (line.is(i, Kind::word) && is_constant(line.text(i))) ||
               line.is_one_of(i, "+ - * / ( ) < >");
    if (plain)
      add_constant(macro.name);
    else
      twice.emplace(macro.name);
  }
  // constexpr int n = 33 * 1024; const size_t n = ...; at namespace scope
  for (const Declaration& declaration : outline.declarations) {
    if (declaration.member) continue;
    bool constant = false;
    std::size_t i = declaration.first;
    for (; is_arithmetic_type_word(code_.text(i)) || code_.is(i, "static") || code_.is(i, "inline");
         ++i)
      constant |= code_.is(i, "const") || code_.is(i, "constexpr");
    if (constant && code_.is(i, Kind::word) && code_.is(i + 1, "=") && i < declaration.last)
      add_constant(code_.text(i));
  }
  for (const std::string& name : twice) constants_.erase(name);
}

bool PlainFile::declares_function(std::string_view name) const {
  return program_.functions.contains(name) || program_.members.contains(name);
}

PlainParameters plain_parameters(const PlainFile& file, const Function& function,
                                 const NameSet& types) {
  const Tokens& code = file.code();
  PlainParameters result;
  const std::size_t last = code.partner(function.parameters);
  for (std::size_t i = function.parameters + 1, end; i < last; i = end + 1) {
    end = code.find(i, last, ",");
    if (code.is(i, "void") && end == i + 1) continue;
    bool plain =
        end > i + 1 && code.is(end - 1, Kind::word) && !is_plain_type_word(code.text(end - 1));
    bool pointer = false;
    for (std::size_t k = i; k + 1 < end; ++k) {
      const std::string_view t = code.text(k);
      plain &= is_arithmetic_type_word(t) || types.contains(t) ||
               (is_vector_type(t) && !file.has_operators()) ||
               one_of(t, "std :: * __restrict__ __restrict");
      pointer |= t == "*";
    }
    if (plain)
      (pointer ? result.memory : result.values).emplace(code.text(end - 1));
    else
      result.has_others = true;
    const std::size_t type = code.is(i, "const") ? i + 1 : i;
    if (!plain && end == type + 2 && code.is(type, Kind::word) && code.is(type + 1, Kind::word) &&
        !is_plain_type_word(code.text(type)))
      result.objects.emplace(code.text(type + 1));
  }
  return result;
}

bool PlainFile::is_plain_device_function(std::string_view name) const {
  const auto [found, fresh] =
      functions_.emplace(name, false);  // one that calls itself is not plain
  if (!fresh) return found->second;
  const Function* definition = nullptr;
  for (const Function& function : outline_.functions) {
    if (function.name != name) continue;
    if (definition != nullptr || function.body == none || function.member ||
        code_.is(function.head, "template") || (function.side & (side_device | side_both)) == 0)
      return false;
    definition = &function;
  }
  if (definition == nullptr || is_other_macro(name)) return false;
  const PlainParameters parameters = plain_parameters(*this, *definition, {});
  if (parameters.has_others) return false;
  PlainNames names(*definition);
  names.memory = parameters.memory;
  names.numbers = parameters.values;
  names.can_return = true;
  NameSet changed;
  const bool plain =
      is_plain_code(*this, {definition->body, code_.partner(definition->body) + 1}, names, changed);
  functions_.find(name)->second = plain;
  return plain;
}

// ---- a piece of code ----
namespace {

class PlainChecker {
 public:
  PlainChecker(const PlainFile& file, Range code, const PlainNames& names, NameSet& changed)
      : file_(file),
        code_(file.code()),
        first_(code.first),
        last_(code.last),
        names_(names),
        changed_(changed) {}

  bool run() {
    for (std::size_t i = first_; i < last_; ++i) {
      if (i >= after_loop_) in_loop_ = false;
      if (!token(i)) return false;
    }
    return true;
  }

 private:
  bool token(std::size_t i) {
    if (code_.is(i, Kind::word)) return word(i);
    if (code_.is(i, Kind::number)) return true;
    if (code_.is(i, Kind::text)) return false;
    return sign(i);
  }

  bool word(std::size_t i) {
    const std::string_view t = code_.text(i);
    if (code_.is(i - 1, ".") && i > first_) return one_of(t, "x y z w") || is_member(i);
    if (names_.objects.contains(t)) return code_.is(i + 1, ".");
    if (is_type(t)) return declared(i);
    if (t == "auto") return declared(i);
    if (t == "std") return code_.is(i + 1, "::") && is_arithmetic_type_word(code_.text(i + 2));
    if (one_of(t, "threadIdx blockIdx blockDim gridDim")) return code_.is(i + 1, ".");
    if (one_of(t, "for while do")) return begin(i);
    if (one_of(t, "if else true false sizeof static_cast reinterpret_cast")) return true;
    if (t == "break") return in_loop_;
    if (t == "continue") return in_loop_ || names_.can_continue;
    if (t == "return") return names_.can_return;
    if (locals_.contains(t) || names_.knows(t)) return true;
    if (file_.is_other_macro(t) || is_local(code_, names_.function, t)) return false;
    if (file_.is_constant(t) || one_of(t, "warpSize FLT_MAX INFINITY INT_MAX INT_MIN")) return true;
    if (!code_.is(i + 1, "(")) return false;
    if (is_plain_function(t) && !file_.declares_function(t)) return true;
    if (is_plain_atomic(t) && !file_.declares_function(t)) return names_.atomics && !in_loop_;
    return file_.is_plain_device_function(t);
  }

  // Does token i name a member of a parameter, and is it no function?
  bool is_member(std::size_t i) const {
    const bool call = code_.is(i + 1, "(");
    while (code_.is(i - 1, ".") && i >= first_ + 2) i -= 2;
    return !call && names_.objects.contains(code_.text(i));
  }

  bool is_type(std::string_view t) const {
    return (is_plain_type_word(t) && !(is_vector_type(t) && file_.has_operators())) ||
           names_.types.contains(t);
  }

  // After a word of a type perhaps comes the name of a variable, and others after commas.
  bool declared(std::size_t i) {
    std::size_t k = i + 1;
    if (is_type(code_.text(k)) || code_.is(k, "auto") || code_.is(k, "std"))
      return true;  // the type goes on
    for (;;) {
      while (code_.is(k, "*") || code_.is(k, "__restrict__")) ++k;
      if (code_.is(k, "const")) ++k;
      if (!code_.is(k, Kind::word) || k >= last_) return !code_.is(k, "&") && !code_.is(k, "&&");
      if (names_.knows(code_.text(k)) || file_.is_other_macro(code_.text(k)))
        return false;  // hides a name that means something else after it
      locals_.emplace(code_.text(k));
      for (++k; k < last_ && !code_.is_one_of(k, ", ; )"); ++k)
        if (code_.is_one_of(k, "( [ {")) {
          if (code_.is(k, "{") || code_.partner(k) == none) return false;
          k = code_.partner(k);
        }
      if (!code_.is(k, ",")) return true;
      ++k;
    }
  }

  bool begin(std::size_t i) {
    const std::size_t after = after_statement(code_, i);
    if (after == none || after > last_) return false;
    if (!in_loop_) after_loop_ = after;
    in_loop_ = true;
    return true;
  }

  bool sign(std::size_t i) {
    const std::string_view t = code_.text(i);
    if (one_of(t, "-> ... ## # @ \\")) return false;
    if (t == "::") return code_.is(i - 1, "std");
    if (t == "[") return is_operand(code_, i - 1) && i > first_;
    if (t == "{")  // a block, or size_t{n}
      return i == first_ || code_.is_one_of(i - 1, ") else do ; { }") ||
             is_arithmetic_type_word(code_.text(i - 1));
    if (t == "&" && (i == first_ || !is_operand(code_, i - 1) || is_type(code_.text(i - 1)))) {
      // The address of an element, for an atomic function.
      std::size_t name = i + 1;
      while (code_.is(name, "(")) ++name;
      return code_.is(i - 1, "(") && is_plain_atomic(code_.text(i - 2)) &&
             is_memory(code_.text(name)) && code_.is(last_of_member(code_, name) + 1, "[");
    }
    if (t == "&&" && is_type(code_.text(i - 1))) return false;
    if ((t == "++" || t == "--") && code_.is(i + 1, Kind::word))  // ++x, ++x[i]
      return code_.is(i + 2, "[") ? memory_or_local(code_.text(i + 1)) : changes(code_.text(i + 1));
    return !is_assignment(t) || changes_before(i);
  }

  bool is_memory(std::string_view name) const {
    return names_.memory.contains(name) || names_.objects.contains(name);
  }
  bool memory_or_local(std::string_view name) const {
    return is_memory(name) || locals_.contains(name);
  }

  // Token i changes what precedes it.
  bool changes_before(std::size_t i) {
    std::size_t k = i - 1;
    if (k < first_ || k == none) return false;
    if (code_.is(k, Kind::word) && code_.is(k - 1, ".")) {  // v.x = 1, a[i].x = 1
      k -= 2;
      if (code_.is(k, Kind::word)) return locals_.contains(code_.text(k));
    }
    while (code_.is(k, "]")) {
      if (code_.partner(k) == none || code_.partner(k) == 0) return false;
      k = code_.partner(k) - 1;
      while (code_.is(k - 1, ".") && k >= first_ + 2) k -= 2;  // view.data[i] = 1
      if (code_.is(k, Kind::word)) return memory_or_local(code_.text(k));
    }
    if (code_.is(k, ")")) {  // *(p + i) = 1, reinterpret_cast<float4*>(p)[i] = ...
      const std::size_t open = code_.partner(k);
      return open != none && open > first_ && (code_.is(open - 1, "*") || k != i - 1);
    }
    if (!code_.is(k, Kind::word)) return false;
    if (code_.is(k - 1, "*") && (k - 1 == first_ || !is_operand(code_, k - 2)))
      return memory_or_local(code_.text(k));  // *p = 1
    return changes(code_.text(k));
  }

  bool changes(std::string_view name) {
    if (names_.numbers.contains(name)) {
      changed_.emplace(name);
      return true;
    }
    return locals_.contains(name);
  }

  const PlainFile& file_;
  const Tokens& code_;
  const std::size_t first_, last_;
  const PlainNames& names_;
  NameSet& changed_;
  NameSet locals_;
  std::size_t after_loop_ = 0;
  bool in_loop_ = false;
};

}  // namespace

bool is_plain_code(const PlainFile& file, Range code, const PlainNames& names, NameSet& changed) {
  // A pragma may be in it; other lines of the preprocessor may change what it means.
  for (const Directive& directive : file.source().directives())
    if (directive.code_index > code.first && directive.code_index < code.last &&
        !directive.tokens.is(0, "pragma"))
      return false;
  return PlainChecker(file, code, names, changed).run();
}

}  // namespace translate
