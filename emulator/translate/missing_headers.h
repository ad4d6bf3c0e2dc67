// Headers of the CUDA toolkit that the emulated device does not have.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "source.h"

namespace translate {

/// Refuses an #include of such a header with a sentence that says what is missing and what to do instead. Within #if the
/// #include becomes an #error: the compiler shows it only where the line counts, and never takes the toolkit's own
/// header, whose errors fill pages. A header that `exists` (in the program's own folders) stays.
void translate_missing_headers(Source& source, const std::function<bool(const std::string& name)>& exists);

}  // namespace translate
