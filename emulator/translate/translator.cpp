#include "translator.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <utility>

#include "conversions.h"
#include "declarations.h"
#include "inline_ptx.h"
#include "launches.h"
#include "lockstep.h"
#include "missing_headers.h"
#include "refusals.h"
#include "shared_memory.h"
#include "shifts.h"
#include "strided_loops.h"
#include "waiting.h"
#include "warnings.h"

namespace fs = std::filesystem;

namespace translate {

Error::Error(const fs::path& file, std::size_t line, const std::string& sentence)
    : std::runtime_error(file.string() + ":" + std::to_string(line) + ": error: " + sentence) {}

namespace {

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

std::string quoted(const fs::path& path) {
  std::string text;
  for (const char c : path.generic_string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

}  // namespace

Translator::Translator(fs::path include_folder, std::vector<fs::path> search_folders)
    : include_folder_(std::move(include_folder)), search_folders_(std::move(search_folders)) {}

void Translator::translate(const fs::path& input, const fs::path& output) {
  if (output.has_parent_path()) fs::create_directories(output.parent_path());
  const std::string text = translation(fs::absolute(input).lexically_normal()).text;
  // A changed header makes the output new as well, though its text is the old one: Ninja compiles only when it
  // sees the output become newer. All is written at the end, so that an error leaves no half of it.
  bool changed = false;
  if (!headers_.empty()) fs::create_directories(include_folder_);
  for (const auto& [path, header] : headers_) changed |= write_if_changed(path, header);
  if (changed)
    write_file(output, text);
  else
    write_if_changed(output, text);
}

void Translator::learn_from(const fs::path& other) {
  Translator reader(include_folder_, search_folders_);
  reader.translation(fs::absolute(other).lexically_normal());
  program_.extern_variables.merge(reader.program_.extern_variables);
  inputs_.merge(reader.inputs_);
}

Translator::Translation Translator::translation(const fs::path& input) {
  inputs_.insert(input);
  const std::string original = read_file(input);
  Source source(input, with_strided_loops(input, original, program_));

  // Included files first: what they declare is known here. The output lies in another folder, so that relative
  // names no longer lead to their files.
  bool changed = false;
  for (const Directive& directive : source.directives()) {
    const Tokens& line = directive.tokens;
    if (!line.is(0, "include") || !line.text(1).starts_with('"')) continue;
    const std::string_view name = line.text(1);
    if (name.size() < 2 || !name.ends_with('"'))
      source.fail(directive.begin, "this #include has no closing quote");
    const fs::path file = find_include(input, std::string(name.substr(1, name.size() - 2)));
    if (file.empty()) continue;
    const fs::path& instead = translated_include(file);
    changed |= instead != file;
    const bool beside = file == (input.parent_path() / name.substr(1, name.size() - 2)).lexically_normal();
    if (instead != file || beside) source.replace(line.begin(1), line.end(1), "\"" + quoted(instead) + "\"");
  }
  const std::string only_includes = source.result();
  translate_missing_headers(source,
                            [&](const std::string& name) { return !find_include(input, name).empty(); });

  const Outline known = outline(source, program_);
  learn(source, known, program_);
  learn_names(source, known, program_);
  refuse_mistakes(source, known, program_);
  for (std::string& sentence : translate::warnings(source, known)) warnings_.push_back(std::move(sentence));
  translate_shared_memory(source, known, program_);
  note_declarations(source, known, program_);
  translate_configuration_macros(source, program_.configuration_macros);
  translate_launches(source, program_.configuration_macros);
  translate_inline_ptx(source, known);
  translate_conversions(source, known);
  translate_shifts(source, known);
  translate_lockstep(source, known);
  translate_waiting_loops(source, known);
  translate_clock(source, known, program_);
  translate_kernel_addresses(source, program_);
  translate_noinline(source);

  std::string result = source.result();
  changed |= result != only_includes || source.text() != original;
  return {"#line 1 \"" + quoted(input) + "\"\n" + std::move(result), changed};
}

fs::path Translator::find_include(const fs::path& from, const std::string& name) const {
  fs::path beside = (from.parent_path() / name).lexically_normal();
  if (fs::is_regular_file(beside)) return beside;
  for (const fs::path& folder : search_folders_) {
    fs::path file = (fs::absolute(folder) / name).lexically_normal();
    if (fs::is_regular_file(file)) return file;
  }
  return {};
}

const fs::path& Translator::translated_include(const fs::path& header) {
  const auto [found, fresh] = included_.emplace(header, header);
  if (!fresh) return found->second;  // also a file that includes itself: as it is
  // One file for one header, however it is named in the #include: #pragma once depends on that.
  std::string name;
  for (const char c : header.generic_string())
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' ? c : '_';
  Translation translated = translation(header);
  if (translated.changed) {
    found->second = include_folder_ / (name + ".h");
    headers_[found->second] = std::move(translated.text);
  }
  return found->second;
}

}  // namespace translate
