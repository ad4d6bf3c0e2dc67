// Words of which it is known what they mean in a kernel.
#pragma once

#include <string_view>

#include "lexer.h"

namespace translate {

/// int, const, float4, size_t: words of which plain types are made.
bool is_plain_type_word(std::string_view word);
bool is_arithmetic_type_word(std::string_view word);
bool is_vector_type(std::string_view word);
/// A mathematical function of CUDA's that takes its arguments by value.
bool is_plain_function(std::string_view word);
bool is_plain_atomic(std::string_view word);

}  // namespace translate
