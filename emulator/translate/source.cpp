#include "source.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

namespace translate {

namespace {

// Some editors begin a file with the bytes of U+FEFF. In the middle of a file (the translation
// begins with #line) the compiler would not take them.
std::string without_byte_order_mark(std::string text) {
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  return text;
}

// Would two characters at the seam of a change become one token, as in a<<n or c?x:T(0)?
bool grow_together(char left, char right) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  return (in_word(left) && in_word(right)) || (left == ':' && right == ':');
}

// What lets the compiler say a sentence where it stands: _Pragma("GCC error \"sentence\""). Its
// quotes are within two strings.
std::string compiler_says(std::string_view kind, std::string_view sentence) {
  std::string text;
  for (const char c : sentence)
    text += c == '"' || c == '\\' ? std::string("\\\\\\") + c : std::string(1, c);
  return joined({"_Pragma(\"GCC ", kind, " \\\"", text, "\\\"\") "});
}

}  // namespace

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string result;
  for (const std::string_view part : parts) result += part;
  return result;
}

Source::Source(std::filesystem::path path, std::string text)
    : path_(std::move(path)), text_(without_byte_order_mark(std::move(text))), lexed_(lex(text_)) {
  if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff"))
    fail(0, "the file is in UTF-16, which C++ compilers do not read; save it as UTF-8");
  // A cell of a notebook, copied with its first line.
  const std::size_t first = text_.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text_.compare(first, 2, "%%") == 0) {
    const std::string command = text_.substr(first, text_.find_first_of(" \t\r\n", first) - first);
    fail(first, command +
                    " is a command of the notebook that the program comes from, and no CUDA; "
                    "remove this line");
  }
}

std::vector<Macro> Source::macros() const {
  std::vector<Macro> found;
  for (const Directive& directive : directives()) {
    const Tokens& line = directive.tokens;
    if (!line.is(0, "define") || line.size() < 2) continue;
    const bool has_parameters = line.is(2, "(") && line.touches_previous(2);
    if (!has_parameters || line.partner(2) != none)
      found.push_back(
          {line, line.text(1), has_parameters, has_parameters ? line.partner(2) + 1 : 2});
  }
  return found;
}

void Source::replace(std::size_t begin, std::size_t end, std::string text) {
  // Lines keep their numbers.
  const std::string_view old = std::string_view(text_).substr(begin, end - begin);
  const auto lines =
      std::count(old.begin(), old.end(), '\n') - std::count(text.begin(), text.end(), '\n');
  const bool in_directive = old.find("\\\n") != old.npos || old.find("\\\r\n") != old.npos;
  for (auto i = lines; i > 0; --i) text += in_directive ? "\\\n" : "\n";
  edits_.push_back({begin, end, begin == end ? Edit::opens : Edit::replaces, {{std::move(text)}}});
}

void Source::close(std::size_t at, std::string text) {
  edits_.push_back({at, at, Edit::closes, {{std::move(text)}}});
}

void Source::wrap(std::size_t begin, std::size_t end, std::vector<Piece> before,
                  std::string after) {
  edits_.push_back({begin, begin, Edit::opens_all, std::move(before)});
  edits_.push_back({end, end, Edit::closes_all, {{std::move(after)}}});
}

std::string Source::result() const {
  std::vector<const Edit*> sorted;
  sorted.reserve(edits_.size());
  for (const Edit& edit : edits_) sorted.push_back(&edit);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Edit* a, const Edit* b) {
    return std::pair(a->begin, a->order) < std::pair(b->begin, b->order);
  });
  std::string text;
  render(sorted, 0, text_.size(), text);
  return text;
}

// Adds the bytes [begin, end) with the changes in them; what closes before `begin`, opens after
// `end` or encloses them is not in them, but where it is all of the file.
void Source::render(const std::vector<const Edit*>& sorted, std::size_t begin, std::size_t end,
                    std::string& text) const {
  const auto append = [&text](std::string_view piece) {
    if (!text.empty() && !piece.empty() && grow_together(text.back(), piece.front())) text += ' ';
    text += piece;
  };
  const std::string_view old = text_;
  const bool all = end - begin == old.size();
  std::size_t at = begin;
  const auto first =
      std::lower_bound(sorted.begin(), sorted.end(), begin,
                       [](const Edit* edit, std::size_t place) { return edit->begin < place; });
  for (auto i = first; i != sorted.end() && (*i)->begin <= end; ++i) {
    const Edit& edit = **i;
    if (edit.begin < at || edit.end > end)
      continue;  // within something that is replaced as a whole
    if (!all && edit.begin == begin && edit.order < Edit::opens) continue;
    if (!all && edit.begin == end && edit.order > Edit::closes) continue;
    append(old.substr(at, edit.begin - at));
    for (const Piece& piece : edit.pieces) {
      append(piece.text);
      if (piece.begin < piece.end) render(sorted, piece.begin, piece.end, text);
    }
    at = edit.end;
  }
  append(old.substr(at, end - at));
}

// The last "#line NUMBER" before the position, or none.
const Directive* Source::line_directive(std::size_t position) const {
  const Directive* last = nullptr;
  for (const Directive& directive : directives()) {
    if (directive.begin >= position) break;
    if (directive.tokens.is(0, "line")) last = &directive;
  }
  return last;
}

std::size_t Source::line(std::size_t position) const {
  std::size_t number = 1;
  std::size_t begin = 0;
  if (const Directive* const directive = line_directive(position)) {
    const std::string_view text = directive->tokens.text(1);
    std::from_chars(text.data(), text.data() + text.size(), number);  // of the line after it
    begin = std::min(text_.find('\n', directive->begin), position - 1) + 1;
  }
  const auto at = [&](std::size_t place) {
    return text_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  return number + static_cast<std::size_t>(std::count(at(begin), at(position), '\n'));
}

std::size_t Source::column(std::size_t position) const {
  const std::size_t end_before =
      position == 0 ? std::string::npos : text_.rfind('\n', position - 1);
  return position - (end_before == std::string::npos ? 0 : end_before + 1) + 1;
}

bool Source::is_conditional(std::size_t position) const {
  int open = 0;
  for (const Directive& directive : directives()) {
    if (directive.begin >= position) break;
    if (directive.tokens.text(0).starts_with("if")) ++open;
    if (directive.tokens.is(0, "endif")) --open;
  }
  return open > 0;
}

std::string Source::located(std::size_t position, std::string_view kind,
                            const std::string& sentence) const {
  std::string path = path_.string();
  if (const Directive* const directive = line_directive(position))
    if (const std::string_view name = directive->tokens.text(2); name.size() > 2)
      path = name.substr(1, name.size() - 2);
  return joined({path, ":", std::to_string(line(position)), ":", std::to_string(column(position)),
                 ": ", kind, ": ", sentence});
}

void Source::fail(std::size_t position, const std::string& sentence) const {
  throw Error(located(position, "error", sentence));
}

void Source::refuse(std::size_t position, const std::string& sentence) {
  note(position, "error", sentence, errors_);
}

void Source::warn(std::size_t position, const std::string& sentence) {
  note(position, "warning", sentence, warnings_);
}

void Source::note(std::size_t position, std::string_view kind, const std::string& sentence,
                  std::vector<std::string>& list) {
  if (!is_conditional(position)) {
    list.push_back(located(position, kind, sentence));
    return;
  }
  // Before a preprocessor line it needs one of its own.
  const bool directive = text_[position] == '#';
  const std::string next = joined({"\n#line ", std::to_string(line(position)), "\n"});
  open(position, compiler_says(kind, sentence) + (directive ? next : ""));
}

}  // namespace translate
