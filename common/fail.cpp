#include "fail.h"

#include <errno.h>

#include <cstdio>
#include <cstdlib>

std::string program_name() { return program_invocation_short_name; }

void fail(int code, const std::string& sentence) {
  std::fflush(stdout);  // what was printed before comes first
  std::fprintf(stderr, "%s: %s\n", program_name().c_str(), sentence.c_str());
  std::exit(code);
}
