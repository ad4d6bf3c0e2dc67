// Subscripts of a kernel's pointers.
#pragma once

#include "plain_code.h"

namespace translate {

/// p[x + y * width] becomes p[::emulated::subscript(x + y * width)], where p is a parameter of the
/// kernel and the index is computed from threadIdx (../include/emulated/subscript.h).
void translate_subscripts(Source& source, const PlainFile& file, const Function& kernel);

}  // namespace translate
