// All rungs, as the program, the tests and the sweep see them. methods.cu fills the table.
#pragma once

#include <stdexcept>
#include <string_view>
#include <vector>

#include "plate.cuh"

/// From plain to fast; the last, "best", chooses by size.
const std::vector<Method>& methods();

/// The method of that name; throws std::invalid_argument when there is none, so none but those of the table
/// can be made.
inline const Method& find_method(std::string_view name) {
  for (const Method& method : methods())
    if (method.name == name) return method;
  throw std::invalid_argument("no method is called " + std::string(name));
}
