// Turns CUDA's launch syntax into C++ that any compiler reads. See ../README.md, "From .cu to .cpp".
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>

namespace translate {

// A mistake in the translated file, as "file:line: error: sentence".
class Error : public std::runtime_error {
 public:
  Error(const std::filesystem::path& file, std::size_t line, const std::string& sentence);
};

// The same text with comments and the contents of strings and characters replaced by spaces: what is left is
// code. Every character keeps its position and every line its number.
std::string blank_comments_and_strings(const std::string& source);

class Translator {
 public:
  // include_folder: where the translations of quoted-included .cuh and .cu files are written.
  explicit Translator(std::filesystem::path include_folder);

  // Reads `input`, translates it and, recursively, the .cuh and .cu files that it includes in quotes; writes
  // `output`. A file whose text would not change is not touched, so that nothing is compiled again for it;
  // but `output` is written whenever one of its headers is.
  // Throws Error for what it cannot translate, std::runtime_error for files that cannot be read or written.
  void translate(const std::filesystem::path& input, const std::filesystem::path& output);

  // Every file that was read, sorted: what the output depends on.
  const std::set<std::filesystem::path>& inputs() const { return inputs_; }

 private:
  std::string translated_text(const std::filesystem::path& input);
  std::filesystem::path translated_include(const std::filesystem::path& header);

  std::filesystem::path include_folder_;
  std::set<std::filesystem::path> inputs_;
  std::map<std::filesystem::path, std::string> headers_;  // translations by where they will be written
};

}  // namespace translate
