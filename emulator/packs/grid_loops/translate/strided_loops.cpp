// Loops in which each thread of a kernel steps over the whole grid or block:
//
//   for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
//     y[i] = a * x[i];
//   }
//
// The emulated device runs one thread after another, so each would walk through memory alone, in
// long steps. In front of such a loop goes a call that can run it for all threads of the block, one
// iteration of all after another (../include/emulated/grid_loops.h); the loop itself stays behind
// it for whenever that is not possible. It is written for loops of which it is proved that threads
// may take turns after each iteration:
// - it is known which threads of the block come to the loop: it is in the kernel's outermost block,
//   and since the kernel's begin, a __syncthreads() there, or another such loop only variables were
//   declared, from expressions without effects and without memory, and threads have only returned
//   if such an expression is true;
// - the index begins with such an expression, the loop goes on while such an expression is true,
//   and such an expression is added to the index;
// - the body knows names of plain types and functions only (plain_code.h), in which no
//   thread can wait for others; it does not leave the loop; and it changes no variable of
//   the thread that was declared outside of it, but for numbers that begin with such an
//   expression: they are kept for each thread.
// Whether the index grows by the same value for all threads, and is the next one for the next
// thread, is seen when the loop runs.
// All other loops stay as they are.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernel_variables.h"
#include "passes.h"
#include "plain_code.h"
#include "subscripts.h"

namespace translate {

namespace {

// Signs that bind less than +.
constexpr std::string_view less_than_sums = "< > <= >= <=> << >> == != & ^ | && || ? : = , ;";

// A loop that steps through indices: for (int i = start; condition; i += step) body, or the same
// with while.
struct Loop {
  Range all;
  std::string index;
  Range start;      // what the loop itself assigns to an index that was declared before it
  Range condition;  // as long as it is true
  Range next;       // the statement that changes the index
  Range step;       // what it adds
  Range body;
  bool can_continue = false;
};

// Threads that return before a loop.
struct Guard {
  std::size_t locals;  // that were declared before
  Range condition;
};

class KernelLoops {
 public:
  KernelLoops(Source& source, const PlainFile& file, const Function& kernel)
      : source_(source),
        code_(source.code()),
        file_(file),
        kernel_(kernel),
        variables_(source, file, kernel) {}

  void translate() {
    if (!variables_.read_parameters()) return;
    bool all_come = true;  // to the statement, if to the last barrier before it
    const std::size_t end = code_.partner(kernel_.body);
    for (std::size_t i = kernel_.body + 1, next; i < end; i = next) {
      next = after_statement(code_, i);
      if (next == none || next > end) return;
      if (code_.is(i, "__syncthreads") && code_.is(i + 1, "(") && code_.is(i + 2, ")") &&
          next == i + 4) {
        all_come = after_barrier_ = true;
        guards_.clear();
      } else if (variables_.read_shared(i, next) || code_.is(i, ";") ||
                 variables_.read_declaration(i, next)) {
        // does nothing
      } else if (!all_come || !guard(i, next)) {
        const std::size_t locals = variables_.locals().size();
        all_come = all_come && loops_ < 30 && loop(i, next);
        if (all_come) {
          write_call();
          ++loops_;
        }
        variables_.end_block(locals);
      }
    }
  }

 private:
  // Is the statement [first, last) like if (i >= n) return; ? Then it is noted.
  bool guard(std::size_t first, std::size_t last) {
    if (!code_.is(first, "if") || !code_.is(first + 1, "(")) return false;
    const std::size_t close = code_.partner(first + 1);
    const std::size_t then = close + (code_.is(close + 1, "{") ? 2 : 1);
    const std::size_t end = then + (code_.is(close + 1, "{") ? 3 : 2);
    const Range condition = {first + 2, close};
    if (!code_.is(then, "return") || !code_.is(then + 1, ";") || end != last ||
        !variables_.expression(condition).pure)
      return false;
    guards_.push_back({variables_.locals().size(), condition});
    return true;
  }

  // Is the statement [first, last) a loop that may be run for all threads? Then
  // loop_ and the names are filled in.
  bool loop(std::size_t first, std::size_t last) {
    loop_ = {};
    loop_.all = {first, last};
    if (!(code_.is(first, "for") ? for_parts() : code_.is(first, "while") && while_parts()))
      return false;
    const Expression step = variables_.expression(loop_.step);
    return step.pure && (step.of_grid || step.calls) && !names(loop_.step, loop_.index) &&
           variables_.expression(loop_.condition, loop_.index).pure && start() && body();
  }

