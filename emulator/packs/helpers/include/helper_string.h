// Options of the command line as NVIDIA's samples read them: -name, --name,
// -name=value. Belongs to helper_cuda.h.
#pragma once

#include <strings.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#define EXIT_WAIVED 2
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

namespace helpers {

/// What follows -name: "" without =, else the value; null where there is no such option.
template <class Argv>
const char* option(int argc, Argv argv, const char* name) {
  const std::size_t length = std::strlen(name);
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i] + std::strspn(argv[i], "-");
    if (word == argv[i] || strncasecmp(word, name, length) != 0) continue;
    if (word[length] == '=') return word + length + 1;
    if (word[length] == '\0') return word + length;
  }
  return nullptr;
}

}  // namespace helpers

template <class Argv>
bool checkCmdLineFlag(int argc, Argv argv, const char* name) {
  return helpers::option(argc, argv, name) != nullptr;
}
template <class Argv>
int getCmdLineArgumentInt(int argc, Argv argv, const char* name) {
  const char* value = helpers::option(argc, argv, name);
  return value == nullptr ? 0 : std::atoi(value);
}
template <class Argv>
float getCmdLineArgumentFloat(int argc, Argv argv, const char* name) {
  const char* value = helpers::option(argc, argv, name);
  return value == nullptr ? 0.0f : static_cast<float>(std::atof(value));
}
template <class Argv>
bool getCmdLineArgumentString(int argc, Argv argv, const char* name, char** result) {
  const char* value = helpers::option(argc, argv, name);
  if (value != nullptr) *result = const_cast<char*>(value);
  return value != nullptr;
}

/// A file as it is named, or in data/ next to the program; null where there is none. The caller
/// frees it.
inline char* sdkFindFilePath(const char* name, const char*) {
  for (const char* folder : {"", "data/", "../data/"}) {
    const std::string path = std::string(folder) + name;
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) continue;
    std::fclose(file);
    return strdup(path.c_str());
  }
  return nullptr;
}
