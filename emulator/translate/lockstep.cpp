// Code that relies on the lanes of a warp running in step, as they did before Volta: the end of
// many public reductions and scans, on volatile shared memory and without a barrier,
//   r += v[t + 16]; v[t] = r;    becomes    r += v[t + 16]; ::emulated::in_step(v[t], 29) = r;
// Where a volatile element is written, all lanes of the warp that come there have read before any
// of them writes, and have written before any of them reads. Lanes that take another way wait at
// the end of the statement that divides them:
//   if (t < 8) v[t] += v[t + 8];
//   {
//     const ::emulated::Rejoin emulated_rejoin(v, 28);
//     if (t < 8) ::emulated::in_step(v[t], 14) += v[t + 8];
//   }
// The numbers are places in the file: of lanes that wait at several, those at the first go on.
// Where the name of a volatile pointer begins to stand for memory that other lanes may have written
// by another name, they meet, too: rejoin(v, 1). What is not volatile, or not shared memory, is
// left alone by types and addresses (include/emulated/warp.h).

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "passes.h"

namespace translate {

namespace {

// Words that no declaration begins with.
constexpr std::string_view statement_words = "return else do goto case delete new throw sizeof";

std::size_t begin_of_statement(const Tokens& code, std::size_t i) {
  while (i > 0 && !code.is_one_of(i - 1, "; { } (")) {
    const bool closes = code.is_one_of(i - 1, ") ]") && code.partner(i - 1) != none;
    i = closes ? code.partner(i - 1) : i - 1;
  }
  return i;
}

// Its last token; `last` where it has none before that.
std::size_t end_of_statement(const Tokens& code, std::size_t i, std::size_t last) {
  if (i >= last) return last;
  if (code.is(i, "{")) return std::min(code.partner(i), last);
  if (code.is(i, "[")) return end_of_statement(code, code.partner(i) + 1, last);  // an attribute
  if (code.is(i, "do")) return code.find(end_of_statement(code, i + 1, last) + 1, last, ";");
  const std::size_t open = code.is(i + 1, "constexpr") ? i + 2 : i + 1;
  if (!code.is_one_of(i, "if for while switch") || !code.is(open, "("))
    return code.find(i, last, ";");
  const std::size_t end = end_of_statement(code, code.partner(open) + 1, last);
  return code.is(i, "if") && code.is(end + 1, "else") ? end_of_statement(code, end + 2, last) : end;
}

// ---- variables that are volatile ----

// A name that is declared with a type that has the word volatile.
struct VolatileVariable {
  std::string_view name;
  std::size_t at;   // the token of its declaration
  bool is_pointer;  // or an array, or a single object
};

class VolatileVariables {
 public:
  explicit VolatileVariables(const Tokens& code) : code_(code) {
    std::vector<std::string_view> types = {"volatile"};  // and what typedef and using make of it
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (std::find(types.begin(), types.end(), code.text(i)) == types.end()) continue;
      const std::size_t begin = begin_of_statement(code, i);
      if (code.is(begin, "typedef"))
        types.push_back(code.text(code.find(i, code.size(), ";") - 1));
      else if (code.is(begin, "using") && code.is(begin + 2, "="))
        types.push_back(code.text(begin + 1));
      else if (code.is(begin, "auto"))
        add_auto(begin, i);
      else
        add_declared(i);
    }
  }