  // ---- its parts ----
  bool for_parts() {
    const std::size_t open = loop_.all.first + 1, close = code_.partner(open);
    const std::size_t first = code_.find(open + 1, close, ";"),
                      second = code_.find(first + 1, close, ";");
    if (second == close) return false;
    loop_.condition = {first + 1, second};
    loop_.body = {close + 1, loop_.all.last};
    loop_.can_continue = true;
    if (!next_index(second + 1, close)) return false;
    if (first == open + 1) return true;
    if (code_.is(open + 1, loop_.index) && code_.is(open + 2, "=")) {
      loop_.start = {open + 3, first};
      return code_.find(open + 3, first, ",") == first;
    }
    const std::size_t known = variables_.locals().size();
    if (!variables_.read_declaration(open + 1, first + 1)) return false;
    for (std::size_t i = known; i < variables_.locals().size(); ++i) {
      const Local& local = variables_.locals()[i];
      if (variables_.find(local.name) != &local ||
          variables_.parameters().values.contains(local.name) ||
          variables_.parameters().memory.contains(local.name))
        return false;  // it hides another one
    }
    return true;
  }

  bool while_parts() {
    const std::size_t open = loop_.all.first + 1, close = code_.partner(open);
    if (!code_.is(close + 1, "{")) return false;
    loop_.condition = {open + 1, close};
    // The last statement changes the index.
    const std::size_t end = code_.partner(close + 1);
    std::size_t last = close + 2;
    for (std::size_t next = last; next < end; next = after_statement(code_, last = next))
      if (after_statement(code_, next) == none) return false;
    if (last >= end || !code_.is(end - 1, ";")) return false;
    loop_.body = {close + 2, last};
    return next_index(last, end - 1);
  }

  // i += step, i -= step, i = i + step, i = step + i
  bool next_index(std::size_t first, std::size_t last) {
    if (!code_.is(first, Kind::word)) return false;
    loop_.index = code_.text(first);
    loop_.next = {first, last};
    loop_.step = {first + 2, last};
    if (code_.is_one_of(first + 1, "+= -=")) return code_.find(first + 2, last, ",") == last;
    if (!code_.is(first + 1, "=") || outside_of_casts(loop_.step, less_than_sums) != last)
      return false;
    if (code_.is(first + 2, loop_.index) && code_.is_one_of(first + 3, "+ -")) {
      loop_.step.first += 2;
      return true;
    }
    loop_.step.last -= 2;
    return code_.is(last - 2, "+") && code_.is(last - 1, loop_.index);
  }

  // The first of the signs in the tokens that is in no brackets, nor those of static_cast<T>.
  std::size_t outside_of_casts(Range tokens, std::string_view signs) const {
    std::size_t i = tokens.first;
    for (;; i = code_.find(i, tokens.last, ">") + 1) {
      i = code_.find(i, tokens.last, signs);
      if (i >= tokens.last || !code_.is(i, "<") || !code_.is(i - 1, "static_cast"))
        return std::min(i, tokens.last);
    }
  }

  // ---- what is proved of it ----
  // The condition is index < bound, with <=, > and >=, too, or several of them and &&; the bounds
  // are the same for all threads. Then it is true between two indices for which it is true.
  bool is_convex() const {
    std::size_t first = loop_.condition.first;
    while (first < loop_.condition.last) {
      const std::size_t last = outside_of_casts({first, loop_.condition.last}, "&&");
      const std::size_t sign = outside_of_casts({first, last}, "< <= > >=");
      if (sign == last) return false;
      const bool index_first = sign == first + 1 && code_.is(first, loop_.index);
      if (!index_first && !(sign + 2 == last && code_.is(last - 1, loop_.index))) return false;
      const Range bound = index_first ? Range{sign + 1, last} : Range{first, sign};
      if (outside_of_casts(bound, "< <= > >= <=> == != & ^ | || ? ,") != bound.last ||
          names(bound, loop_.index) || !variables_.expression(bound).uniform)
        return false;
      first = last + 1;
    }
    return true;
  }

  bool start() {
    const Local* const index = variables_.find(loop_.index);
    if (index == nullptr) return false;
    if (loop_.start.first != none && !variables_.expression(loop_.start).pure) return false;
    return index->declared > loop_.all.first ||
           !names({loop_.all.last, code_.partner(kernel_.body)},
                  loop_.index);  // else its last value is wanted
  }

