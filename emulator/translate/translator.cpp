#include "translator.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;

namespace translate {

Error::Error(const fs::path& file, std::size_t line, const std::string& sentence)
    : std::runtime_error(file.string() + ":" + std::to_string(line) + ": error: " + sentence) {}

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in) throw std::runtime_error(path.string() + ": error: cannot be read");
  return text;
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error(path.string() + ": error: cannot be written");
}

// Returns whether it was.
bool write_if_changed(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_file(path) == text) return false;
  write_file(path, text);
  return true;
}

// A replacement of source[begin, end) by text. Edits never change the number of lines.
struct Edit {
  std::size_t begin, end;
  std::string text;
};

// Finds what has to change in one file. `code_` is the source with comments and strings blanked; all searches
// happen there, all texts are taken from `source_`.
class Finder {
 public:
  Finder(const fs::path& path, const std::string& source)
      : path_(path), source_(source), code_(blank_comments_and_strings(source)) {}

  void find_launches();
  void find_dynamic_shared();
  void find_api_casts();
  void find_noinline();

  struct Include {
    std::size_t begin, end;  // the name between the quotes
  };
  std::vector<Include> includes() const;

  std::vector<Edit>& edits() { return edits_; }

  [[noreturn]] void fail(std::size_t position, const std::string& sentence) const {
    const auto line =
        std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(position), '\n') + 1;
    throw Error(path_, static_cast<std::size_t>(line), sentence);
  }

 private:
  std::size_t matching_open(std::size_t close) const;
  std::size_t matching_angle(std::size_t close) const;
  std::size_t kernel_begin(std::size_t end) const;
  std::size_t configuration_end(std::size_t begin) const;
  bool in_function(std::size_t position) const;
  std::size_t before_spaces(std::size_t end) const {
    while (end > 0 && is_space(code_[end - 1])) --end;
    return end;
  }

  const fs::path& path_;
  const std::string& source_;
  std::string code_;
  std::vector<Edit> edits_;
};

// The position of the bracket that the one at `close` closes.
std::size_t Finder::matching_open(std::size_t close) const {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    if (code_[i] == ')' || code_[i] == ']' || code_[i] == '}') ++depth;
    if (code_[i] == '(' || code_[i] == '[' || code_[i] == '{') --depth;
    if (depth == 0) return i;
  }
  fail(close, "this bracket before <<< has no partner");
}

// The position of the < that begins the template arguments ending with the > at `close`. A comparison among
// the arguments stands in parentheses, as C++ demands for >.
std::size_t Finder::matching_angle(std::size_t close) const {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    const char c = code_[i];
    if (c == ')' || c == ']' || c == '}') {
      i = matching_open(i);
    } else if (c == '>' && !(i > 0 && code_[i - 1] == '-')) {
      ++depth;
    } else if (c == '<') {
      if (--depth == 0) return i;
    } else if (c == ';') {
      break;
    }
  }
  fail(close, "the template arguments before <<< have no beginning");
}

