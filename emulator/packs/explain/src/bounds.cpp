// Accesses beyond what was allocated or declared.
#include "explain.h"

namespace emulated::explain {

void add_places_of_mistakes(std::set<const void*>&) {}

std::vector<Mistake> mistakes() { return {}; }

}  // namespace emulated::explain