  // Do the tokens name the variable?
  bool names(Range tokens, std::string_view name) const {
    for (std::size_t i = tokens.first; i < tokens.last; ++i)
      if (code_.is(i, name)) return true;
    return false;
  }

  bool body() {
    PlainNames plain(kernel_);
    plain.atomics = true;
    plain.can_continue = loop_.can_continue;
    plain.types = variables_.types();
    plain.memory = variables_.shared();
    for (const std::string& name : variables_.parameters().memory)
      if (!variables_.may_change(name, kernel_.body, loop_.all.first)) plain.memory.insert(name);
    for (const std::string& name : variables_.parameters().values)
      if (!variables_.may_change(name, kernel_.body, loop_.all.first)) plain.values.insert(name);
    for (const std::string& name : variables_.parameters().objects)
      if (!variables_.may_change(name, kernel_.body, loop_.all.first)) plain.objects.insert(name);
    plain.values.insert(variables_.template_values().begin(), variables_.template_values().end());
    again_.clear();
    bool knows_index = loop_.start.first != none;
    for (const Local& local : variables_.locals()) {
      if (local.name == loop_.index) {
        // What names it is not computed again: by then it has moved on.
        knows_index = knows_index || is_computed_again(local, plain);
        continue;
      }
      if (!is_computed_again(local, plain)) continue;
      again_.push_back(&local);
      if (local.type.ends_with('*'))
        plain.memory.insert(local.name);
      else if (local.number && local.declared < loop_.all.first)
        plain.numbers.insert(local.name);
      else
        plain.values.insert(local.name);
    }
    if (!knows_index || !knows_all(loop_.start, plain)) return false;
    plain.values.insert(loop_.index);
    for (const Guard& guard : guards_)
      if (!knows_all(guard.condition, plain)) return false;
    kept_.clear();
    return knows_all(loop_.condition, plain) && knows_all(loop_.step, plain) &&
           is_plain_code(file_, loop_.body, plain, kept_) && keep_apart();
  }

  // Has the local the value from its declaration until the loop ends, whenever that is computed?
  bool is_computed_again(const Local& local, const PlainNames& plain) const {
    return local.value.first != none &&
           !variables_.may_change(local.name, local.declared + 1, loop_.all.first) &&
           knows_all(local.value, plain);
  }

  // Are all variables of the kernel that the tokens name among the known ones?
  bool knows_all(Range tokens, const PlainNames& plain) const {
    for (std::size_t i = tokens.first; i < tokens.last; ++i) {
      const std::string_view name = code_.text(i);
      const bool variable =
          !code_.is(i - 1, ".") &&
          (variables_.find(name) != nullptr || variables_.parameters().values.contains(name) ||
           variables_.parameters().memory.contains(name) ||
           variables_.parameters().objects.contains(name));
      if (variable && !plain.knows(name)) return false;
    }
    return true;
  }

  // What depends on a number that the body changes would have another
  // value when it is computed again.
  bool keep_apart() const {
    for (const std::string& name : kept_) {
      if (names({loop_.all.first, loop_.body.first}, name) || names(loop_.next, name)) return false;
      for (const Guard& guard : guards_)
        if (names(guard.condition, name)) return false;
      for (const Local& local : variables_.locals())
        if (names(local.value, name)) return false;
    }
    return true;
  }

  // The members of parameters that are named before the loop's end.
  NameSet members() const {
    NameSet result;
    for (std::size_t i = kernel_.body; i < loop_.all.last; ++i)
      if (variables_.parameters().objects.contains(code_.text(i)) && !code_.is(i - 1, "."))
        result.emplace(code_.between(i, last_of_member(code_, i) + 1));
    return result;
  }