// The first position of the expression before <<<: a name such as kernel, ns::kernel<int, 4>, table[i],
// object.member, (*pointer) or choose(x).
std::size_t Finder::kernel_begin(std::size_t end) const {
  std::size_t at = before_spaces(end);
  for (;;) {
    // One part of the name, from its end: arguments and subscripts, then the identifier before them.
    bool any = false;
    std::size_t part = at, part_after = at;
    while (part > 0) {
      const std::size_t last = before_spaces(part) - 1;
      if (before_spaces(part) == 0) break;
      const char c = code_[last];
      if (c == ')' || c == ']') {
        part_after = part;
        part = matching_open(last);
      } else if (c == '>' && !any) {
        part = matching_angle(last);
      } else {
        break;
      }
      any = true;
    }
    const std::size_t name_end = before_spaces(part);
    std::size_t name = name_end;
    while (name > 0 && is_word(code_[name - 1])) --name;
    const std::string_view word(code_.data() + name, name_end - name);
    static constexpr std::array keywords = {"if", "while", "for", "switch", "return", "else", "do"};
    const bool keyword = std::find(keywords.begin(), keywords.end(), word) != keywords.end();
    if (!word.empty() && !keyword && !std::isdigit(static_cast<unsigned char>(word[0]))) {
      at = name;
    } else if (any && keyword && before_spaces(part_after) < before_spaces(at)) {
      at = part_after;  // if (condition) (*pointer)
      while (is_space(code_[at])) ++at;
      return at;
    } else if (any && (word.empty() || keyword)) {
      at = part;  // a parenthesised expression
    } else {
      fail(end, "no kernel name stands before <<<");
    }

    // Another part before it?
    std::size_t joint = before_spaces(at);
    std::string_view before(code_.data(), joint);
    if (before.ends_with("template") &&
        !(joint > 8 && is_word(code_[joint - 9]))) {  // Type::template kernel<3>
      joint = before_spaces(joint - 8);
      before = before.substr(0, joint);
    }
    if (before.ends_with("::")) {
      const std::size_t left = before_spaces(joint - 2);
      at = joint - 2;
      if (left == 0 || !(is_word(code_[left - 1]) || code_[left - 1] == '>')) return at;
      std::size_t first = left;
      while (first > 0 && is_word(code_[first - 1])) --first;
      const std::string_view word_before(code_.data() + first, left - first);
      if (std::find(keywords.begin(), keywords.end(), word_before) != keywords.end())
        return at;  // return ::kernel
      at = left;
    } else if (before.ends_with("->")) {
      at = before_spaces(joint - 2);
    } else if (before.ends_with(".")) {
      at = before_spaces(joint - 1);
    } else {
      return at;
    }
  }
}

// The position of the >>> that ends the configuration beginning at `begin`.
std::size_t Finder::configuration_end(std::size_t begin) const {
  int depth = 0;
  for (std::size_t i = begin; i < code_.size(); ++i) {
    const char c = code_[i];
    if (depth == 0 && code_.compare(i, 3, ">>>") == 0) return i;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth < 0 || c == ';') break;
  }
  fail(begin, "this <<< has no >>>");
}

// kernel<<<configuration>>>(arguments) becomes EMULATED_KERNEL(kernel).configure(configuration)(arguments).
void Finder::find_launches() {
  for (std::size_t open = code_.find("<<<"); open != std::string::npos; open = code_.find("<<<", open)) {
    const std::size_t name = kernel_begin(open);
    const std::size_t close = configuration_end(open + 3);
    std::size_t arguments = close + 3;
    while (arguments < code_.size() && (is_space(code_[arguments]) || code_[arguments] == '\\')) ++arguments;
    if (arguments == code_.size() || code_[arguments] != '(')
      fail(close, "the kernel's arguments in parentheses must follow >>>");
    edits_.push_back({name, name, "EMULATED_KERNEL("});
    edits_.push_back({open, open + 3, ").configure("});
    edits_.push_back({close, close + 3, ")"});
    open += 3;
  }
}

// Do only namespaces (and extern "C" blocks) enclose the position? Then it is not in a function.
bool Finder::in_function(std::size_t position) const {
  std::vector<bool> open;  // for each enclosing brace: does it belong to something else than a namespace?
  std::size_t head = 0;    // where the text before the brace begins
  for (std::size_t i = 0; i < position; ++i) {
    const char c = code_[i];
    if (c == '{') {
      std::string text = code_.substr(head, i - head);
      static const std::regex directive("[ \t]*#[^\n]*"),
          scope(R"(^\s*(inline\s+)?namespace\b|^\s*extern\s*"\s*"\s*$)");
      text = std::regex_replace(text, directive, "");
      open.push_back(!std::regex_search(text, scope));
    }
    if (c == '}' && !open.empty()) open.pop_back();
    if (c == '{' || c == '}' || c == ';') head = i + 1;
  }
  return std::find(open.begin(), open.end(), true) != open.end();
}

