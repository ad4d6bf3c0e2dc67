#include "strided_loops.h"

#include <initializer_list>
#include <string_view>
#include <vector>

#include "plain_code.h"

namespace translate {

namespace {

// A variable of the kernel's outermost block whose value is computed from the thread's and the grid's indices,
// parameters, and others of this kind.
struct Local {
  std::string name, type;
  std::size_t declared;     // its name's token
  std::size_t value, last;  // the tokens of its value; none: it has none
  bool uniform;             // the same for all threads of the block
  bool of_grid;             // depends on blockDim or gridDim
  bool arithmetic;          // declared as a number, not as a pointer or auto
  bool integer;             // or auto
};

struct Expression {
  bool pure = false, uniform = false, of_grid = false;
};

// The parts of a loop, as tokens [first, last).
struct Loop {
  std::size_t first, last;
  std::string index, index_type;                // index_type: empty where the loop does not declare the index
  std::size_t start = none, start_last = none;  // none: the index has its value from before
  std::size_t bound, bound_last;                // the condition
  std::size_t step, step_last;                  // what is added
  std::size_t body, body_last;
  bool can_continue;
};

class KernelLoops {
 public:
  KernelLoops(Source& source, const PlainFile& file, const Function& kernel)
      : source_(source), code_(source.code()), file_(file), kernel_(kernel) {}

  void translate() {
    if (!suits()) return;
    enum class Before { begin, barrier, loop, anything } before = Before::begin;
    unsigned loops = 0;
    const std::size_t end = code_.partner(kernel_.body);
    for (std::size_t i = kernel_.body + 1, next; i < end; i = next) {
      next = behind_statement(code_, i);
      if (next == none || next > end) return;
      if (code_.is(i, "__syncthreads") && code_.is(i + 1, "(") && code_.is(i + 2, ")") && next == i + 4) {
        before = Before::barrier;
      } else if (shared(i, next) || code_.is(i, ";") || declaration(i, next)) {
        // does nothing
      } else if (before != Before::anything && loops < 30 && loop(i, next)) {
        emit(loops, before == Before::loop, before == Before::barrier);
        ++loops;
        before = Before::loop;
      } else {
        before = Before::anything;
      }
    }
  }

 private:
  // ---- the kernel as a whole ----
  bool suits() {
    if (kernel_.body == none || code_.partner(kernel_.body) == none || kernel_.member) return false;
    const std::size_t end = code_.partner(kernel_.body);
    for (std::size_t i = kernel_.body; i < end; ++i) {
      const std::string_view t = code_.text(i);
      if (t == "volatile" || t == "goto" || t == "asm" || t == "__asm__" || t == "operator") return false;
      if (code_.is(i, Kind::word) && file_.is_other_macro(t)) return false;  // who knows what it changes
      const bool subscript = code_.is(i - 1, Kind::word) ? !code_.is(i - 1, "return")
                                                         : code_.is(i - 1, ")") || code_.is(i - 1, "]");
      if (t == "[" && !subscript) return false;  // a lambda, a structured binding
    }
    for (const Directive& directive : source_.directives())
      if (directive.code_index > kernel_.head && directive.code_index <= end &&
          !directive.tokens.is(0, "pragma"))
        return false;
    template_parameters();
    return plain_parameters(file_, kernel_, types_, true, parameters_);
  }

