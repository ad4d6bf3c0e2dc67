// What the tokens of an expression say about numbers: integer types and where they end, operands of casts, and what of
// CUDA is known to be an integer. The base of casts.h and conversions.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "lexer.h"
#include "plain_words.h"

namespace translate {

/// An integer type as it stands in the source: `end` is the token behind it, `name` is without const and volatile.
struct IntegerType {
  std::size_t end = none;
  std::string name;
  explicit operator bool() const { return end != none; }
};

/// The integer type that begins at token i, if one does.
IntegerType integer_type(const Tokens& tokens, std::size_t i);

/// Is this number, as spelled in the source, a floating-point number?
bool is_float(std::string_view number);

/// Words behind which an expression begins, such as return.
bool is_expression_keyword(std::string_view word);

/// Could an operand of a cast begin here? `sign` tells whether + - * & count.
bool begins_operand(const Tokens& tokens, std::size_t i, bool sign);

/// The last token of the operand of a cast that begins at token i; none when it is not understood.
std::size_t operand_end(const Tokens& tokens, std::size_t i, const Words& type_names);

/// The type of x, y, z and w of CUDA's integer vectors, with a dot before it: ".unsigned char" for uchar4. Empty for any
/// other word.
std::string vector_element(std::string_view word);

/// Is this a function of CUDA that returns an integer, at least when its arguments are integers?
bool returns_integer(std::string_view name);

}  // namespace translate
