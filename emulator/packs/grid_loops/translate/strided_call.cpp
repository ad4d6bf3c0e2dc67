#include "strided_call.h"

#include <string>
#include <string_view>
#include <utility>

namespace translate {

namespace {

class CallWriter {
 public:
  CallWriter(Source& source, const KernelVariables& variables, const Loop& loop, const StridedCall& call)
      : source_(source), code_(source.code()), variables_(variables), loop_(loop), call_(call) {}

  void write() {
    const std::string prefix = joined({"emulated_kept_", std::to_string(call_.number), "_"});
    std::string arrays, load, store, take, plain;
    for (const std::string& name : call_.kept) {
      const Local& local = *variables_.find(name);
      const std::string array = prefix + name;
      arrays += joined({"static thread_local ::emulated::Kept<", local.type, "> ", array, "[1024]; "});
      load += joined({local.type, " ", name, " = ", array, "[emulated_rank]; "});
      store += joined({array, "[emulated_rank] = ", name, "; "});
      take += joined({"::emulated::take(", name, ", ", array, "[::emulated::thread_rank()]); "});
    }
    for (const std::string& type : variables_.types())
      plain += joined({plain.empty() ? "" : " && ", "::emulated::is_plain<", type, ">"});
    const std::string bits = joined({std::to_string(1u << call_.number), "u, ",
                                     call_.behind_loop ? std::to_string(1u << (call_.number - 1)) : "0",
                                     "u, ", call_.behind_barrier ? "true" : "false"});
    constexpr std::string_view inlined = " __attribute__((always_inline)) { ";
    const std::string line = std::to_string(source_.line(code_.begin(loop_.first))),
                      body_line = std::to_string(source_.line(code_.begin(loop_.body)));
    // the index that a thread begins with
    add(joined({arrays, "if (!::emulated::strided_loop<", plain.empty() ? "true" : plain, ">(", bits,
                ", [&]()", inlined}));
    declare_again();
    if (loop_.start == none)
      declare(*variables_.find(loop_.index));
    else
      add(joined({loop_.index_type, " ", loop_.index, " = "}), loop_.start, loop_.start_last, "; ");
    // what is kept for it
    add(joined({"return ", loop_.index, "; }, [&]([[maybe_unused]] auto emulated_rank)", inlined}));
    declare_again();
    for (const std::string& name : call_.kept) {
      const Local& local = *variables_.find(name);
      add(joined({prefix, name, "[emulated_rank] = "}), local.value, local.last, "; ");
    }
    // the condition and the step
    add(joined({"}, [&](auto ", loop_.index, ")", inlined, "return "}), loop_.bound, loop_.bound_last);
    add(joined({"; }, [&]()", inlined, "return "}), loop_.step, loop_.step_last);
    // one iteration
    add(joined({"; }, [&](auto emulated_index, [[maybe_unused]] auto emulated_rank)", inlined}));
    declare_again();
    add(joined({load, "[[maybe_unused]] const auto ", loop_.index, " = emulated_index; do {\n#line ",
                body_line, "\n"}),
        loop_.body, loop_.body_last,
        joined({"\n#line ", line, "\n} while (0); ", store, "})) {\n#line ", line, "\n"}));
    source_.wrap(code_.begin(loop_.first), code_.end(loop_.last - 1), std::move(pieces_),
                 take.empty() ? " }" : joined({" } else { ", take, "}"}));
  }

 private:
  // The text, tokens [first, last), and the text behind them.
  void add(std::string text, std::size_t first = 0, std::size_t last = 0, std::string behind = "") {
    if (first < last)
      pieces_.push_back({std::move(text), code_.begin(first), code_.end(last - 1)});
    else
      pieces_.push_back({std::move(text)});
    pieces_.push_back({std::move(behind)});
  }

  void declare(const Local& local) {
    add(joined({"[[maybe_unused]] ", local.type, " ", local.name, " = "}), local.value, local.last, "; ");
  }

  // The locals that are computed again in the rounds and are not kept.
  void declare_again() {
    for (const Local* local : call_.again)
      if (!call_.kept.contains(local->name)) declare(*local);
  }

  Source& source_;
  const Tokens& code_;
  const KernelVariables& variables_;
  const Loop& loop_;
  const StridedCall& call_;
  std::vector<Piece> pieces_;
};

}  // namespace

void write_strided_call(Source& source, const KernelVariables& variables, const Loop& loop,
                        const StridedCall& call) {
  CallWriter(source, variables, loop, call).write();
}

}  // namespace translate