  // template <class T, int n>
  void template_parameters() {
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
  // Might tokens [first, last) change the variable, or let others do so?
  bool may_change(std::string_view name, std::size_t first, std::size_t last) const {
    for (std::size_t i = first; i < last; ++i) {
      if (!code_.is(i, name) || code_.is(i - 1, ".") || code_.is(i - 1, "->")) continue;
      const std::string_view before = code_.text(i - 1), after = code_.text(i + 1);
      if (is_assignment(after) || before == "++" || before == "--" || after == "." || after == "->")
        return true;
      if (before == "{" || after == "}") return true;  // perhaps a reference's initial value
      if (before == "&" && !is_binary(i - 1)) return true;
      if (before == ">" && code_.is(i - 2, ">")) return true;  // perhaps of a stream's kind
      if (before == "=" && (code_.is(i - 3, "&") || code_.is(i - 3, "&&"))) return true;  // int& r = name
      if ((before == "(" || before == ",") && (after == ")" || after == ",") && !by_value(i)) return true;
    }
    return false;
  }

  bool is_binary(std::size_t i) const {
    return (code_.is(i - 1, Kind::word) && !is_plain_type_word(code_.text(i - 1)) &&
            !code_.is(i - 1, "return") && !code_.is(i - 1, "auto")) ||
           code_.is(i - 1, Kind::number) || code_.is(i - 1, ")") || code_.is(i - 1, "]");
  }

  // Is the argument that is token i copied?
  bool by_value(std::size_t i) const {
    std::size_t open = i - 1;
    while (open != none && !code_.is(open, "(")) {
      if (code_.is(open, "{") || code_.is(open, ";") || code_.is(open, "[")) return false;
      open =
          (code_.is(open, ")") || code_.is(open, "]") || code_.is(open, "}")) && code_.partner(open) != none
              ? code_.partner(open) - 1
              : open - 1;
    }
    if (open == none) return false;
    const std::size_t callee = open - 1;
    const std::string_view name = code_.text(callee);
    if (!code_.is(callee, Kind::word))  // (i), or static_cast<T>(i)
      return !code_.is(callee, ">") && !code_.is(callee, ")") && !code_.is(callee, "]");
    static const NameSet keywords = {"if", "while", "for", "switch", "return", "sizeof"};
    if (keywords.contains(name) || is_arithmetic_type_word(name)) return true;
    if (file_.is_plain_device_function(name)) return true;
    return (is_plain_function(name) || is_plain_atomic(name)) && !file_.declares_function(name);
  }

  // ---- expressions and declarations ----
  // Are tokens [first, last) an expression without effects and without memory?
  Expression expression(std::size_t first, std::size_t last) const {
    Expression result{first < last, true, false};
    for (std::size_t i = first; i < last; ++i) {
      const std::string_view t = code_.text(i);
      if (code_.is(i, Kind::number)) continue;
      if (code_.is(i, Kind::text)) return {};
      if (!code_.is(i, Kind::word)) {
        static const NameSet signs = {"+", "-", "*", "/",  "%",  "(",  ")", "<",
                                      ">", "?", ":", "<=", ">=", "==", "!="};
        const bool address = t == "*" && (i == first || (!is_binary(i) && !is_cast_star(i)));
        if (t == "." && code_.is(i - 1, Kind::word)) continue;
        if (t == "::" && code_.is(i - 1, "std")) continue;
        if (!signs.contains(t) || address) return {};
        continue;
      }
      if (code_.is(i - 1, ".") && i > first) {
        if (t != "x" && t != "y" && t != "z") return {};
      } else if (t == "threadIdx" || t == "blockIdx" || t == "blockDim" || t == "gridDim") {
        if (!code_.is(i + 1, ".")) return {};
        result.uniform &= t != "threadIdx";
        result.of_grid |= t == "blockDim" || t == "gridDim";
      } else if (t == "static_cast" || t == "std" || is_arithmetic_type_word(t) || types_.contains(t)) {
        // a conversion
      } else if (const Local* local = find(t)) {
        if (local->value == none || may_change(t, local->declared + 1, first)) return {};
        result.uniform &= local->uniform;
        result.of_grid |= local->of_grid;
      } else if (parameters_.values.contains(t) || parameters_.memory.contains(t)) {
        if (may_change(t, kernel_.body, first)) return {};
        if (code_.is(i + 1, "(") || code_.is(i + 1, "[")) return {};
      } else if (!template_values_.contains(t) && !(file_.is_constant(t) && !is_hidden(t, first)) &&
                 t != "warpSize" && t != "true" && t != "false") {
        return {};
      }
    }
    return result;
  }

  // The * of (float*).
  bool is_cast_star(std::size_t i) const { return is_plain_type_word(code_.text(i - 1)); }

  // Does the kernel, up to token `last`, declare the name for something of its own?
  bool is_hidden(std::string_view name, std::size_t last) const {
    int depth = 0;  // of round brackets
    for (std::size_t i = kernel_.head; i < last; ++i) {
      depth += code_.is(i, "(") || code_.is(i, "[") ? 1 : code_.is(i, ")") || code_.is(i, "]") ? -1 : 0;
      if (!code_.is(i, name)) continue;
      const std::string_view before = code_.text(i - 1);
      const bool behind_word = code_.is(i - 1, Kind::word) && before != "return" && before != "else" &&
                               before != "case" && before != "sizeof";
      if (behind_word || before == ">" ||
          ((before == "*" || before == "&" || before == "&&") && !is_binary(i - 1)) ||
          (before == "," && depth <= 0))
        return true;
    }
    return false;
  }

  const Local* find(std::string_view name) const {
    for (const Local& local : locals_)
      if (local.name == name) return &local;
    return nullptr;
  }

  // [extern] __shared__ float cache[256];
  bool shared(std::size_t first, std::size_t last) {
    bool is_shared = false;
    std::size_t i = first;
    for (; code_.is(i, "extern") || code_.is(i, "static") || code_.is(i, "__shared__") ||
           is_arithmetic_type_word(code_.text(i)) || types_.contains(code_.text(i));
         ++i)
      is_shared |= code_.is(i, "__shared__");
    if (!is_shared) return false;
    while (i < last && code_.is(i, Kind::word)) {
      const std::size_t name = i;
      for (++i; i < last && code_.is(i, "[") && code_.partner(i) != none; i = code_.partner(i) + 1) {
      }
      if (i > name + 1)
        shared_.emplace(code_.text(name));  // single variables are none of the kernel's arrays
      if (code_.is(i, ",")) ++i;
    }
    return true;
  }

  // int tid = ..., stride = ...; adds to the locals. False: this is something else, or has effects.
  bool declaration(std::size_t first, std::size_t last) {
    std::size_t i = first;
    bool arithmetic = true, is_const = false, floating = false;
    for (; is_arithmetic_type_word(code_.text(i)) || code_.is(i, "auto") || code_.is(i, "std") ||
           code_.is(i, "::") || types_.contains(code_.text(i));
         ++i) {
      arithmetic &= !code_.is(i, "auto");
      is_const |= code_.is(i, "const") || code_.is(i, "constexpr");
      floating |= code_.is(i, "float") || code_.is(i, "double") || code_.is(i, "bool");
    }
    if (i == first) return false;
    const std::string type(code_.between(first, i));
    std::vector<Local> found;
    for (;;) {
      std::size_t stars = 0;
      for (; code_.is(i, "*") || code_.is(i, "__restrict__"); ++i) ++stars;
      if (!code_.is(i, Kind::word)) return false;
      Local local{
          std::string(code_.text(i)), type, i, none, none, true, false, arithmetic && stars == 0 && !is_const,
          stars == 0 && !floating};
      for (; stars > 0; --stars) local.type += '*';
      if (code_.is(i + 1, "=") || code_.is(i + 1, "(")) {
        std::size_t begin = i + 2, end = begin;
        if (code_.is(i + 1, "(")) {
          if (code_.partner(i + 1) == none) return false;
          end = code_.partner(i + 1);
          i = end + 1;
        } else {
          for (; end < last && !code_.is(end, ",") && !code_.is(end, ";"); ++end)
            if (code_.is(end, "(") && code_.partner(end) != none) end = code_.partner(end);
          i = end;
        }
        const Expression value = expression(begin, end);
        if (!value.pure) return false;
        local.value = begin;
        local.last = end;
        local.uniform = value.uniform;
        local.of_grid = value.of_grid;
      } else {
        ++i;
      }
      if (!code_.is(i, ",") && !code_.is(i, ";")) return false;
      locals_.push_back(local);  // the next ones may use it
      if (code_.is(i, ";")) return true;
      ++i;
    }
  }

  // ---- loops ----
  // Is the statement [first, last) a loop that may be run for all threads? Then loop_ and the names are filled in.
  bool loop(std::size_t first, std::size_t last) {
    loop_ = {};
    loop_.first = first;
    loop_.last = last;
    if (!(code_.is(first, "for") ? for_parts() : code_.is(first, "while") && while_parts())) return false;
    const Expression step = expression(loop_.step, loop_.step_last);
    if (!step.pure || !step.uniform || !step.of_grid) return false;
    return condition() && start() && body();
  }

  // The first sign outside of brackets in [first, last).
  std::size_t outside(std::size_t first, std::size_t last, std::string_view sign) const {
    for (std::size_t i = first; i < last; ++i) {
      if (code_.is(i, sign)) return i;
      if ((code_.is(i, "(") || code_.is(i, "[") || code_.is(i, "{")) && code_.partner(i) != none)
        i = code_.partner(i);
    }
    return none;
  }

  bool for_parts() {
    const std::size_t open = loop_.first + 1, close = code_.partner(open);
    const std::size_t first = outside(open + 1, close, ";");
    const std::size_t second = first == none ? none : outside(first + 1, close, ";");
    if (second == none) return false;
    if (first > open + 1) {
      std::size_t i = open + 1;
      for (; is_arithmetic_type_word(code_.text(i)) || code_.is(i, "auto") || code_.is(i, "std") ||
             code_.is(i, "::");
           ++i)
        if (code_.is(i, "float") || code_.is(i, "double") || code_.is(i, "bool")) return false;
      loop_.index_type = code_.between(open + 1, i);
      if (!code_.is(i, Kind::word) || !code_.is(i + 1, "=") || outside(i, first, ",") != none ||
          loop_.index_type.empty())
        return false;
      loop_.index = code_.text(i);
      loop_.start = i + 2;
      loop_.start_last = first;
    } else {
      loop_.index = code_.text(second + 1);
    }
    loop_.bound = first + 1;
    loop_.bound_last = second;
    loop_.body = close + 1;
    loop_.body_last = loop_.last;
    loop_.can_continue = true;
    return step_parts(second + 1, close);
  }

  bool while_parts() {
    const std::size_t open = loop_.first + 1, close = code_.partner(open);
    if (!code_.is(close + 1, "{")) return false;
    loop_.bound = open + 1;
    loop_.bound_last = close;
    loop_.can_continue = false;
    // The last statement is the step.
    const std::size_t end = code_.partner(close + 1);
    std::size_t last = close + 2;
    for (std::size_t next = last; next < end; next = behind_statement(code_, last = next))
      if (behind_statement(code_, next) == none) return false;
    if (last >= end || !code_.is(end - 1, ";")) return false;
    loop_.index = code_.text(last);
    loop_.body = close + 2;
    loop_.body_last = last;
    return step_parts(last, end - 1);
  }

  static bool is_comparison(std::string_view sign) {
    static const NameSet signs = {"<", ">", "<=", ">=", "==", "!=", "?", ","};
    return signs.contains(sign);
  }

  // i += step, i = i + step
  bool step_parts(std::size_t first, std::size_t last) {
    if (!code_.is(first, loop_.index) || !code_.is(first, Kind::word)) return false;
    if (code_.is(first + 1, "+="))
      loop_.step = first + 2;
    else if (code_.is(first + 1, "=") && code_.is(first + 2, loop_.index) && code_.is(first + 3, "+"))
      loop_.step = first + 4;
    else
      return false;
    loop_.step_last = last;
    // i = i + a ? b : c, and anything else that binds less than +
    for (std::size_t i = loop_.step; i < last; ++i) {
      if (code_.is(i, "(") && code_.partner(i) != none) i = code_.partner(i);
      if (is_comparison(code_.text(i))) return false;
    }
    return true;
  }

  // index < bound, bound > index, and with =
  bool condition() const {
    const std::size_t first = loop_.bound, last = loop_.bound_last;
    const auto bound = [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        if (code_.is(i, "static_cast") && code_.is(i + 1, "<"))
          while (i < end && !code_.is(i, ">")) ++i;
        else if (code_.is(i, loop_.index) || is_comparison(code_.text(i)))
          return false;
      }
      const Expression e = expression(begin, end);
      return e.pure && e.uniform;
    };
    if (code_.is(first, loop_.index) && (code_.is(first + 1, "<") || code_.is(first + 1, "<=")))
      return bound(first + 2, last);
    if (last > first + 2 && code_.is(last - 1, loop_.index) &&
        (code_.is(last - 2, ">") || code_.is(last - 2, ">=")))
      return bound(first, last - 2);
    return false;
  }

