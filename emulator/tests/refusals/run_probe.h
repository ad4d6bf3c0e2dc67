// Runs the program PROBE, made from PROBE_SOURCE, and looks at what it says.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

struct Outcome {
  int code = 0;      // -1: ended by a signal
  std::string text;  // standard output and standard error
};

/// Runs a command of the shell and waits for its end.
inline Outcome run_command(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(("exec 2>&1; " + command).c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// Runs PROBE with one argument, 60 seconds at most (then the code is 124). `environment`:
/// assignments, or shell commands, to precede the program's name.
inline Outcome run(const std::string& argument, const std::string& environment = "") {
  return run_command(environment + " timeout 60 '" PROBE "' " + argument);
}

/// "FILE:LINE" of the line of the source that is marked with the name.
inline std::string place(const std::string& name, const std::string& source = PROBE_SOURCE) {
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
