#include "lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace translate {

namespace {

// Bytes beyond ASCII count as letters, whatever the encoding: names may
// hold them, nothing else does.
bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool in_word(char c) { return begins_word(c) || is_digit(c); }

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// Longer operators first. No << and >>: see Kind::sign.
constexpr std::array<std::string_view, 22> operators = {
    "<<=", ">>=", "...", "::", "->", "==", "!=", "<=", ">=", "&&", "||",
    "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##"};

bool is_literal_prefix(std::string_view word) { return one_of(word, "u8 u U L R LR u8R uR UR"); }

}  // namespace

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source), result_{Tokens(source), {}} {}

  Lexed run() {
    bool line_begins = true;
    while (at_ < source_.size()) {
      if (skip_space()) continue;
      const char c = source_[at_];
      if (c == '\n') {
        ++at_;
        line_begins = true;
      } else if (c == '#' && line_begins) {
        read_directive();
      } else {
        line_begins = false;
        read_token(live() ? &result_.code : nullptr, at_);
      }
    }
    match_brackets(result_.code, marks_);
    return std::move(result_);
  }

 private:
  // What #if to #endif knows: whether the text around it exists, whether this branch does, whether
  // a later one can, and whether one did before.
  struct Condition {
    bool outer, live, later, lived;
  };
  // Where conditions change in the code.
  enum class Mark { begins, other_branch, ends };
  using Marks = std::vector<std::pair<std::size_t, Mark>>;  // each before that token

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  bool live() const { return conditions_.empty() || conditions_.back().live; }

  // The length of a backslash and the line's end after it, which together are nothing; else 0.
  std::size_t continuation(std::size_t at) const {
    if (at >= source_.size() || source_[at] != '\\') return 0;
    std::size_t end = at + 1;
    if (end < source_.size() && source_[end] == '\r') ++end;
    return end < source_.size() && source_[end] == '\n' ? end + 1 - at : 0;
  }

  // Skips one space, comment or continuation; false: there is none here.
  bool skip_space() {
    if (is_space(peek())) {
      ++at_;
    } else if (const std::size_t length = continuation(at_)) {
      at_ += length;
    } else if (peek() == '/' && peek(1) == '/') {
      skip_line();
    } else if (peek() == '/' && peek(1) == '*') {
      const std::size_t close = source_.find("*/", at_ + 2);
      at_ = close == std::string_view::npos ? source_.size() : close + 2;
    } else {
      return false;
    }
    return true;
  }

  // To the end of the line, or of the last one that a backslash joins to it.
  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n')
      at_ += std::max<std::size_t>(1, continuation(at_));
  }

  // Reads one token; `tokens` gets it unless that is nullptr.
  // `header_end`: after the > of the <name> that an #include begins here; at_ for anything else.
  void read_token(Tokens* tokens, std::size_t header_end) {
    const std::size_t begin = at_;
    Kind kind = Kind::sign;
    if (header_end != at_) {
      kind = Kind::text;
      at_ = header_end;
    } else if (begins_word(peek())) {
      while (in_word(peek())) ++at_;
      kind = Kind::word;
      const std::string_view word = source_.substr(begin, at_ - begin);
      if ((peek() == '"' || peek() == '\'') && is_literal_prefix(word)) {
        kind = Kind::text;
        read_text(word.ends_with('R'));
      }
    } else if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      kind = Kind::number;
      read_number();
    } else if (peek() == '"' || peek() == '\'') {
      kind = Kind::text;
      read_text(false);
    } else {
      at_ += operator_length();
    }
    if (tokens != nullptr) tokens->tokens_.push_back({kind, begin, at_});
  }

  std::size_t operator_length() const {
    for (const std::string_view sign : operators)
      if (source_.substr(at_, sign.size()) == sign) return sign.size();
    return 1;
  }

  void read_number() {
    while (in_word(peek()) || peek() == '.' || (peek() == '\'' && in_word(peek(1)))) {
      const char c = peek();
      ++at_;
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (peek() == '+' || peek() == '-')) {
        // 1e-5, but 0xe-5 is a subtraction for us: no harm is done when it is one token.
        ++at_;
      }
    }
  }

  // A string or character from its quote; one without an end stops with the line.
  void read_text(bool raw) {
    const char quote = peek();
    if (raw && quote == '"') {
      const std::size_t paren = source_.find('(', at_);
      if (paren != std::string_view::npos &&
          paren - at_ <= 17) {  // the delimiter has at most 16 characters
        const std::string close =
            ")" + std::string(source_.substr(at_ + 1, paren - at_ - 1)) + "\"";
        const std::size_t found = source_.find(close, paren);
        at_ = found == std::string_view::npos ? source_.size() : found + close.size();
        return;
      }
    }
    ++at_;
    while (at_ < source_.size() && source_[at_] != '\n') {
      const std::size_t length = continuation(at_);
      if (length > 0) {
        at_ += length;
      } else if (source_[at_] == '\\' && at_ + 1 < source_.size() && source_[at_ + 1] != '\n') {
        at_ += 2;
      } else if (source_[at_++] == quote) {
        return;
      }
    }
  }

  void read_directive() {
    Directive directive{Tokens(source_), at_, result_.code.size()};
    ++at_;
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (skip_space()) continue;
      const bool header =
          directive.tokens.is(0, "include") && directive.tokens.size() == 1 && peek() == '<';
      const std::size_t close = header ? source_.find('>', at_) : std::string_view::npos;
      const bool closed = close < source_.find('\n', at_);
      if ((header && !closed) ||
          (directive.tokens.size() == 1 &&
           (directive.tokens.is(0, "error") || directive.tokens.is(0, "warning")))) {
        skip_line();  // prose, or a < that nothing closes
        break;
      }
      if (directive.tokens.size() == 0 && !begins_word(peek())) {
        skip_line();  // # 12 "file" or an empty directive
        break;
      }
      read_token(&directive.tokens, closed ? close + 1 : at_);
    }
    match_brackets(directive.tokens, {});
    const bool before = live();
    apply_condition(directive.tokens);
    if (before || live()) result_.directives.push_back(std::move(directive));
  }

  // 0 or 1 for the conditions that are known, -1 for others. __INTELLISENSE__ is
  // an editor's, never a compiler's.
  static int known(const Tokens& line) {
    const std::size_t first = line.is(1, "!") ? 2 : 1;
    const bool negated = first == 2 || line.is(0, "ifndef");
    std::string_view only;  // the one token besides `defined` and brackets
    for (std::size_t i = first; i < line.size(); ++i) {
      if (line.is_one_of(i, "( ) defined")) continue;
      if (!only.empty()) return -1;
      only = line.text(i);
    }
    if (one_of(only, "0 false __INTELLISENSE__")) return negated ? 1 : 0;
    if (one_of(only, "1 true")) return negated ? 0 : 1;
    return -1;
  }

  // Takes #if and its relatives into account.
  void apply_condition(const Tokens& line) {
    const std::string_view name = line.text(0);
    if (one_of(name, "if ifdef ifndef")) {
      const bool outer = live();
      const int value = line.size() > 1 ? known(line) : -1;
      conditions_.push_back({outer, outer && value != 0, value != 1, outer && value != 0});
      mark(Mark::begins);
    } else if (one_of(name, "elif elifdef elifndef else")) {
      if (conditions_.empty()) return;
      Condition& condition = conditions_.back();
      const int value = name == "elif" && line.size() > 1 ? known(line) : -1;
      condition.live = condition.outer && condition.later && value != 0;
      if (value == 1) condition.later = false;
      if (condition.lived && condition.live) mark(Mark::other_branch);
      condition.lived |= condition.live;
    } else if (name == "endif") {
      if (conditions_.empty()) return;
      conditions_.pop_back();
      mark(Mark::ends);
    }
  }

  void mark(Mark mark) { marks_.emplace_back(result_.code.size(), mark); }

  static char closing(char open) {
    if (open == '(') return ')';
    if (open == '[') return ']';
    return '}';
  }

  struct Brackets {
    std::vector<std::size_t> open;
    // Takes token i into account.
    void take(Tokens& tokens, std::size_t i) {
      if (tokens[i].kind != Kind::sign || tokens[i].end - tokens[i].begin != 1) return;
      const char c = tokens.text(i)[0];
      if (c == '(' || c == '[' || c == '{') open.push_back(i);
      if (c != ')' && c != ']' && c != '}') return;
      // A bracket without a partner is passed over if one further out fits.
      for (std::size_t depth = open.size(); depth-- > 0 && open.size() - depth < 8;)
        if (closing(tokens.text(open[depth])[0]) == c) {
          // Branches of one #if may close the same bracket: the first counts for it.
          if (tokens.partner_[open[depth]] == none) tokens.partner_[open[depth]] = i;
          tokens.partner_[i] = open[depth];
          open.resize(depth);
          return;
        }
    }
  };

  // In the code each branch of an #if begins with the brackets that were open before it; what the
  // first branch leaves open stays open after the #endif.
  static void match_brackets(Tokens& tokens, const Marks& marks) {
    tokens.partner_.assign(tokens.size(), none);
    struct Saved {
      std::vector<std::size_t> before, after_first;
      bool several = false;
    };
    std::vector<Saved> saved;
    Brackets brackets;
    auto next = marks.begin();
    for (std::size_t i = 0; i <= tokens.size(); ++i) {
      for (; next != marks.end() && next->first == i; ++next) {
        if (next->second == Mark::begins) {
          saved.push_back({brackets.open, {}});
        } else if (!saved.empty() && next->second == Mark::other_branch) {
          Saved& s = saved.back();
          if (!s.several) s.after_first = brackets.open;
          s.several = true;
          brackets.open = s.before;
        } else if (!saved.empty() && next->second == Mark::ends) {
          if (saved.back().several) brackets.open = saved.back().after_first;
          saved.pop_back();
        }
      }
      if (i < tokens.size()) brackets.take(tokens, i);
    }
  }

  std::string_view source_;
  std::size_t at_ = 0;
  Lexed result_;
  std::vector<Condition> conditions_;
  Marks marks_;
};

