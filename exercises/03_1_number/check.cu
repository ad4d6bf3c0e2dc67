#include "../exercise.h"

int add_on_device(int a, int b);

static void check_number(exercise::Check& check) {
  for (const auto& [a, b] : {std::pair(2, 7), std::pair(0, 0), std::pair(-5, 3)}) {
    const std::string call = "add_on_device(" + std::to_string(a) + ", " + std::to_string(b) + ")";
    check.begin(call, "");
    const int sum = add_on_device(a, b);
    check.ran();
    check.equal("the result", sum, a + b);
    check.covers(call);
  }
  check.begin("", "");
  check.freed();
}

int main(int argc, char** argv) { return exercise::run("number", argc, argv, check_number); }