  bool start() {
    if (loop_.start != none) {
      if (find(loop_.index) != nullptr || parameters_.values.contains(loop_.index)) return false;
      return expression(loop_.start, loop_.start_last).pure;
    }
    const Local* local = find(loop_.index);
    if (local == nullptr || local->value == none || !local->integer ||
        may_change(loop_.index, local->declared + 1, loop_.first))
      return false;
    for (std::size_t i = loop_.last; i < code_.partner(kernel_.body); ++i)
      if (code_.is(i, loop_.index)) return false;  // its last value is wanted
    return true;
  }

  // Do tokens [first, last) name the variable?
  bool names(std::size_t first, std::size_t last, std::string_view name) const {
    for (std::size_t i = first; i < last; ++i)
      if (code_.is(i, name)) return true;
    return false;
  }

  bool body() {
    PlainNames plain;
    plain.atomics = true;
    plain.can_continue = loop_.can_continue;
    plain.types = types_;
    plain.memory = shared_;
    for (const std::string& name : parameters_.memory)
      if (!may_change(name, kernel_.body, loop_.first)) plain.memory.insert(name);
    for (const std::string& name : parameters_.values)
      if (!may_change(name, kernel_.body, loop_.first)) plain.values.insert(name);
    plain.values.insert(template_values_.begin(), template_values_.end());
    for (std::size_t i = loop_.first; i < loop_.last; ++i) {
      const std::string_view name = code_.text(i);
      const bool outside = file_.is_constant(name) || is_plain_function(name) || is_plain_atomic(name) ||
                           file_.declares_function(name);
      if (outside && is_hidden(name, loop_.first)) plain.hidden.emplace(name);
    }

    again_.clear();
    for (const Local& local : locals_) {
      if (local.name == loop_.index || !is_computed_again(local, plain)) continue;
      again_.push_back(&local);
      NameSet& kind = local.type.ends_with('*') ? plain.memory
                      : local.arithmetic        ? plain.numbers
                                                : plain.values;
      kind.insert(local.name);
    }
    if (loop_.start == none && !knows(*find(loop_.index), plain)) return false;
    plain.values.insert(loop_.index);
    kept_.clear();
    if (!is_plain_code(file_, loop_.body, loop_.body_last, plain, kept_)) return false;
    return kept_.empty() || keep_apart();
  }