// extern __shared__ T name[]; becomes a reference to the block's dynamic shared memory.
void Finder::find_dynamic_shared() {
  static const std::regex start(
      R"(\bextern\s+(?:__shared__|((?:__align__|alignas)\s*\([^;]*\))\s*__shared__)\s)");
  static const std::regex declaration(
      R"(^((?:(?:__align__|alignas)\s*\((?:[^()]|\([^()]*\))*\)|)"           // alignment
      R"(__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)|\s)*)([^;=\[\]]*?))"  // attributes, type
      R"(([A-Za-z_]\w*)\s*\[\s*\]\s*;)");                                    // name[];
  static const std::regex alignment(R"((?:__align__|alignas)\s*\((?:[^()]|\([^()]*\))*\))");
  for (std::sregex_iterator it(code_.begin(), code_.end(), start), last; it != last; ++it) {
    const auto begin = static_cast<std::size_t>(it->position());
    const std::size_t rest = begin + static_cast<std::size_t>(it->length());
    const std::size_t end = code_.find(';', rest);
    if (end == std::string::npos) fail(begin, "this declaration has no end");
    const std::string text = code_.substr(rest, end + 1 - rest);
    std::smatch parts;
    if (!std::regex_search(text, parts, declaration))
      fail(begin,
           "dynamic shared memory must be declared as `extern __shared__ type name[];`, one name at a time");
    if (!in_function(begin))
      fail(begin,
           "extern __shared__ must stand inside the kernel that uses it: the emulated device has no place "
           "for it "
           "at namespace scope");
    const std::string type = std::regex_replace(parts[2].str(), alignment, "");
    const std::string whole = source_.substr(begin, end + 1 - begin);
    std::string line_type;
    for (const char c : type) line_type += c == '\n' ? ' ' : c;
    while (!line_type.empty() && is_space(line_type.back())) line_type.pop_back();
    edits_.push_back(
        {begin, end + 1,
         "[[maybe_unused]] auto& " + parts[3].str() + " = ::emulated::dynamic_shared<" + line_type + ">();" +
             std::string(static_cast<std::size_t>(std::count(whole.begin(), whole.end(), '\n')), '\n')});
  }
}

// cudaLaunchKernel((void*)kernel, ...): the cast would hide the types of the kernel's parameters, which
// nvcc's runtime knows from elsewhere. Without it our cudaLaunchKernel, a template, sees them.
void Finder::find_api_casts() {
  static const std::regex call(
      R"(\bcuda(?:LaunchKernel|LaunchCooperativeKernel)\s*\(\s*)"
      R"((\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)|)"                               // (void*)
      R"((?:reinterpret|static)_cast\s*<\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*>))");  // a C++ cast
  for (std::sregex_iterator it(code_.begin(), code_.end(), call), last; it != last; ++it) {
    const auto begin = static_cast<std::size_t>(it->position(1));
    const std::size_t end = begin + static_cast<std::size_t>(it->length(1));
    edits_.push_back({begin, end, ""});
  }
}

// nvcc knows the keyword __noinline__. As a macro it would break the standard library's own
// __attribute__((__noinline__)).
void Finder::find_noinline() {
  constexpr std::string_view word = "__noinline__";
  for (std::size_t at = code_.find(word); at != std::string::npos; at = code_.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at > 0 && is_word(code_[at - 1])) || (end < code_.size() && is_word(code_[end]))) continue;
    const std::size_t before = before_spaces(at);
    if (before > 0 && (code_[before - 1] == '(' || code_[before - 1] == ',')) continue;
    edits_.push_back({at, end, "__attribute__((noinline))"});
  }
}

std::vector<Finder::Include> Finder::includes() const {
  static const std::regex directive(R"((^|\n)[ \t]*#[ \t]*include[ \t]*")");
  std::vector<Include> found;
  for (std::sregex_iterator it(code_.begin(), code_.end(), directive), last; it != last; ++it) {
    const auto begin = static_cast<std::size_t>(it->position() + it->length());
    const std::size_t end = source_.find_first_of("\"\n", begin);
    if (end == std::string::npos || source_[end] == '\n') fail(begin, "this #include has no closing quote");
    found.push_back({begin, end});
  }
  return found;
}