bool one_of(std::string_view word, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

Lexed lex(std::string_view source) { return Lexer(source).run(); }

std::size_t Tokens::after_angles(std::size_t open, std::size_t last) const {
  int depth = 0;
  for (std::size_t i = open; i < last; ++i) {
    i = past_brackets(i);
    if (is(i, "<")) ++depth;
    if (is(i, ">") && --depth == 0) return i + 1;
    if (is(i, ";")) break;
  }
  return none;
}

std::size_t Tokens::template_begin(std::size_t close) const {
  int depth = 0;
  for (std::size_t i = close + 1; i-- > 0;) {
    const std::string_view t = text(i);
    if (one_of(t, ") ] }")) {
      i = partner(i);
      if (i == none) return none;
    } else if (t == ">") {
      ++depth;
    } else if (t == "<") {
      if (is(i - 1, Kind::number)) continue;  // k<1 < 4>
      if (!is(i - 1, Kind::word)) return none;
      if (--depth == 0) return i;
    } else if (one_of(t, "; { ( = ?")) {
      return none;
    }
  }
  return none;
}

std::size_t Tokens::template_end(std::size_t open) const {
  const std::size_t after = after_angles(open, size());
  if (after == none || !is_one_of(after, "( { ::")) return none;
  for (std::size_t i = open; i < after; i = past_brackets(i) + 1) {
    if (is(i, "<") && !is(i - 1, Kind::word)) return none;
    if (is(i, Kind::text)) return none;
    if (is(i, Kind::sign) && !is_one_of(i, "< > ( [ :: , * & ... + - / % !")) return none;
  }
  return after - 1;
}

}  // namespace translate
