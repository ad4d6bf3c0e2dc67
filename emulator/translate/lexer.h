// Splits a .cu file into tokens, as the preprocessor sees them: comments are gone, a
// string is one token, a preprocessor line is apart from the code around it, and text that
// `#if 0` excludes does not exist.
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace translate {

constexpr std::size_t none = static_cast<std::size_t>(-1);

/// Is it one of the words of a list, which have a blank between them?
bool one_of(std::string_view word, std::string_view list);

enum class Kind {
  word,    // a name or a keyword
  number,  // 1'000, 0x1p3f
  text,    // a string or a character, with prefix and quotes
  /// An operator or a bracket; < and > are always tokens of their own, for templates and launches.
  sign
};

struct Token {
  Kind kind;
  std::size_t begin, end;  // its bytes in the source
};

/// Tokens that belong together: the code of a file, or one preprocessor line. Indices may run out
/// of range at both ends (none is the one before 0): then text() is empty and is() false.
class Tokens {
 public:
  explicit Tokens(std::string_view source) : source_(source) {}

  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t i) const { return tokens_[i]; }
  std::string_view text(std::size_t i) const {
    return i < size() ? source_.substr(tokens_[i].begin, tokens_[i].end - tokens_[i].begin)
                      : std::string_view();
  }
  bool is(std::size_t i, std::string_view text_) const { return text(i) == text_; }
  bool is_one_of(std::size_t i, std::string_view list) const { return one_of(text(i), list); }
  bool is(std::size_t i, Kind kind) const { return i < size() && tokens_[i].kind == kind; }
  /// Where the token begins; where the last one ends for the index after it.
  std::size_t begin(std::size_t i) const {
    if (i < size()) return tokens_[i].begin;
    return size() == 0 ? 0 : tokens_.back().end;
  }
  std::size_t end(std::size_t i) const { return i < size() ? tokens_[i].end : begin(i); }
  /// The bytes from token `first` to before token `last`.
  std::string_view between(std::size_t first, std::size_t last) const {
    return first < last && first < size()
               ? source_.substr(begin(first), end(last - 1) - begin(first))
               : std::string_view();
  }
  /// Does the token follow the one before it without a space?
  bool touches_previous(std::size_t i) const {
    return i > 0 && i < size() && tokens_[i].begin == tokens_[i - 1].end;
  }
  /// The signs <<< and >>> of a launch. nvcc also takes << < and >> >,
  /// which some editors make of them.
  bool is_triple(std::size_t i, std::string_view sign) const {
    return is(i, sign) && is(i + 1, sign) && is(i + 2, sign) && touches_previous(i + 1);
  }
  /// The other bracket of a pair of (), [] or {}; none where it is missing.
  std::size_t partner(std::size_t i) const { return i < size() ? partner_[i] : none; }
  /// The bracket that closes the one which opens at token i; i itself where none does. For walks
  /// outside of brackets.
  std::size_t past_brackets(std::size_t i) const {
    const bool opens = is(i, "(") || is(i, "[") || is(i, "{");
    return opens && partner(i) != none ? partner(i) : i;
  }

  /// The first token in [first, last) outside of brackets that is one of the
  /// list; `last` where there is none.
  std::size_t find(std::size_t first, std::size_t last, std::string_view list) const {
    while (first < last && !is_one_of(first, list)) first = past_brackets(first) + 1;
    return std::min(first, last);
  }

  /// For the > that ends template arguments which begin at the < `open`, if that is what
  /// they are: then a parenthesis, a brace or :: follows. Else none. In an expression
  /// such as a < b nothing closes them.
  std::size_t template_end(std::size_t open) const;
  /// The < after a word that begins the template arguments which the > `close` ends; none where it
  /// is an operator. A comparison among the arguments is in parentheses, as C++ demands for >.
  std::size_t template_begin(std::size_t close) const;
  /// The token after the > that belongs to the < `open`, which begins template arguments; none
  /// before token `last`.
  std::size_t after_angles(std::size_t open, std::size_t last) const;

 private:
  friend class Lexer;
  std::string_view source_;
  std::vector<Token> tokens_;
  std::vector<std::size_t> partner_;
};

/// A preprocessor line: `tokens` holds its name first ("define", "include", ...), without the #.
struct Directive {
  Tokens tokens;
  std::size_t begin;       // the #
  std::size_t code_index;  // how many tokens of code precede it
};

struct Lexed {
  Tokens code;
  std::vector<Directive> directives;
};

/// Never fails: what C++ would refuse (a string without an end, brackets without partners) becomes
/// tokens that the compiler will complain about. `source` must outlive the result.
Lexed lex(std::string_view source);

}  // namespace translate
