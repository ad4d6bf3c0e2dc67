// What cu2cpp changes in a file: a list of passes. All of them look at the file as it was written
// and note changes (Source::replace and its relatives), so that none sees another's output; where
// the file is cut into tokens and outlined is before them (translator.cpp).
#pragma once

#include <vector>

#include "functions.h"
#include "source.h"

namespace translate {

/// Changes the source, whose outline is given; learns for and from the other files of the program.
using Pass = void(Source& source, const Outline& outline, Program& program);

/// In their order, those of the packs (a function translate_NAME in
/// ../packs/NAME/translate) at the end.
std::vector<Pass*> passes();

// Each in a file of its own, whose first comment says more.
Pass refuse_mistakes, refuse_host_variables, refuse_declarations, refuse_statements,
    warn_of_architectures, warn_of_copies_not_waited_for, warn_of_sizes_of_pointers,
    warn_of_lost_results, refuse_host_constexpr, translate_shared_memory, note_declarations,
    translate_shadows, translate_launches, translate_casts, translate_shifts,
    translate_waiting_loops, note_volatile_elements, translate_kernel_addresses, translate_clock,
    translate_library, translate_noinline, translate_dropped_results, translate_allocation_names;

}  // namespace translate
