// Inline PTX: asm("mov.u32 %0, %%laneid;" : "=r"(lane)); becomes a call of a function in
// ::emulated::ptx (../include/emulated/ptx.h), with an error of the compiler's for an
// instruction that has none. A statement without text only says to the compiler that
// memory may have changed, and stays.

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "passes.h"

namespace translate {

namespace {

using Table = std::map<std::string_view, std::string_view>;

const Table& types() {
  static const Table table = {
      {"u32", "unsigned"},        {"b32", "unsigned"},        {"s32", "int"},
      {"u64", "::std::uint64_t"}, {"b64", "::std::uint64_t"}, {"s64", "::std::int64_t"},
      {"f32", "float"},           {"f64", "double"},          {"u16", "unsigned short"},
      {"s16", "short"},           {"b16", "unsigned short"},  {"u8", "unsigned char"},
      {"s8", "signed char"},      {"b8", "unsigned char"}};
  return table;
}

// Instructions with a result, by their names without type, rounding and cache hints.
constexpr std::string_view instructions =
    "mov add sub mul mul.lo mul.hi mul.wide mad mad.lo fma min max abs neg and or xor not shl shr "
    "popc clz brev bfind bfe bfi sqrt rsqrt rcp sin cos ex2 lg2 tanh";

// What a special register holds; empty for an unknown one.
std::string special_register(std::string_view name) {
  static const Table table = {
      {"laneid", "::emulated::lane()"},
      {"warpid", "::emulated::ptx::warp()"},
      {"nwarpid", "::emulated::ptx::warps()"},
      {"smid", "(blockIdx.x % 255u)"},
      {"nsmid", "255u"},
      {"lanemask_eq", "::emulated::ptx::lane_bit()"},
      {"lanemask_lt", "::emulated::ptx::lanes_below()"},
      {"lanemask_le", "(::emulated::ptx::lanes_below() | ::emulated::ptx::lane_bit())"},
      {"lanemask_gt", "~(::emulated::ptx::lanes_below() | ::emulated::ptx::lane_bit())"},
      {"lanemask_ge", "~::emulated::ptx::lanes_below()"},
      {"clock", "static_cast<unsigned>(::clock64())"},
      {"clock64", "::clock64()"},
      {"globaltimer", "::clock64()"},
      {"tid", "threadIdx"},
      {"ntid", "blockDim"},
      {"ctaid", "blockIdx"},
      {"nctaid", "gridDim"}};
  const std::size_t dot = std::min(name.find('.'), name.size());  // of %tid.x
  const auto found = table.find(name.substr(0, dot));
  return found == table.end() ? "" : joined({found->second, name.substr(dot)});
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return std::string(text);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(trimmed(text.substr(begin, end - begin)));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// An instruction that is not in the tables.
struct Unknown {
  std::string what;
};

// What the compiler is to say about it. Not the translator: only the compiler knows whether an
// #ifdef leaves the statement out.
std::string error_of_compiler(const Unknown& unknown) {
  std::string what;
  for (const char c : unknown.what)
    what += c == '"' || c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
  return "_Pragma(\"GCC error \\\"the emulated device does not know the inline PTX '" + what +
         "'; write it in CUDA C++, or choose with #ifdef EMULATED_DEVICE\\\"\")";
}

// One asm statement.
class Statement {
 public:
  // `open` is its parenthesis.
  Statement(const Tokens& code, std::size_t open) : code_(code) {
    const std::size_t close = code_.partner(open);
    std::size_t i = open + 1;
    for (; code_.is(i, Kind::text); ++i) text_ += unquoted(code_.text(i));
    // : "=r"(a), "=r"(b) : "r"(c) : "memory"
    for (int colons = 0; i < close; ++i) {
      if (code_.is(i, ":")) colons += 1;
      if (code_.is(i, "::")) colons += 2;
      if (colons > 2 || !code_.is(i, Kind::text) || !code_.is(i + 1, "(")) continue;
      const std::size_t end = code_.partner(i + 1);
      operands_.push_back("(" + std::string(code_.between(i + 2, end)) + ")");
      i = end;
    }
  }

  bool empty() const { return trimmed(text_).empty(); }

  // The statement as an expression.
  std::string translation() const {
    std::string result;
    for (const std::string& instruction : split(text_, ';')) {
      if (instruction.empty()) continue;
      result += (result.empty() ? "" : ", ") + translated(instruction);
    }
    return "static_cast<void>((" + (result.empty() ? "0" : result) + "))";
  }

 private:
  static std::string unquoted(std::string_view literal) {
    std::string text;
    for (std::size_t i = literal.find('"') + 1; i + 1 < literal.size(); ++i) {
      if (literal[i] == '\\') {
        ++i;
        text += literal[i] == 'n' || literal[i] == 't' || literal[i] == 'r' ? ' ' : literal[i];
      } else {
        text += literal[i];
      }
    }
    return text;
  }

  std::string operand(const std::string& text, const std::string& instruction) const {
    if (text.starts_with("%")) {
      const std::string name = text.substr(text.starts_with("%%") ? 2 : 1);
      if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0) {
        const auto number = static_cast<std::size_t>(std::stoul(name));
        if (number >= operands_.size()) throw Unknown{instruction};
        return operands_[number];
      }
      const std::string value = special_register(name);
      if (value.empty()) throw Unknown{"%" + name};
      return value;
    }
    if (text.starts_with("0f") || text.starts_with("0F"))  // the bits of a float
      return "__builtin_bit_cast(float, 0x" + text.substr(2) + "u)";
    if (text.empty() || (std::isdigit(static_cast<unsigned char>(text[0])) == 0 && text[0] != '-'))
      throw Unknown{instruction};
    return text;
  }

  // [%1] or [%1 + 4]
  std::string address(const std::string& text, const std::string& instruction) const {
    if (!text.starts_with("[") || !text.ends_with("]")) throw Unknown{instruction};
    const std::vector<std::string> parts =
        split(std::string_view(text).substr(1, text.size() - 2), '+');
    std::string result =
        "::emulated::ptx::as<::std::uint64_t>(" + operand(parts[0], instruction) + ")";
    for (std::size_t i = 1; i < parts.size(); ++i) result += " + " + operand(parts[i], instruction);
    return result;
  }

  std::string translated(const std::string& instruction) const {
    const std::size_t space = std::min(instruction.find_first_of(" \t\n["), instruction.size());
    const std::vector<std::string> words =
        split(std::string_view(instruction).substr(0, space), '.');
    const std::string rest = trimmed(std::string_view(instruction).substr(space));
    const std::vector<std::string> arguments =
        rest.empty() ? std::vector<std::string>() : split(rest, ',');
    const std::string& first = words[0];
    if (first == "membar" || first == "fence")
      return std::find(words.begin(), words.end(), "cta") == words.end() ? "__threadfence()"
                                                                         : "__threadfence_block()";
    if (first == "prefetch" || first == "prefetchu") return "0";
    if (first == "trap") return "__trap()";
    if (first == "nanosleep") return "__nanosleep(" + operand(arguments.at(0), instruction) + ")";
    if ((first == "bar" || first == "barrier") &&
        (arguments.empty() || arguments == std::vector<std::string>{"0"}))
      return "__syncthreads()";

    std::string name, type;
    for (const std::string& word : words) {
      if (const auto found = types().find(word); found != types().end())
        type = found->second;
      else if (!one_of(
                   word,
                   "rn approx ftz sat full global shared ca cg cs cv lu nc wb wt volatile relaxed "
                   "acquire release sys cta gpu L1::no_allocate") ||
               name.empty())
        name += (name.empty() ? "" : ".") + word;
    }
    if (type.empty()) throw Unknown{instruction};
    const std::string space_of_type = "::emulated::ptx::as<" + type + ">(";
    // Who loads with acquire may wait for another thread.
    const bool acquires = std::find(words.begin(), words.end(), "acquire") != words.end();
    const std::string load = acquires ? "load_acquire" : "load";
    if (name == "ld" && arguments.size() == 2)
      return "::emulated::ptx::assign(" + operand(arguments[0], instruction) +
             ", ::emulated::ptx::" + load + "<" + type + ">(" + address(arguments[1], instruction) +
             "))";
    if (name == "st" && arguments.size() == 2)
      return "::emulated::ptx::store<" + type + ">(" + address(arguments[0], instruction) + ", " +
             space_of_type + operand(arguments[1], instruction) + "))";
    if (!one_of(name, instructions) || arguments.size() < 2) throw Unknown{instruction};
    std::replace(name.begin(), name.end(), '.', '_');
    std::string call = "::emulated::ptx::" + name + "_(";
    for (std::size_t i = 1; i < arguments.size(); ++i)
      call += (i == 1 ? "" : ", ") + space_of_type + operand(arguments[i], instruction) + ")";
    return "::emulated::ptx::assign(" + operand(arguments[0], instruction) + ", " + call + "))";
  }

  const Tokens& code_;
  std::string text_;
  std::vector<std::string> operands_;
};

}  // namespace

void translate_ptx(Source& source, const Outline& outline, Program&) {
  const Tokens& code = source.code();
  for (const DeviceCode& part : device_code(outline, code)) {
    for (std::size_t i = part.body; i < part.last; ++i) {
      if (!code.is_one_of(i, "asm __asm__ __asm")) continue;
      std::size_t open = i + 1;
      while (code.is(open, "volatile") || code.is(open, "__volatile__")) ++open;
      const std::size_t close = code.is(open, "(") ? code.partner(open) : none;
      if (close == none || !code.is(open + 1, Kind::text)) continue;
      const Statement statement(code, open);
      if (statement.empty()) continue;
      std::string text;
      try {
        text = statement.translation();
      } catch (const Unknown& unknown) {
        text = error_of_compiler(unknown);
      }
      source.replace(code.begin(i), code.end(close), std::move(text));
      i = close;
    }
  }
}

}  // namespace translate