  const std::vector<VolatileVariable>& all() const { return all_; }
  bool contain(std::string_view name) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const VolatileVariable& one) { return one.name == name; });
  }

 private:
  // auto* v = (volatile int*)s;
  void add_auto(std::size_t begin, std::size_t type) {
    std::size_t name = begin + 1;
    while (code_.is_one_of(name, "* & && const")) ++name;
    if (code_.is(name + 1, "=") && name + 1 < type) all_.push_back({code_.text(name), name, true});
  }

  // Behind `volatile`: int* a = x, *b, c[3]
  void add_declared(std::size_t type) {
    std::size_t i = type + 1;
    std::size_t name = none;
    for (; code_.is(i, Kind::word) || code_.is_one_of(i, "* & ::"); ++i)
      if (code_.is(i, Kind::word)) name = i;
    while (name != none && name == i - 1 && code_.is_one_of(i, "= ; , ) [ ( {")) {
      all_.push_back({code_.text(name), name, is_pointer(name)});
      i = code_.find(i, code_.size(), ", ; ) }");
      if (!code_.is(i, ",")) return;
      do ++i;
      while (code_.is_one_of(i, "* & const"));
      if (!code_.is(i, Kind::word)) return;
      // Or it is the type of the next parameter: then another word or a sign of types follows.
      name = i++;
    }
  }

  bool is_pointer(std::size_t name) const {
    while (code_.is_one_of(name - 1, "const __restrict__ __restrict")) --name;
    return code_.is(name - 1, "*");
  }

  const Tokens& code_;
  std::vector<VolatileVariable> all_;
};

// ---- what is written ----

// An lvalue that is written, tokens [first, last); `name` is that of the
// variable, if it begins with one.
struct VolatileWrite {
  std::size_t first = 0, last = 0;
  std::string_view name = {};
};

// Finds writes in code or in a macro, some of whose parameters may stand for what is volatile.
class VolatileWrites {
 public:
  VolatileWrites(const Tokens& code, const VolatileVariables& variables,
                 std::vector<std::string_view> parameters = {})
      : code_(code), variables_(variables), parameters_(std::move(parameters)) {}

  bool is_volatile(std::size_t i) const {
    return code_.is(i, Kind::word) &&
           (variables_.contain(code_.text(i)) ||
            std::find(parameters_.begin(), parameters_.end(), code_.text(i)) != parameters_.end());
  }

  // The lvalue that begins at the token or whose variable's name it is, if
  // it is written; else nothing.
  VolatileWrite at(std::size_t i) const {
    std::size_t first = i;
    std::size_t end = i;
    std::string_view name;
    if (is_volatile(i)) {
      first = chain_begin(i);
      end = chain_end(i + 1);
      if (first == i) name = code_.text(i);
      while (is_unary_star(first - 1)) --first;
    } else if (is_unary_star(i)) {  // *(v + 1), *(volatile int*)p
      while (code_.is_one_of(end, "* &")) ++end;
      if (!code_.is(end, "(")) return {};
      while (code_.is(end, "(") && code_.partner(end) != none) end = code_.partner(end) + 1;
      while (code_.is_one_of(end, "* &")) ++end;
      if (code_.is(end, Kind::word)) ++end;
      end = chain_end(end);
      if (!mentions_volatile(i, end)) return {};
    } else if (code_.is(i, "(") && code_.partner(i) != none &&
               code_.is(code_.partner(i) + 1, "[")) {
      end = chain_end(code_.partner(i) + 1);  // ((volatile int*)p)[1]
      if (!mentions_volatile(i, code_.partner(i))) return {};
    } else {
      return {};
    }
    const bool before = code_.is_one_of(first - 1, "++ --") && !code_.is(first - 2, Kind::word) &&
                        !code_.is_one_of(first - 2, ") ]");
    const bool behind = is_assignment(code_.text(end)) && !code_.is_one_of(end, "<<= >>=");
    return before || (behind && begins_lvalue(first)) ? VolatileWrite{first, end, name}
                                                      : VolatileWrite{};
  }

