// Headers of the CUDA toolkit that the emulated device does not have.
#pragma once

#include <string>
#include <string_view>

namespace translate {

/// A sentence that names what is missing and what to do instead; empty for any other header.
std::string missing_header(std::string_view name);

}  // namespace translate
