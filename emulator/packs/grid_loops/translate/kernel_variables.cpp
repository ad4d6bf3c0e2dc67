#include "kernel_variables.h"

namespace translate {

bool KernelVariables::read_parameters() {
  if (kernel_.body == none || code_.partner(kernel_.body) == none || kernel_.member) return false;
  const std::size_t end = code_.partner(kernel_.body);
  for (std::size_t i = kernel_.body; i < end; ++i) {
    const std::string_view t = code_.text(i);
    if (one_of(t, "volatile goto asm __asm__ operator")) return false;
    if (code_.is(i, Kind::word) && file_.is_other_macro(t))
      return false;                                           // who knows what it changes
    if (t == "[" && !is_operand(code_, i - 1)) return false;  // a lambda, a structured binding
  }
  for (const Directive& directive : source_.directives())
    if (directive.code_index > kernel_.head && directive.code_index <= end &&
        !directive.tokens.is(0, "pragma"))
      return false;
  read_template_parameters();
  parameters_ = plain_parameters(file_, kernel_, types_);
  return true;
}

// template <class T, int n>
void KernelVariables::read_template_parameters() {
  if (!code_.is(kernel_.head, "template") || !code_.is(kernel_.head + 1, "<")) return;
  for (std::size_t i = kernel_.head + 2; i < kernel_.name_at && !code_.is(i, ">"); ++i) {
    const bool last = code_.is(i + 1, ",") || code_.is(i + 1, ">");
    if (!last || !code_.is(i, Kind::word)) continue;
    if (code_.is(i - 1, "class") || code_.is(i - 1, "typename"))
      types_.emplace(code_.text(i));
    else if (is_arithmetic_type_word(code_.text(i - 1)))
      template_values_.emplace(code_.text(i));
  }
}

// ---- what may change a variable ----
bool KernelVariables::may_change(std::string_view name, std::size_t first, std::size_t last) const {
  for (std::size_t i = first; i < last; ++i) {
    if (!code_.is(i, name) || code_.is(i - 1, ".") || code_.is(i - 1, "->")) continue;
    const std::size_t member = parameters_.objects.contains(name) ? last_of_member(code_, i) : i;
    const std::string_view before = code_.text(i - 1), after = code_.text(member + 1);
    if (is_assignment(after) || before == "++" || before == "--" || after == "++" ||
        after == "--" || after == "." || after == "->" || (member != i && after == "("))
      return true;
    // Perhaps a reference's initial value, but not in size_t{name}.
    const std::size_t brace = before == "{" ? i - 1 : after == "}" ? code_.partner(member + 1) : 0;
    if (brace != 0 && !is_arithmetic_type_word(code_.text(brace - 1))) return true;
    if (before == "&" && !is_operand(code_, i - 2)) return true;
    if (before == ">" && code_.is(i - 2, ">")) return true;  // perhaps of a stream's kind
    if (before == "=" && (code_.is(i - 3, "&") || code_.is(i - 3, "&&")))
      return true;  // int& r = name
    if (member != i) continue;
    if ((before == "(" || before == ",") && (after == ")" || after == ",") && !by_value(i))
      return true;
  }
  return false;
}

// Is the argument that is token i copied?
bool KernelVariables::by_value(std::size_t i) const {
  std::size_t open = i - 1;
  while (!code_.is(open, "(")) {
    if (open >= code_.size() || code_.is_one_of(open, "{ ; [")) return false;
    open = (code_.is_one_of(open, ") ] }") ? code_.partner(open) : open) - 1;
  }
  const std::size_t callee = open - 1;
  const std::string_view name = code_.text(callee);
  if (code_.is(callee, ">")) {  // static_cast<T>(i), or tex1Dfetch<float>(texture, i)
    const std::string_view fetch = code_.text(code_.template_begin(callee) - 1);
    return fetch.starts_with("tex") && !file_.declares_function(fetch);
  }
  if (!code_.is(callee, Kind::word)) return !code_.is_one_of(callee, ") ]");  // (i)
  if (one_of(name, "if while for switch return sizeof") || is_arithmetic_type_word(name))
    return true;
  if (file_.is_plain_device_function(name)) return true;
  return (is_plain_function(name) || is_plain_atomic(name)) && !file_.declares_function(name);
}

// ---- expressions and declarations ----
Expression KernelVariables::expression(Range tokens, std::string_view index) const {
  Expression result{tokens.first < tokens.last, true};
  PlainNames names(kernel_);
  names.types = types_;
  names.values = template_values_;
  for (std::size_t i = tokens.first; i < tokens.last; ++i) {
    const std::string_view t = code_.text(i);
    if (code_.is(i - 1, ".") && i > tokens.first) continue;  // threadIdx.x
    // *p, but not a * b, size_t{a} * b or (float*)
    const bool memory =
        t == "*" && (i == tokens.first || (!is_operand(code_, i - 1) && !code_.is(i - 1, "}") &&
                                           !is_plain_type_word(code_.text(i - 1))));
    if (memory || t == "[") return {};
    if (t == index) {
      result.uniform = false;
      names.values.emplace(t);
      continue;
    }
    result.uniform &= t != "threadIdx";
    result.calls |= file_.is_plain_device_function(t);
    result.of_grid |= t == "blockDim" || t == "gridDim";
    const Local* const local = find(t);
    const bool object = parameters_.objects.contains(t);
    if (local == nullptr && !parameters_.values.contains(t) && !parameters_.memory.contains(t) &&
        !object)
      continue;
    const bool is_const =
        local != nullptr && local->type.starts_with("const") && !local->type.ends_with('*');
    if (!is_const &&
        may_change(t, local != nullptr ? local->declared + 1 : kernel_.body, tokens.first))
      return {};
    (object && local == nullptr ? names.objects : names.values).emplace(t);
    result.of_memory |= object || parameters_.memory.contains(t);
    if (local == nullptr) continue;
    result.pure &= local->value.first != none;
    result.uniform &= local->known.uniform;
    result.of_grid |= local->known.of_grid;
    result.of_memory |= local->known.of_memory;
    result.calls |= local->known.calls;
  }
  NameSet changed;
  result.pure &= is_plain_code(file_, tokens, names, changed);
  result.pure &= !result.calls || !result.of_memory;  // a function may read what a loop writes
  result.uniform &= !result.calls;
  return result;
}

const Local* KernelVariables::find(std::string_view name) const {
  for (const Local& local : locals_)
    if (local.name == name) return &local;
  return nullptr;
}

bool KernelVariables::read_shared(std::size_t first, std::size_t last) {
  if (code_.find(first, last, "__shared__") == last) return false;
  for (std::size_t i = first; i < last; i = code_.past_brackets(i) + 1)
    if (code_.is(i, Kind::word) && code_.is(i + 1, "[")) shared_.emplace(code_.text(i));
  return true;
}

bool KernelVariables::read_declaration(std::size_t first, std::size_t last) {
  std::size_t i = first;
  bool number = true;
  for (; is_arithmetic_type_word(code_.text(i)) || code_.is_one_of(i, "auto std ::") ||
         types_.contains(code_.text(i));
       ++i)
    number &= !code_.is_one_of(i, "auto const constexpr");
  if (i == first) return false;
  const std::string type_of_all(code_.between(first, i));
  for (;;) {
    std::string type = type_of_all;
    for (; code_.is_one_of(i, "* __restrict__"); ++i)
      if (code_.is(i, "*")) type += '*';
    if (!code_.is(i, Kind::word)) return false;
    Local local{std::string(code_.text(i)), type, i, {}, {}, number && !type.ends_with('*')};
    const bool parentheses = code_.is(i + 1, "(");
    if (code_.is(i + 1, "{") && code_.partner(i + 1) != none && !code_.is(i - 1, "auto")) {
      const std::size_t close = code_.partner(i + 1);
      local.value = {i + 1, close + 1};  // float sum{}
      local.known = close == i + 2 ? Expression{true, true} : expression({i + 2, close});
      if (!local.known.pure) return false;
      i = close + 1;
    } else if (parentheses || code_.is(i + 1, "=")) {
      local.value = {i + 2, parentheses ? code_.partner(i + 1) : code_.find(i + 2, last, ", ;")};
      local.known = expression(local.value);
      if (!local.known.pure) return false;
      i = local.value.last + (parentheses ? 1 : 0);
    } else {
      ++i;
    }
    if (!code_.is(i, ",") && !code_.is(i, ";")) return false;
    locals_.push_back(local);  // the next ones may use it
    if (code_.is(i, ";")) return true;
    ++i;
  }
}

}  // namespace translate
