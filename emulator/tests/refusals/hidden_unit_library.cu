// See hidden_unit_program.cu.
#include "hidden_unit.h"

bool hidden_unit::right_in_library() { return indices_are_right<3>() && indices_are_right<5>(); }
