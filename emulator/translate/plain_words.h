// Words of which it is known what they mean in a kernel.
#pragma once

#include <set>
#include <string_view>

namespace translate {

/// The words of a text with one blank between two of them. The text must stay.
using Words = std::set<std::string_view>;
Words words_of(std::string_view text);

/// int, const, float4, size_t: words of which plain types are made.
bool is_plain_type_word(std::string_view word);
bool is_arithmetic_type_word(std::string_view word);
bool is_vector_type(std::string_view word);
/// alignas and its relatives.
bool is_alignment(std::string_view word);
/// A mathematical function of CUDA's that takes its arguments by value.
bool is_plain_function(std::string_view word);
bool is_plain_atomic(std::string_view word);
/// An operator that changes what stands before it (=, +=, <<=, ...), and ++ and --.
bool is_assignment(std::string_view sign);

}  // namespace translate
