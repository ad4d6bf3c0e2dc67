// The variables of a kernel of which everything is known: parameters, locals of its outermost
// block, shared arrays.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "plain_code.h"

namespace translate {

/// What is known of an expression.
struct Expression {
  bool pure = false;       // it has no effects, and needs no memory
  bool uniform = false;    // it is the same for all threads of the block
  bool of_grid = false;    // it depends on blockDim or gridDim
  bool of_memory = false;  // it depends on a pointer
  bool calls = false;      // it calls functions of the program
};

/// A variable of the kernel's outermost block whose value is computed from the thread's and the
/// grid's indices, parameters, and others of this kind.
struct Local {
  std::string name, type;
  std::size_t declared;  // its name's token
  Range value;           // perhaps none
  Expression known;      // of its value
  bool number;           // that may change: not a pointer, const or auto
};

/// What a kernel's statements have declared so far, read in order.
class KernelVariables {
 public:
  KernelVariables(const Source& source, const PlainFile& file, const Function& kernel)
      : source_(source), code_(source.code()), file_(file), kernel_(kernel) {}

  /// Reads the parameters. False: there is something in the kernel that may change anything.
  bool read_parameters();
  /// Is the statement [first, last) a declaration of shared memory, as in [extern] __shared__ float
  /// cache[256]; ? Notes its arrays; single variables are not among the kernel's memory.
  bool read_shared(std::size_t first, std::size_t last);
  /// Is it a declaration of numbers and pointers, as in int tid = ..., stride = ...; ? Notes them.
  /// False: it is something else, or has effects.
  bool read_declaration(std::size_t first, std::size_t last);

  const std::vector<Local>& locals() const { return locals_; }
  /// Forgets all but the first ones: their block has ended.
  void end_block(std::size_t locals) { locals_.resize(locals); }
  /// nullptr: none has this name.
  const Local* find(std::string_view name) const;
  const PlainParameters& parameters() const { return parameters_; }
  const NameSet& types() const { return types_; }                      // template parameters
  const NameSet& template_values() const { return template_values_; }  // template parameters, too
  const NameSet& shared() const { return shared_; }

  /// Might tokens [first, last) change the variable, or let others do so?
  bool may_change(std::string_view name, std::size_t first, std::size_t last) const;
  /// What the tokens are, if nothing has changed the variables that they name; `index` is a loop's,
  /// whose value is known.
  Expression expression(Range tokens, std::string_view index = {}) const;

 private:
  void read_template_parameters();
  bool by_value(std::size_t i) const;

  const Source& source_;
  const Tokens& code_;
  const PlainFile& file_;
  const Function& kernel_;
  NameSet types_, template_values_, shared_;
  PlainParameters parameters_;
  std::vector<Local> locals_;
};

}  // namespace translate
