// What the tokens of an expression say about casts: integer types and where they end, and operands.
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

/// Words behind which an expression begins, such as return.
bool is_expression_keyword(std::string_view word);

/// Could an operand of a cast begin here? `sign` tells whether + - * & count.
bool begins_operand(const Tokens& tokens, std::size_t i, bool sign);

/// The last token of the operand of a cast that begins at token i; none when it is not understood.
std::size_t operand_end(const Tokens& tokens, std::size_t i, const Words& type_names);

}  // namespace translate
