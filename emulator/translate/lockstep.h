// Code that relies on the lanes of a warp running in step, as they did before Volta.
#pragma once

#include "functions.h"
#include "source.h"

namespace translate {

/// The end of many public reductions and scans, on volatile memory and without a barrier:
///   s[i] += s[i + 16];   becomes   s[i] += ::emulated::in_step([&] { return s[i + 16]; });
/// so that all lanes that are there read before any of them writes. Only for arrays that the function itself declares
/// volatile, and elements whose index begins with that of the element that is written.
void translate_lockstep(Source& source, const Outline& outline);

}  // namespace translate