  // Has the local the value from its declaration until the loop ends, whenever that is computed?
  bool is_computed_again(const Local& local, const PlainNames& plain) const {
    return local.value != none && !may_change(local.name, local.declared + 1, loop_.first) &&
           knows(local, plain);
  }

  // Is each variable that the local's value names one of these?
  bool knows(const Local& local, const PlainNames& plain) const {
    for (std::size_t i = local.value; i < local.last; ++i) {
      const std::string_view name = code_.text(i);
      const bool variable =
          !code_.is(i - 1, ".") &&
          (find(name) != nullptr || parameters_.values.contains(name) || parameters_.memory.contains(name));
      if (variable && !plain.values.contains(name) && !plain.numbers.contains(name) &&
          !plain.memory.contains(name))
        return false;
    }
    return true;
  }

  // What depends on a number that the body changes would have another value when it is computed again.
  bool keep_apart() {
    NameSet moving = kept_;
    for (const Local& local : locals_) {
      if (local.value == none || local.name == loop_.index) continue;
      bool depends = false;
      for (const std::string& name : moving) depends |= names(local.value, local.last, name);
      if (!depends) continue;
      if (kept_.contains(local.name) || names(loop_.first, loop_.last, local.name)) return false;
      std::erase(again_, &local);
      moving.insert(local.name);
    }
    const Local* const index = find(loop_.index);
    for (const std::string& name : moving)
      if (names(loop_.first, loop_.body, name) || names(loop_.step, loop_.step_last, name) ||
          (loop_.start == none && names(index->value, index->last, name)))
        return false;
    return true;
  }