 private:
  bool mentions_volatile(std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i)
      if (code_.is(i, "volatile") || is_volatile(i)) return true;
    return false;
  }

  // Behind v[i].x
  std::size_t chain_end(std::size_t i) const {
    for (;;) {
      if (code_.is(i, "[") && code_.partner(i) != none)
        i = code_.partner(i) + 1;
      else if (code_.is_one_of(i, ". ->") && code_.is(i + 1, Kind::word))
        i += 2;
      else
        return i;
    }
  }

  // The first token of what a name belongs to: a.b->name
  std::size_t chain_begin(std::size_t i) const {
    while (code_.is_one_of(i - 1, ". -> ::")) {
      i -= 2;
      while (code_.is_one_of(i, "] )") && code_.partner(i) != none) i = code_.partner(i) - 1;
    }
    return i;
  }

  bool declares(std::size_t i) const {
    if (code_.is(i, "[") && code_.partner(i) != none)  // an attribute
      return declares(code_.partner(i) + 1);
    if (!code_.is(i, Kind::word) || code_.is_one_of(i, statement_words)) return false;
    std::size_t next = i + 1;
    while (code_.is_one_of(next, "* &")) ++next;
    return code_.is(next, Kind::word) || code_.is_one_of(next, ":: <");
  }

  bool is_unary_star(std::size_t i) const {
    if (!code_.is(i, "*")) return false;
    if (code_.is(i - 1, Kind::word)) return code_.is_one_of(i - 1, statement_words);
    if (code_.is(i - 1, ")")) {
      const std::size_t before = code_.partner(i - 1) - 1;
      return code_.is_one_of(before, "if for while switch") || is_unary_star(before);
    }
    if (code_.is(i - 1, ",")) return !declares(begin_of_statement(code_, i));
    return !code_.is_one_of(i - 1, "] >") && !code_.is(i - 1, Kind::number);
  }

  // May an lvalue that is written begin at the token, and not a declaration?
  bool begins_lvalue(std::size_t i) const {
    if (code_.is(i - 1, Kind::word))
      return code_.is_one_of(i - 1, "return else do") || code_.is(i - 2, "define");
    if (code_.is(i - 1, ",")) return !declares(begin_of_statement(code_, i));
    return !code_.is_one_of(i - 1, "* & > ]");
  }

  const Tokens& code_;
  const VolatileVariables& variables_;
  std::vector<std::string_view> parameters_;
};

// ---- the pass ----

class Lockstep {
 public:
  explicit Lockstep(Source& source) : source_(source), code_(source.code()), variables_(code_) {}

  bool is_needed() const { return !variables_.all().empty(); }

  void translate_macros() {
    for (const Macro& macro : source_.macros()) {
      std::vector<std::string_view> parameters;
      for (std::size_t i = 3; macro.has_parameters && i + 1 < macro.body; ++i)
        parameters.push_back(macro.line.text(i));
      const VolatileWrites writes(macro.line, variables_, parameters);
      for (std::size_t i = macro.body; i < macro.line.size(); ++i) {
        const VolatileWrite write = writes.at(i);
        if (write.last == 0) continue;
        put_in_step(macro.line, write);
        writing_macros_[macro.name] = write.name;
      }
    }
  }

  // The tokens [first, last): a function with its parameters, whose body begins at token `body`.
  void translate(std::size_t first, std::size_t body, std::size_t last) {
    const VolatileWrites writes(code_, variables_);
    std::vector<VolatileWrite> found;
    for (std::size_t i = body; i < last; ++i) {
      if (const VolatileWrite write = writes.at(i); write.last > 0) {
        put_in_step(code_, write);
        found.push_back(write);
      } else if (const auto macro = writing_macros_.find(code_.text(i));
                 macro != writing_macros_.end()) {
        // VolatileWrites to what its text names, or its arguments.
        const std::size_t end = code_.is(i + 1, "(") ? code_.partner(i + 1) : i;
        std::size_t name = i + 1;
        while (name < end && !writes.is_volatile(name)) ++name;
        found.push_back({i, end, name < end ? code_.text(name) : macro->second});
      }
    }
    if (found.empty()) return;

    for (const VolatileVariable& variable : variables_.all())
      if (variable.at > first && variable.at < last && variable.is_pointer &&
          std::any_of(found.begin(), found.end(),
                      [&](const VolatileWrite& w) { return w.name == variable.name; }))
        meet_behind(variable, body);
    // Of statements that end together the inner one first.
    for (std::size_t i = last; i-- > body;) rejoin_behind(i, first, last, found);
  }

 private:
  std::string place(std::size_t token) const { return std::to_string(code_.end(token)); }

