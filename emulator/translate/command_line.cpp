#include "command_line.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "translator.h"

namespace {

constexpr const char* usage =
    "usage: cu2cpp INPUT.cu OUTPUT.cpp [--include-dir DIR] [--search-dir=DIR]... "
    "[--own-dir=DIR]... [--with=OTHER.cu]... [--depfile FILE] [--strict-constexpr]\n";

// Make's syntax: spaces and backslashes in names are escaped, a dollar is doubled.
std::string escaped(const std::filesystem::path& path) {
  std::string text;
  for (const char c : path.string()) {
    if (c == ' ' || c == '#' || c == '\\') text += '\\';
    if (c == '$') text += '$';
    text += c;
  }
  return text;
}

}  // namespace

int translate::command_line(int argc, char** argv) {
  std::vector<std::string> files;
  std::string include_folder;
  std::string depfile;
  bool strict_constexpr = false;
  std::vector<std::filesystem::path> search_folders;
  std::vector<std::filesystem::path> own_folders;
  std::vector<std::filesystem::path> others;
  // Is this word an option with a value, NAME=VALUE? Then the value is taken.
  const auto takes = [](const std::string& word, const std::string& name, auto& values) {
    if (!word.starts_with(name + "=")) return false;
    values.emplace_back(word.substr(name.size() + 1));
    return true;
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if ((word == "--include-dir" || word == "--depfile") && i + 1 < argc) {
      (word == "--depfile" ? depfile : include_folder) = argv[++i];
    } else if (word == "--strict-constexpr") {
      strict_constexpr = true;
    } else if (takes(word, "--search-dir", search_folders) ||
               takes(word, "--own-dir", own_folders) || takes(word, "--with", others)) {
      continue;
    } else if (word.starts_with("--")) {
      std::fprintf(stderr, "cu2cpp: unknown or incomplete option %s\n%s", word.c_str(), usage);
      return 2;
    } else {
      files.push_back(word);
    }
  }
  if (files.size() != 2) {
    std::fprintf(stderr, "cu2cpp: expected two files, got %zu\n%s", files.size(), usage);
    return 2;
  }

  std::erase_if(search_folders, [&](const std::filesystem::path& folder) {
    return folder.string().starts_with("/usr/") ||
           std::find(own_folders.begin(), own_folders.end(), folder) != own_folders.end();
  });

  try {
    const std::filesystem::path output = files[1];
    if (include_folder.empty())
      include_folder = std::filesystem::absolute(output).parent_path().string();
    translate::Translator translator(std::filesystem::absolute(include_folder), search_folders);
    if (strict_constexpr) translator.refuse_host_constexpr();
    for (const auto& other : others) translator.learn_from(other);
    translator.translate(files[0], output);
    for (const std::string& sentence : translator.warnings())
      std::fprintf(stderr, "%s\n", sentence.c_str());
    if (!depfile.empty()) {
      std::ofstream out(depfile);
      out << escaped(output) << ':';
      for (const auto& input : translator.inputs()) out << " \\\n  " << escaped(input);
      out << '\n';
      if (!out.flush()) throw std::runtime_error(depfile + ": error: cannot be written");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