std::string quoted(const fs::path& path) {
  std::string text;
  for (const char c : path.generic_string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

std::string blank_comments_and_strings(const std::string& source) {
  std::string code = source;
  const std::size_t n = source.size();
  auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, n); ++i)
      if (code[i] != '\n') code[i] = ' ';
  };
  auto ends_line = [&](std::size_t i) {  // a backslash before the end of a line continues it
    return source[i] == '\n' &&
           !(i > 0 && (source[i - 1] == '\\' || (source[i - 1] == '\r' && i > 1 && source[i - 2] == '\\')));
  };
  std::size_t i = 0;
  while (i < n) {
    if (source.compare(i, 2, "//") == 0) {
      std::size_t end = i;
      while (end < n && !ends_line(end)) ++end;
      blank(i, end);
      i = end;
    } else if (source.compare(i, 2, "/*") == 0) {
      const std::size_t close = source.find("*/", i + 2);
      const std::size_t end = close == std::string::npos ? n : close + 2;
      blank(i, end);
      i = end;
    } else if (source[i] == '"' && i > 0 && source[i - 1] == 'R' &&
               (i < 2 || !is_word(source[i - 2]) || source[i - 2] == 'L' || source[i - 2] == 'u' ||
                source[i - 2] == 'U' || source[i - 2] == '8')) {
      // R"delimiter( ... )delimiter"
      const std::size_t paren = source.find('(', i);
      if (paren == std::string::npos) break;
      const std::string close = ")" + source.substr(i + 1, paren - i - 1) + "\"";
      const std::size_t found = source.find(close, paren);
      const std::size_t end = found == std::string::npos ? n : found + close.size();
      blank(i + 1, end - 1);
      i = end;
    } else if (source[i] == '"' || (source[i] == '\'' &&
                                    !(i > 0 && std::isxdigit(static_cast<unsigned char>(source[i - 1])) &&
                                      i + 1 < n && std::isxdigit(static_cast<unsigned char>(source[i + 1])) &&
                                      !(i + 2 < n && source[i + 2] == '\'' && !is_word(source[i - 1]))))) {
      const char quote = source[i];  // (a ' between two digits separates them, as in 1'000)
      std::size_t end = i + 1;
      while (end < n && source[end] != quote && !ends_line(end)) end += source[end] == '\\' ? 2 : 1;
      blank(i + 1, end);
      i = end + 1;
    } else {
      ++i;
    }
  }
  return code;
}

Translator::Translator(fs::path include_folder) : include_folder_(std::move(include_folder)) {}

void Translator::translate(const fs::path& input, const fs::path& output) {
  if (output.has_parent_path()) fs::create_directories(output.parent_path());
  const std::string text = translated_text(fs::absolute(input).lexically_normal());
  // A changed header makes the output new as well, though its text is the old one: Ninja compiles only when it
  // sees the output become newer. All is written at the end, so that an error leaves no half of it.
  bool changed = false;
  for (const auto& [path, header] : headers_) changed |= write_if_changed(path, header);
  if (changed)
    write_file(output, text);
  else
    write_if_changed(output, text);
}

std::string Translator::translated_text(const fs::path& input) {
  inputs_.insert(input);
  const std::string source = read_file(input);
  Finder finder(input, source);
  finder.find_launches();
  finder.find_dynamic_shared();
  finder.find_api_casts();
  finder.find_noinline();

  // The output lies in another folder, so that relative names no longer lead to their files.
  std::vector<Edit> edits = std::move(finder.edits());
  for (const auto& include : finder.includes()) {
    const fs::path name = source.substr(include.begin, include.end - include.begin);
    const fs::path file = (input.parent_path() / name).lexically_normal();
    if (!fs::is_regular_file(file)) continue;
    const bool cuda = file.extension() == ".cuh" || file.extension() == ".cu";
    edits.push_back({include.begin, include.end, quoted(cuda ? translated_include(file) : file)});
  }

  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string text = "#line 1 \"" + quoted(input) + "\"\n";
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    text.append(source, at, edit.begin - at);
    text += edit.text;
    at = edit.end;
  }
  text.append(source, at, std::string::npos);
  return text;
}

fs::path Translator::translated_include(const fs::path& header) {
  // One file for one header, however it is named in the #include: #pragma once depends on that.
  std::string name;
  for (const char c : header.generic_string()) name += is_word(c) || c == '.' ? c : '_';
  fs::path output = include_folder_ / (name + ".h");
  if (!inputs_.contains(header)) {
    fs::create_directories(include_folder_);
    headers_[output] = translated_text(header);
  }
  return output;
}

}  // namespace translate
