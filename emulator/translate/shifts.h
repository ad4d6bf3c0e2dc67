// Shift operators of device code: by the width of the type or more they do what a GPU does
// (../include/emulated/shift.h).
#pragma once

#include "functions.h"

namespace translate {

void translate_shifts(Source& source, const Outline& outline);

}  // namespace translate