  void put_in_step(const Tokens& tokens, const VolatileWrite& write) {
    const std::size_t end = tokens.end(write.last - 1);
    source_.open(tokens.begin(write.first), "::emulated::in_step(");
    source_.close(end, joined({", ", std::to_string(end), ")"}));
  }

  // The token at which the declaration's scope ends.
  std::size_t scope_end(std::size_t declaration, std::size_t last) const {
    for (std::size_t i = declaration; i-- > 0;) {
      if (code_.is(i, "{")) return code_.partner(i);
      if (code_.is(i, "(")) {
        const bool controls = code_.is_one_of(i - 1, "for if while switch");
        return controls ? end_of_statement(code_, i - 1, last) : last;
      }
      if (code_.is_one_of(i, ") ] }") && code_.partner(i) != none) i = code_.partner(i);
    }
    return last;
  }

  // Is the variable declared between `first` and the statement of tokens [begin,
  // end], and still known behind it?
  bool is_known(std::string_view name, std::size_t first, std::size_t begin, std::size_t end,
                std::size_t last) const {
    return std::any_of(variables_.all().begin(), variables_.all().end(),
                       [&](const VolatileVariable& variable) {
                         return variable.name == name && variable.at > first &&
                                variable.at < begin && scope_end(variable.at, last) > end;
                       });
  }

  // Behind the variable's declaration, or at the beginning of the function whose parameter it is.
  void meet_behind(const VolatileVariable& variable, std::size_t body) {
    std::size_t end = body;
    if (variable.at > body) {
      end = code_.find(variable.at, code_.size(), "; )");
      const bool in_parentheses = code_.is(begin_of_statement(code_, variable.at) - 1, "(");
      if (!code_.is(end, ";") || !code_.is(variable.at + 1, "=") || in_parentheses) return;
    }
    source_.close(code_.end(end),
                  joined({" ::emulated::rejoin(", variable.name, ", ", place(end), ");"}));
  }

  // Behind the statement that begins at token i, if lanes may part there and write.
  void rejoin_behind(std::size_t i, std::size_t first, std::size_t last,
                     const std::vector<VolatileWrite>& writes) {
    if (!code_.is_one_of(i, "if for while do switch") || code_.is(i - 1, "else")) return;
    if (code_.is(i, "while") && code_.is(i - 1, "}") && code_.is(code_.partner(i - 1) - 1, "do"))
      return;
    const std::size_t end = end_of_statement(code_, i, last);
    if (end >= last) return;
    const auto write = std::find_if(writes.begin(), writes.end(), [&](const VolatileWrite& w) {
      return w.first > i && w.first < end && is_known(w.name, first, i, end, last);
    });
    if (write == writes.end()) return;
    const auto rejoin = [&](std::size_t at) {
      return joined(
          {" const ::emulated::Rejoin emulated_rejoin(", write->name, ", ", place(at), ");"});
    };
    source_.open(code_.begin(i), joined({"{", rejoin(end), " "}));
    source_.close(code_.end(end), " }");
    // Who continues with the next round waits for the end of this one.
    const std::size_t open = code_.is(i, "do") ? i + 1 : code_.partner(i + 1) + 1;
    if (code_.is_one_of(i, "if switch") || !code_.is(open, "{")) return;
    for (std::size_t k = open; k < code_.partner(open); ++k)
      if (code_.is(k, "continue"))
        return source_.close(code_.end(open), rejoin(code_.partner(open)));
  }

  Source& source_;
  const Tokens& code_;
  VolatileVariables variables_;
  std::map<std::string_view, std::string_view> writing_macros_;  // and what they write
};

}  // namespace

void translate_lockstep(Source& source, const Outline& outline, Program&) {
  Lockstep lockstep(source);
  if (!lockstep.is_needed()) return;
  lockstep.translate_macros();
  for (const DeviceCode& part : device_code(outline, source.code()))
    lockstep.translate(part.function.parameters, part.body, part.last);
}

}  // namespace translate
