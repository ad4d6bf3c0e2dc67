// One file that is being translated: its text, its tokens, and what has to change in it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lexer.h"

namespace translate {

/// The parts, one behind the other.
std::string joined(std::initializer_list<std::string_view> parts);

class Source {
 public:
  Source(std::filesystem::path path, std::string text);
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::string& text() const { return text_; }
  const Tokens& code() const { return lexed_.code; }
  const std::vector<Directive>& directives() const { return lexed_.directives; }

  /// Replaces the bytes [begin, end) of the source. Changes must not overlap.
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// Inserts text that opens something in front of what begins at `at`.
  void open(std::size_t at, std::string text) { replace(at, at, std::move(text)); }
  /// Inserts text that closes something behind what ends at `at`: it stands before whatever opens there.
  void close(std::size_t at, std::string text);

  bool changed() const { return !edits_.empty(); }
  /// The text with all changes; every line keeps its number.
  std::string result() const;

  /// Throws Error with the line of that byte of the source.
  [[noreturn]] void fail(std::size_t position, const std::string& sentence) const;
  std::size_t line(std::size_t position) const;

 private:
  struct Edit {
    std::size_t begin, end;
    int order;  // at the same place: what closes something, what opens something, what is replaced
    std::string text;
  };
  std::filesystem::path path_;
  std::string text_;
  Lexed lexed_;
  std::vector<Edit> edits_;
};

}  // namespace translate
