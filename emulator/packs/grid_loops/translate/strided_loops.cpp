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
// - all threads of the block come to the loop: it is in the kernel's outermost block, and since the
//   kernel's begin, a __syncthreads() there, or another such loop only variables were declared,
//   from expressions without effects and without memory;
// - the index begins with such an expression and grows by a value that is the same for all threads;
//   the loop goes on while the index is less than such a value;
// - the body knows names of plain types and functions only (plain_code.h), in which no
//   thread can wait for others; it does not leave the loop; and it changes no variable of
//   the thread that was declared outside of it, but for numbers that begin with such an
//   expression: they are kept for each thread.
// All other loops stay as they are.
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

// Signs that compare, or that bind less than a comparison.
constexpr std::string_view comparisons = "< > <= >= == != ? ,";

// A loop that counts upwards: for (int i = start; i < bound; i += step)
// body, or the same with while.
struct Loop {
  Range all;
  std::string index, index_type;  // index_type: empty where the loop does not declare the index
  Range start;                    // none: the index has its value from before
  Range bound;                    // the condition
  Range step;                     // what is added
  Range body;
  bool can_continue = false;
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
      next = behind_statement(code_, i);
      if (next == none || next > end) return;
      if (code_.is(i, "__syncthreads") && code_.is(i + 1, "(") && code_.is(i + 2, ")") &&
          next == i + 4) {
        all_come = behind_barrier_ = true;
      } else if (variables_.read_shared(i, next) || code_.is(i, ";") ||
                 variables_.read_declaration(i, next)) {
        // does nothing
      } else if (all_come && loops_ < 30 && loop(i, next)) {
        write_call();
        ++loops_;
      } else {
        all_come = false;
      }
    }
  }

 private:
  // Is the statement [first, last) a loop that may be run for all threads? Then
  // loop_ and the names are filled in.
  bool loop(std::size_t first, std::size_t last) {
    loop_ = {};
    loop_.all = {first, last};
    if (!(code_.is(first, "for") ? for_parts() : code_.is(first, "while") && while_parts()))
      return false;
    const Expression step = variables_.expression(loop_.step);
    if (!step.pure || !step.uniform || !step.of_grid) return false;
    return condition() && start() && body();
  }

  // ---- its parts ----
  bool for_parts() {
    const std::size_t open = loop_.all.first + 1, close = code_.partner(open);
    const std::size_t first = code_.find(open + 1, close, ";"),
                      second = code_.find(first + 1, close, ";");
    if (second == close) return false;
    if (first > open + 1) {
      std::size_t i = open + 1;
      while (is_arithmetic_type_word(code_.text(i)) || code_.is_one_of(i, "auto std ::")) ++i;
      loop_.index_type = code_.between(open + 1, i);
      if (!code_.is(i, Kind::word) || !code_.is(i + 1, "=") || code_.find(i, first, ",") < first ||
          loop_.index_type.empty())
        return false;
      loop_.index = code_.text(i);
      loop_.start = {i + 2, first};
    } else {
      loop_.index = code_.text(second + 1);
    }
    loop_.bound = {first + 1, second};
    loop_.body = {close + 1, loop_.all.last};
    loop_.can_continue = true;
    return step_parts(second + 1, close);
  }

  bool while_parts() {
    const std::size_t open = loop_.all.first + 1, close = code_.partner(open);
    if (!code_.is(close + 1, "{")) return false;
    loop_.bound = {open + 1, close};
    // The last statement is the step.
    const std::size_t end = code_.partner(close + 1);
    std::size_t last = close + 2;
    for (std::size_t next = last; next < end; next = behind_statement(code_, last = next))
      if (behind_statement(code_, next) == none) return false;
    if (last >= end || !code_.is(end - 1, ";")) return false;
    loop_.index = code_.text(last);
    loop_.body = {close + 2, last};
    return step_parts(last, end - 1);
  }

  // i += step, i = i + step
  bool step_parts(std::size_t first, std::size_t last) {
    if (!code_.is(first, loop_.index) || !code_.is(first, Kind::word)) return false;
    const bool sum =
        code_.is(first + 1, "=") && code_.is(first + 2, loop_.index) && code_.is(first + 3, "+");
    loop_.step = {first + (sum ? 4 : 2), last};
    // Not i = i + a ? b : c, and anything else that binds less than +
    return (sum || code_.is(first + 1, "+=")) &&
           code_.find(loop_.step.first, last, comparisons) == last;
  }

  // ---- what is proved of it ----
  // index < bound, index <= bound
  bool condition() const {
    const Range right = {loop_.bound.first + 2, loop_.bound.last};
    if (!code_.is(loop_.bound.first, loop_.index) || !code_.is_one_of(right.first - 1, "< <="))
      return false;
    for (std::size_t i = right.first; i < right.last; ++i) {
      if (code_.is(i, "static_cast") && code_.is(i + 1, "<"))
        i = code_.find(i, right.last, ">");
      else if (code_.is(i, loop_.index) || code_.is_one_of(i, comparisons))
        return false;
    }
    const Expression bound = variables_.expression(right);
    return bound.pure && bound.uniform;
  }

  bool start() {
    if (loop_.start.first != none) {
      if (variables_.find(loop_.index) != nullptr ||
          variables_.parameters().values.contains(loop_.index))
        return false;
      return variables_.expression(loop_.start).pure;
    }
    return variables_.find(loop_.index) != nullptr &&
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
    plain.values.insert(variables_.template_values().begin(), variables_.template_values().end());
    bool knows_index = loop_.start.first != none;
    again_.clear();
    for (const Local& local : variables_.locals()) {
      if (!is_computed_again(local, plain)) continue;
      if (local.name == loop_.index) {
        knows_index = true;  // but what names it is not computed again: by then it has moved on
        continue;
      }
      again_.push_back(&local);
      if (local.type.ends_with('*'))
        plain.memory.insert(local.name);
      else if (local.number)
        plain.numbers.insert(local.name);
      else
        plain.values.insert(local.name);
    }
    plain.values.insert(loop_.index);
    kept_.clear();
    return knows_index && is_plain_code(file_, loop_.body, plain, kept_) && keep_apart();
  }

  // Has the local the value from its declaration until the loop ends, whenever that is computed?
  bool is_computed_again(const Local& local, const PlainNames& plain) const {
    if (local.value.first == none ||
        variables_.may_change(local.name, local.declared + 1, loop_.all.first))
      return false;
    for (std::size_t i = local.value.first; i < local.value.last; ++i) {
      const std::string_view name = code_.text(i);
      const bool variable =
          !code_.is(i - 1, ".") &&
          (variables_.find(name) != nullptr || variables_.parameters().values.contains(name) ||
           variables_.parameters().memory.contains(name));
      if (variable && !plain.knows(name)) return false;
    }
    return true;
  }

  // What depends on a number that the body changes would have another
  // value when it is computed again.
  bool keep_apart() const {
    for (const std::string& name : kept_) {
      if (names({loop_.all.first, loop_.body.first}, name) || names(loop_.step, name)) return false;
      for (const Local& local : variables_.locals())
        if (names(local.value, name)) return false;
    }
    return true;
  }

  // ---- the call ----
  // Puts it before the loop, which becomes what is done when the call refuses.
  void write_call() {
    std::vector<Piece> pieces;
    // The text, the tokens, and the text behind them.
    const auto add = [&](std::string text, Range tokens = {0, 0}, std::string_view behind = "") {
      pieces.push_back({std::move(text), code_.begin(tokens.first),
                        tokens.first < tokens.last ? code_.end(tokens.last - 1) : 0});
      pieces.push_back({std::string(behind)});
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
    constexpr std::string_view inlined = " __attribute__((always_inline)) { ";
    const std::string line = std::to_string(source_.line(code_.begin(loop_.all.first))),
                      body_line = std::to_string(source_.line(code_.begin(loop_.body.first)));
    // the index that a thread begins with
    add(joined({arrays, "if (!::emulated::strided_loop<", plain.empty() ? "true" : plain, ">(",
                std::to_string(1u << loops_), behind_barrier_ ? "u, true" : "u, false", ", [&]()",
                inlined}));
    declare_again();
    if (loop_.start.first == none)
      declare(*variables_.find(loop_.index));
    else
      add(joined({loop_.index_type, " ", loop_.index, " = "}), loop_.start, "; ");
    // what is kept for it
    add(joined({"return ", loop_.index, "; }, [&]([[maybe_unused]] auto emulated_rank)", inlined}));
    declare_again();
    for (const std::string& name : kept_) {
      const Local& local = *variables_.find(name);
      add(joined({prefix, name, "[emulated_rank] = "}), local.value, "; ");
    }
    // the condition and the step
    add(joined({"}, [&](auto ", loop_.index, ")", inlined, "return "}), loop_.bound);
    add(joined({"; }, [&]()", inlined, "return "}), loop_.step);
    // one iteration
    add(joined({"; }, [&](auto emulated_index, [[maybe_unused]] auto emulated_rank)", inlined}));
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
  bool behind_barrier_ = false;
  unsigned loops_ = 0;  // for which the call was written
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
