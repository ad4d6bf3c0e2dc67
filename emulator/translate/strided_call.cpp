#include "strided_call.h"

#include <string>
#include <string_view>

namespace translate {

namespace {

class CallWriter {
 public:
  CallWriter(Source& source, const KernelVariables& variables, const Loop& loop, const StridedCall& call)
      : source_(source), code_(source.code()), variables_(variables), loop_(loop), call_(call) {}

  void write() {
    const std::string prefix = joined({"emulated_kept_", std::to_string(call_.number), "_"}),
                      again = declare_again();
    std::string arrays, prepare, load, store, take;
    for (const std::string& name : call_.kept) {
      const Local& local = *variables_.find(name);
      const std::string array = prefix + name;
      arrays += joined({"static thread_local ::emulated::Kept<", local.type, "> ", array, "[1024]; "});
      prepare += joined({array, "[emulated_rank] = ", text(local.value, local.last), "; "});
      load += joined({local.type, " ", name, " = ", array, "[emulated_rank]; "});
      store += joined({array, "[emulated_rank] = ", name, "; "});
      take += joined({"::emulated::take(", name, ", ", array, "[::emulated::thread_rank()]); "});
    }
    const std::string declare_index =
        loop_.start == none
            ? declare(*variables_.find(loop_.index))
            : joined({loop_.index_type, " ", loop_.index, " = ", text(loop_.start, loop_.start_last), "; "});
    std::string plain;
    for (const std::string& type : variables_.types())
      plain += joined({plain.empty() ? "" : " && ", "::emulated::is_plain<", type, ">"});
    const std::string bits = joined({std::to_string(1u << call_.number), "u, ",
                                     call_.behind_loop ? std::to_string(1u << (call_.number - 1)) : "0",
                                     "u, ", call_.behind_barrier ? "true" : "false"});
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

 private:
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

  // The locals that are computed again in the rounds and are not kept.
  std::string declare_again() const {
    std::string result;
    for (const Local* local : call_.again)
      if (!call_.kept.contains(local->name)) result += declare(*local);
    return result;
  }

  Source& source_;
  const Tokens& code_;
  const KernelVariables& variables_;
  const Loop& loop_;
  const StridedCall& call_;
};

}  // namespace

void write_strided_call(Source& source, const KernelVariables& variables, const Loop& loop,
                        const StridedCall& call) {
  CallWriter(source, variables, loop, call).write();
}

}  // namespace translate
