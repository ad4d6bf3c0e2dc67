// Casts to integer types, in all three spellings: static_cast<type>(x), (type)x and type(x).
#pragma once

#include <cstddef>

#include "numbers.h"
#include "source.h"

namespace translate {

/// Casts among the tokens [first, last) become ::emulated::to<type>(x). The types are the built-in integer types and
/// `type_names`, the names of template parameters. Before token `body` a constructor may initialize its bases.
void translate_casts(Source& source, const Tokens& tokens, const Words& type_names, std::size_t first,
                     std::size_t body, std::size_t last);

}  // namespace translate
