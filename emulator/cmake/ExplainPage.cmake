# The page of ./run --step (packs/explain/page), as a source of C++ that holds the bytes of its files.
set(explain_page "${CMAKE_CURRENT_BINARY_DIR}/explain/page_files.cpp")
set(text "// Made by CMake from packs/explain/page.
#include <string_view>
namespace emulated::explain {
")
foreach(part IN ITEMS html:steps.html style:steps.css script:steps.js)
  string(REPLACE ":" ";" part "${part}")
  list(GET part 0 name)
  list(GET part 1 file)
  set(file "${CMAKE_CURRENT_SOURCE_DIR}/packs/explain/page/${file}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND text "constexpr char ${name}_bytes[] = {${bytes}'\\0'};
extern const std::string_view page_${name};
const std::string_view page_${name}(${name}_bytes, sizeof ${name}_bytes - 1);
")
endforeach()
file(CONFIGURE OUTPUT "${explain_page}" CONTENT "${text}}  // namespace emulated::explain
" @ONLY)
