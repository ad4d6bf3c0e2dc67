// Runs a program with mistakes and reads what the emulated device says about them.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

namespace process {

struct Outcome {
  int code = 0;      // exit code; -1: ended by a signal
  std::string text;  // standard output and standard error
};

/// Runs a command of the shell and waits for its end, 60 seconds at most (then the code is 124).
inline Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(("exec 2>&1; " + command).c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// "FILE:LINE" of the line of the source that ends with "// LINE name".
inline std::string place(const std::string& source, const std::string& name) {
  std::ifstream in(source);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (line.ends_with("// LINE " + name)) return source + ":" + std::to_string(number);
  ADD_FAILURE() << "no line is marked " << name;
  return "";
}

inline void expect_says(const Outcome& outcome, const std::string& words) {
  EXPECT_NE(outcome.text.find(words), std::string::npos)
      << "expected: " << words << "\ngot: " << outcome.text;
}

}  // namespace process
