// What nvcc refuses and g++ would take.
#pragma once

#include "functions.h"
#include "source.h"

namespace translate {

/// Throws Error for what CUDA does not allow: a kernel that returns something or is called without a launch, a
/// device function called by the host and the other way round, writing to threadIdx and its companions or to
/// constant memory. Where names leave a doubt (overloads, unknown macros) nothing is refused.
void refuse_mistakes(const Source& source, const Outline& outline, const Program& program);

}  // namespace translate