  // ---- the call ----
  std::string text(std::size_t first, std::size_t last) const {
    std::string result;
    for (std::size_t i = first; i < last; ++i) {
      if (i > first && !code_.touches_previous(i)) result += ' ';
      result += code_.text(i);
    }
    return result;
  }

  std::string declare(const Local& local) const {
    return joined(
        {"[[maybe_unused]] ", local.type, " ", local.name, " = ", text(local.value, local.last), "; "});
  }

  // The locals that are computed again in the rounds.
  std::string declare_again() const {
    std::string result;
    for (const Local* local : again_)
      if (!kept_.contains(local->name)) result += declare(*local);
    return result;
  }

  static std::string joined(std::initializer_list<std::string_view> parts) {
    std::string result;
    for (const std::string_view part : parts) result += part;
    return result;
  }

  void emit(unsigned number, bool behind_loop, bool behind_barrier) {
    const std::string prefix = joined({"emulated_kept_", std::to_string(number), "_"}),
                      again = declare_again();
    std::string arrays, prepare, load, store, take;
    for (const std::string& name : kept_) {
      const Local& local = *find(name);
      const std::string array = prefix + name;
      arrays += joined({"static thread_local ::emulated::Kept<", local.type, "> ", array, "[1024]; "});
      prepare += joined({array, "[emulated_rank] = ", text(local.value, local.last), "; "});
      load += joined({local.type, " ", name, " = ", array, "[emulated_rank]; "});
      store += joined({array, "[emulated_rank] = ", name, "; "});
      take += joined({"::emulated::take(", name, ", ", array, "[::emulated::thread_rank()]); "});
    }
    const std::string declare_index =
        loop_.start == none
            ? declare(*find(loop_.index))
            : joined({loop_.index_type, " ", loop_.index, " = ", text(loop_.start, loop_.start_last), "; "});
    std::string plain;
    for (const std::string& type : types_)
      plain += joined({plain.empty() ? "" : " && ", "::emulated::is_plain<", type, ">"});
    const std::string bits =
        joined({std::to_string(1u << number), "u, ", behind_loop ? std::to_string(1u << (number - 1)) : "0",
                "u, ", behind_barrier ? "true" : "false"});
    constexpr std::string_view inlined = " __attribute__((always_inline)) { ";
    const std::string line = std::to_string(source_.line(code_.begin(loop_.first))),
                      body_line = std::to_string(source_.line(code_.begin(loop_.body)));
    source_.open(
        code_.begin(loop_.first),
        joined({arrays, "if (!::emulated::strided_loop<", plain.empty() ? "true" : plain, ">(", bits,
                // the index that a thread begins with
                ", [&]()", inlined, again, declare_index, "return ", loop_.index,
                // what is kept for it
                "; }, [&]([[maybe_unused]] auto emulated_rank)", inlined, again, prepare,
                // the condition and the step
                "}, [&](auto ", loop_.index, ")", inlined, "return ", text(loop_.bound, loop_.bound_last),
                "; }, [&]()", inlined, "return ", text(loop_.step, loop_.step_last),
                // one iteration
                "; }, [&](auto emulated_index, [[maybe_unused]] auto emulated_rank)", inlined, again, load,
                "[[maybe_unused]] const auto ", loop_.index, " = emulated_index; do {\n#line ", body_line,
                "\n", code_.between(loop_.body, loop_.body_last), "\n#line ", line, "\n} while (0); ", store,
                "})) {\n#line ", line, "\n"}));
    source_.close(code_.end(loop_.last - 1), take.empty() ? " }" : joined({" } else { ", take, "}"}));
  }

  Source& source_;
  const Tokens& code_;
  const PlainFile& file_;
  const Function& kernel_;
  NameSet types_, template_values_, shared_;
  PlainParameters parameters_;
  std::vector<Local> locals_;
  Loop loop_;
  std::vector<const Local*> again_;  // locals that the rounds compute again
  NameSet kept_;                     // numbers that are kept for each thread
};

}  // namespace

std::string with_strided_loops(const std::filesystem::path& path, std::string text, const Program& program) {
  Source source(path, text);
  if (source.code().size() == 0) return text;
  Program known = program;  // the file is read once more when it is translated
  const Outline functions = outline(source, known);
  const PlainFile file(source, functions, known);
  for (const Function& function : functions.functions)
    if (function.side == side_global) KernelLoops(source, file, function).translate();
  return source.changed() ? source.result() : text;
}

}  // namespace translate