  // ---- the call ----
  // Puts it before the loop, which becomes what is done when the call refuses.
  void write_call() {
    std::vector<Piece> pieces;
    // The text, the tokens, and the text after them.
    const auto add = [&](std::string text, Range tokens = {0, 0}, std::string_view after = "") {
      pieces.push_back({std::move(text), code_.begin(tokens.first),
                        tokens.first < tokens.last ? code_.end(tokens.last - 1) : 0});
      pieces.push_back({std::string(after)});
    };
    const auto declare = [&](const Local& local) {
      add(joined({"[[maybe_unused]] ", local.type, " ", local.name, " = "}), local.value, "; ");
    };
    // The locals that are computed again in the rounds and are not kept.
    const auto declare_again = [&] {
      for (const Local* local : again_)
        if (!kept_.contains(local->name)) declare(*local);
    };
    const std::string prefix = joined({"emulated_kept_", std::to_string(loops_), "_"});
    std::string arrays, load, store, take, plain;
    for (const std::string& name : kept_) {
      const Local& local = *variables_.find(name);
      const std::string array = prefix + name;
      arrays +=
          joined({"static thread_local ::emulated::Kept<", local.type, "> ", array, "[1024]; "});
      load += joined({local.type, " ", name, " = ", array, "[emulated_rank]; "});
      store += joined({array, "[emulated_rank] = ", name, "; "});
      take += joined({"::emulated::take(", name, ", ", array, "[::emulated::thread_rank()]); "});
    }
    for (const std::string& type : variables_.types())
      plain += joined({plain.empty() ? "" : " && ", "::std::is_arithmetic_v<", type, ">"});
    for (const std::string& member : members())
      plain += joined(
          {plain.empty() ? "" : " && ", "::emulated::is_plain_member<decltype(", member, ")>"});
    constexpr std::string_view inlined = " __attribute__((always_inline)) { ";
    const std::string line = std::to_string(source_.line(code_.begin(loop_.all.first))),
                      body_line = std::to_string(source_.line(code_.begin(loop_.body.first)));
    const char* const guarded = guards_.empty() ? "false" : "true";
    const char* const convex = is_convex() ? "true" : "false";
    add(joined({arrays, "if (!::emulated::strided_loop<", plain.empty() ? "true" : plain, ", ",
                guarded, ", ", convex, ">(", std::to_string(1u << loops_),
                after_barrier_ ? "u, true" : "u, false", ", [&]()", inlined}));
    // does the thread come to the loop?
    std::size_t declared = 0;
    for (const Guard& guard : guards_) {
      for (; declared < guard.locals; ++declared) {
        const Local& local = variables_.locals()[declared];
        if (local.name == loop_.index || std::count(again_.begin(), again_.end(), &local) != 0)
          declare(local);
      }
      add("if (", guard.condition, ") return false; ");
    }
    // the index that it begins with
    add(joined({"return true; }, [&]()", inlined}));
    declare_again();
    const Local& index = *variables_.find(loop_.index);
    add(joined({index.type, " ", index.name, " = "}),
        loop_.start.first != none ? loop_.start : index.value, "; ");
    // what is kept for it
    add(joined({"return ", loop_.index, "; }, [&]([[maybe_unused]] auto emulated_rank)", inlined}));
    declare_again();
    for (const std::string& name : kept_) {
      const Local& local = *variables_.find(name);
      add(joined({prefix, name, "[emulated_rank] = "}), local.value, "; ");
    }
    // the condition and the step
    add(joined({"}, [&]([[maybe_unused]] auto ", loop_.index, ")", inlined}));
    declare_again();
    add("return ", loop_.condition, joined({"; }, [&](auto ", loop_.index, ")", inlined}));
    declare_again();
    add("", loop_.next, joined({"; return ", loop_.index, "; }"}));
    // one iteration
    add(joined({", [&](auto emulated_index, [[maybe_unused]] auto emulated_rank)", inlined}));
    declare_again();
    add(joined({load, "[[maybe_unused]] const auto ", loop_.index,
                " = emulated_index; do {\n#line ", body_line, "\n"}),
        loop_.body,
        joined({"\n#line ", line, "\n} while (0); ", store, "})) {\n#line ", line, "\n"}));
    source_.wrap(code_.begin(loop_.all.first), code_.end(loop_.all.last - 1), std::move(pieces),
                 take.empty() ? " }" : joined({" } else { ", take, "}"}));
  }

  Source& source_;
  const Tokens& code_;
  const PlainFile& file_;
  const Function& kernel_;
  KernelVariables variables_;
  bool after_barrier_ = false;
  unsigned loops_ = 0;  // for which the call was written
  std::vector<Guard> guards_;
  Loop loop_;
  std::vector<const Local*> again_;  // locals that the rounds compute again
  NameSet kept_;                     // numbers that are kept for each thread
};

}  // namespace

void translate_grid_loops(Source& source, const Outline& outline, Program& program) {
  const PlainFile file(source, outline, program);
  for (const Function& function : outline.functions)
    if (function.side == side_global) {
      translate_subscripts(source, file, function);
      KernelLoops(source, file, function).translate();
    }
}

}  // namespace translate
