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

/// `environment`: assignments, or shell commands, to stand before the program's name.
inline Outcome run(const std::string& argument, const std::string& environment = "") {
  const std::string command = "exec 2>&1; " + environment + " '" PROBE "' " + argument;
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// "FILE:LINE" of the line of the source that is marked with the name.
inline std::string place(const std::string& name) {
  std::ifstream in(PROBE_SOURCE);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number)
    if (line.ends_with("// LINE " + name)) return PROBE_SOURCE ":" + std::to_string(number);
  ADD_FAILURE() << "no line is marked " << name;
  return "";
}

inline void expect_says(const Outcome& outcome, const std::string& words) {
  EXPECT_NE(outcome.text.find(words), std::string::npos)
      << "expected: " << words << "\ngot: " << outcome.text;
}
