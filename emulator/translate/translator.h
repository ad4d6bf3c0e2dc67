// Turns a .cu file into C++ that any compiler reads. See ../README.md, "From .cu to .cpp".
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "functions.h"

namespace translate {

class Translator {
 public:
  /// include_folder: where the translations of included files are written. search_folders:
  /// where quoted includes are looked for when they are not next to the file that includes
  /// them, as with the compiler's -I.
  explicit Translator(std::filesystem::path include_folder,
                      std::vector<std::filesystem::path> search_folders = {});

  /// As nvcc without --expt-relaxed-constexpr: constexpr functions of the host are refused in
  /// device code.
  void refuse_host_constexpr() { program_.relaxed_constexpr = false; }

  /// Reads another .cu file of the same program: the variables that it declares
  /// extern are not of one file only.
  void learn_from(const std::filesystem::path& other);

  /// Reads `input`, translates it and, recursively, the files that it includes in quotes; writes
  /// `output`. An included file of which nothing changes is used where it is. A file whose text
  /// would not change is not touched, so that nothing is compiled again for it; but `output` is
  /// written whenever one of its headers is. In a .cpp file, which the compiler takes as it is,
  /// only calls whose result is dropped are translated. Throws Error for what it cannot translate,
  /// std::runtime_error for files that cannot be read or written.
  void translate(const std::filesystem::path& input, const std::filesystem::path& output);

  /// Every file that was read, sorted: what the output depends on.
  const std::set<std::filesystem::path>& inputs() const { return inputs_; }

  /// "file:line: warning: sentence"
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Translation {
    std::string text;
    bool changed = false;
  };
  Translation translation(const std::filesystem::path& input);
  std::string of_host(const std::filesystem::path& input);
  bool include(Source& source);
  const std::filesystem::path& translated_include(const std::filesystem::path& header);
  std::filesystem::path find_include(const std::filesystem::path& from,
                                     const std::string& name) const;

  std::filesystem::path include_folder_;
  std::vector<std::filesystem::path> search_folders_;
  Program program_;
  std::set<std::filesystem::path> inputs_;
  std::vector<std::string> warnings_;
  // what to include instead of a header
  std::map<std::filesystem::path, std::filesystem::path> included_;
  // translations by where they will be written
  std::map<std::filesystem::path, std::string> headers_;
};

}  // namespace translate
