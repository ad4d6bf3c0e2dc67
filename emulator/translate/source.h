// One file that is being translated: its text, its tokens, and what has to change in it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lexer.h"

namespace translate {

/// The parts, one after the other.
std::string joined(std::initializer_list<std::string_view> parts);

/// A mistake in the translated file, as "file:line: error: sentence".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A part of what is inserted: text, or after it the bytes [begin, end) of the source with all
/// that changes in them.
struct Piece {
  std::string text;
  std::size_t begin = 0, end = 0;
};

/// The definition of a macro: a preprocessor line, whose tokens from `body`
/// on are what the name stands for.
struct Macro {
  const Tokens& line;
  std::string_view name;
  bool has_parameters;
  std::size_t body;
};

class Source {
 public:
  Source(std::filesystem::path path, std::string text);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::string& text() const { return text_; }
  const Tokens& code() const { return lexed_.code; }
  const std::vector<Directive>& directives() const { return lexed_.directives; }
  std::vector<Macro> macros() const;

  /// Replaces the bytes [begin, end) of the source. Changes must not overlap.
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// Inserts text that opens something in front of what begins at `at`.
  void open(std::size_t at, std::string text) { replace(at, at, std::move(text)); }
  /// Inserts text that closes something after what ends at `at`: it precedes whatever opens there.
  void close(std::size_t at, std::string text);

  /// Inserts text around all else that is inserted in front of what begins at `begin`
  /// and after what ends at `end`.
  void wrap(std::size_t begin, std::size_t end, std::vector<Piece> before, std::string after);

  /// How many changes there are.
  std::size_t changes() const { return edits_.size(); }
  /// The text with all changes; every line keeps its number.
  std::string result() const;

  /// Throws Error with the line of that byte of the source.
  [[noreturn]] void fail(std::size_t position, const std::string& sentence) const;
  /// Notes an error, as "file:line:column: error: sentence"; further ones can follow. Within #if
  /// the compiler says it, which knows whether the line counts.
  void refuse(std::size_t position, const std::string& sentence);
  const std::vector<std::string>& errors() const { return errors_; }
  /// Notes a warning likewise.
  void warn(std::size_t position, const std::string& sentence);
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Is that byte within an #if?
  bool is_conditional(std::size_t position) const;
  /// The line of that byte, as the source's own #line has it.
  std::size_t line(std::size_t position) const;
  std::size_t column(std::size_t position) const;

 private:
  struct Edit {
    std::size_t begin, end;
    enum Order { closes, closes_all, opens_all, opens, replaces } order;  // at the same place
    std::vector<Piece> pieces;
  };
  const Directive* line_directive(std::size_t position) const;
  std::string located(std::size_t position, std::string_view kind,
                      const std::string& sentence) const;
  void note(std::size_t position, std::string_view kind, const std::string& sentence,
            std::vector<std::string>& list);
  void render(const std::vector<const Edit*>& sorted, std::size_t begin, std::size_t end,
              std::string& text) const;

  std::filesystem::path path_;
  std::string text_;
  Lexed lexed_;
  std::vector<Edit> edits_;
  std::vector<std::string> errors_;
  std::vector<std::string> warnings_;
};

}  // namespace translate
