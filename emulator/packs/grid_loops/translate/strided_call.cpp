#include "strided_call.h"

#include <string>
#include <string_view>
#include <utility>

namespace translate {

void write_strided_call(Source& source, const KernelVariables& variables, const Loop& loop,
                        const StridedCall& call) {
  const Tokens& code = source.code();
  std::vector<Piece> pieces;
  // The text, tokens [first, last), and the text behind them.
  const auto add = [&](std::string text, std::size_t first = 0, std::size_t last = 0,
                       std::string_view behind = "") {
    pieces.push_back({std::move(text), code.begin(first), first < last ? code.end(last - 1) : 0});
    pieces.push_back({std::string(behind)});
  };
  const auto declare = [&](const Local& local) {
    add(joined({"[[maybe_unused]] ", local.type, " ", local.name, " = "}), local.value, local.last, "; ");
  };
  // The locals that are computed again in the rounds and are not kept.
  const auto declare_again = [&] {
    for (const Local* local : call.again)
      if (!call.kept.contains(local->name)) declare(*local);
  };
  const std::string prefix = joined({"emulated_kept_", std::to_string(call.number), "_"});
  std::string arrays, load, store, take, plain;
  for (const std::string& name : call.kept) {
    const Local& local = *variables.find(name);
    const std::string array = prefix + name;
    arrays += joined({"static thread_local ::emulated::Kept<", local.type, "> ", array, "[1024]; "});
    load += joined({local.type, " ", name, " = ", array, "[emulated_rank]; "});
    store += joined({array, "[emulated_rank] = ", name, "; "});
    take += joined({"::emulated::take(", name, ", ", array, "[::emulated::thread_rank()]); "});
  }
  for (const std::string& type : variables.types())
    plain += joined({plain.empty() ? "" : " && ", "::emulated::is_plain<", type, ">"});
  const std::string bits = joined({std::to_string(1u << call.number), "u, ",
                                   call.behind_loop ? std::to_string(1u << (call.number - 1)) : "0", "u, ",
                                   call.behind_barrier ? "true" : "false"});
  constexpr std::string_view inlined = " __attribute__((always_inline)) { ";
  const std::string line = std::to_string(source.line(code.begin(loop.first))),
                    body_line = std::to_string(source.line(code.begin(loop.body)));
  // the index that a thread begins with
  add(joined({arrays, "if (!::emulated::strided_loop<", plain.empty() ? "true" : plain, ">(", bits, ", [&]()",
              inlined}));
  declare_again();
  if (loop.start == none)
    declare(*variables.find(loop.index));
  else
    add(joined({loop.index_type, " ", loop.index, " = "}), loop.start, loop.start_last, "; ");
  // what is kept for it
  add(joined({"return ", loop.index, "; }, [&]([[maybe_unused]] auto emulated_rank)", inlined}));
  declare_again();
  for (const std::string& name : call.kept) {
    const Local& local = *variables.find(name);
    add(joined({prefix, name, "[emulated_rank] = "}), local.value, local.last, "; ");
  }
  // the condition and the step
  add(joined({"}, [&](auto ", loop.index, ")", inlined, "return "}), loop.bound, loop.bound_last);
  add(joined({"; }, [&]()", inlined, "return "}), loop.step, loop.step_last);
  // one iteration
  add(joined({"; }, [&](auto emulated_index, [[maybe_unused]] auto emulated_rank)", inlined}));
  declare_again();
  add(joined({load, "[[maybe_unused]] const auto ", loop.index, " = emulated_index; do {\n#line ", body_line,
              "\n"}),
      loop.body, loop.body_last,
      joined({"\n#line ", line, "\n} while (0); ", store, "})) {\n#line ", line, "\n"}));
  source.wrap(code.begin(loop.first), code.end(loop.last - 1), std::move(pieces),
              take.empty() ? " }" : joined({" } else { ", take, "}"}));
}

}  // namespace translate
