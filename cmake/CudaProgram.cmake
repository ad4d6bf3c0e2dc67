# add_cuda_program(TARGET SOURCE... [LIBRARIES ...] [GPU_LIBRARIES ...] [EXACT] [STANDARD 17])
# add_cuda_library(TARGET SOURCE.cu HEADER FILE [the same options])
# Make an executable, or a static library of one file, from .cu (and .cpp and .c) sources in either build.
#   gpu       nvcc compiles the .cu files as they are.
#   emulated  cu2cpp rewrites the launch syntax (emulator/README.md), g++ compiles the result.
# LIBRARIES are linked in both builds, GPU_LIBRARIES (cuBLAS, for example) in the gpu build only.
# EXACT: no contraction of a * b + c into one rounding, so that CPU and GPU agree bit for bit.
# (The emulated build never contracts.)
# STANDARD 17: the .cu files are C++17, not C++20, for programs that C++20 refuses.
# The emulated build optimizes the .cu files with -O3, or with the level in the variable EMULATED_OPTIMIZATION, where a
# folder's programs shall be compiled soon rather than run fast.
#
# A library defines what HEADER (beside SOURCE.cu) declares: functions without parameters, one a line. In the emulated build g++ hides all the
# rest (-fwhole-program), and with it every inline function that the file shares with the program: so each keeps its own
# threadIdx, and both may launch kernels (emulator/include/emulated/indices.h).

add_library(project_warnings INTERFACE)
set(warnings -Wall -Wextra)
if(WARNINGS_AS_ERRORS)
  list(APPEND warnings -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # a false alarm in std::string's operator+ (GCC bug 105651)
endif()
# The unknown pragmas are nvcc's own, such as unroll.
target_compile_options(project_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wno-unknown-pragmas>")
if(NOT EMULATED)
  string(JOIN "," host_warnings ${warnings} -Wno-unknown-pragmas)
  target_compile_options(project_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings}>")
  if(WARNINGS_AS_ERRORS)
    target_compile_options(project_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
  endif()
endif()

add_library(project_sanitizers INTERFACE)
if(SANITIZE)
  target_compile_options(project_sanitizers INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(project_sanitizers INTERFACE -fsanitize=address,undefined)
endif()

add_library(emulated_program INTERFACE)  # how a translated .cu is compiled
if(EMULATED)
  # -g1: faults in kernels name their line, and compiling takes a third less time than with variables for a debugger.
  target_compile_options(emulated_program INTERFACE $<IF:$<CONFIG:Debug,RelWithDebInfo>,-g,-g1> -ffp-contract=off)
  # A GPU's arithmetic does not trap; to assume that it could keeps g++ from computing both sides of a condition.
  target_compile_options(emulated_program INTERFACE -fno-trapping-math)
  if(SANITIZE)
    target_compile_options(emulated_program INTERFACE -O1)
  else()
    target_compile_options(emulated_program INTERFACE -fwrapv)  # with it g++ would not report overflows
    # Not in a Debug build: a debugger stops where threadIdx has a certain value only in code that is not optimized.
    set(level $<TARGET_PROPERTY:EMULATED_OPTIMIZATION>)
    target_compile_options(emulated_program INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O$<IF:$<BOOL:${level}>,${level},3>>)
  endif()
  if(NATIVE)
    include(CheckCXXCompilerFlag)
    check_cxx_compiler_flag(-march=native HAVE_MARCH_NATIVE)
    if(HAVE_MARCH_NATIVE)
      target_compile_options(emulated_program INTERFACE -march=native)
    endif()
  endif()
endif()

# What nvcc defines, and what it includes, for .cu files only. __CUDA_ARCH__ is defined in host code, too: on the
# emulated device functions for both sides take the device's branch (cu2cpp tells where).
set(emulated_cuda_definitions __CUDACC__ __NVCC__ __CUDA_ARCH__=900 __CUDACC_VER_MAJOR__=13 __CUDACC_VER_MINOR__=0
  __CUDACC_VER_BUILD__=0)
# A division by zero is no error in a kernel: the compiler shall not make a trap of one that it sees.
set(emulated_cuda_options "")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(emulated_cuda_options -fno-isolate-erroneous-paths-dereference)
endif()
# Floating-point numbers that do not fit into an integer, where cu2cpp saw no conversion: emulator/src/undefined.cpp.
if(NOT SANITIZE)
  list(APPEND emulated_cuda_options -fsanitize=float-cast-overflow -fsanitize-recover=float-cast-overflow)
endif()

# precompile_headers(NAME [HEADERS ...] [LIBRARIES ...] [OPTIONS ...]): cuda_runtime.h and HEADERS, compiled once for the many
# programs of tests, of whose compiling they are a third to a half. Where the variable PRECOMPILED is NAME, the .cu files of
# add_cuda_program() begin with them (those with GoogleTest: with what "test" names). Samples do without: the first one
# would have to wait for it. g++ takes what was compiled with the same options, and else reads the headers as always. Not
# with ccache, which could not keep what is compiled so.
function(precompile_headers name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LIBRARIES;OPTIONS")
  if(NOT EMULATED OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR "${CMAKE_CXX_COMPILER_LAUNCHER}" MATCHES "ccache")
    return()
  endif()
  set(header ${PROJECT_BINARY_DIR}/precompiled/${name}.h)
  list(TRANSFORM arg_HEADERS REPLACE "(.+)" "#include <\\1>\n")
  string(JOIN "" includes "#include <cuda_runtime.h>\n" ${arg_HEADERS})
  file(CONFIGURE OUTPUT ${header} CONTENT "${includes}" @ONLY)
  add_library(precompiled_${name} OBJECT EXCLUDE_FROM_ALL ${header})
  set_source_files_properties(${header} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;c++-header;${emulated_cuda_options}"
    COMPILE_DEFINITIONS "${emulated_cuda_definitions}")
  target_link_libraries(precompiled_${name} PRIVATE common project_warnings project_sanitizers emulated_program
    emulated_device ${arg_LIBRARIES})
  target_compile_options(precompiled_${name} PRIVATE ${arg_OPTIONS})
  # g++ looks for it under this name.
  add_custom_command(OUTPUT ${header}.gch
    COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_OBJECTS:precompiled_${name}> ${header}.gch
    DEPENDS precompiled_${name} $<TARGET_OBJECTS:precompiled_${name}> COMMENT "" VERBATIM)
  add_custom_target(precompiled_${name}_link DEPENDS ${header}.gch)
endfunction()

function(add_cuda_program target)
  add_cuda_target(EXECUTABLE ${target} ${ARGN})
endfunction()

function(add_cuda_library target source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "HEADER" "")
  get_filename_component(path "${source}" ABSOLUTE)
  if(EMULATED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # What shall stay visible is told in a file of its own, so that no source has to.
    get_filename_component(folder "${path}" DIRECTORY)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${arg_HEADER}")
    file(READ "${folder}/${arg_HEADER}" header)
    string(REPLACE ";" "@" header "${header}")  # CMake's lists end at semicolons
    string(REGEX MATCHALL "\n[A-Za-z][^\n]*[ &*][a-z_0-9]+\\(\\)@" names "\n${header}")
    set(functions "")
    foreach(name IN LISTS names)
      string(REGEX REPLACE ".*[ &*]([a-z_0-9]+)\\(.*" "\\1" name "${name}")
      string(APPEND functions "[[gnu::used]] decltype(${name}) ${name};\n")
    endforeach()
    set(whole "${CMAKE_CURRENT_BINARY_DIR}/libraries/${target}.cu")
    file(CONFIGURE OUTPUT "${whole}" CONTENT "#include \"${folder}/${arg_HEADER}\"\n${functions}#include \"${path}\"\n" @ONLY)
    set(path "${whole}")
  endif()
  add_cuda_target(STATIC ${target} "${path}" ${arg_UNPARSED_ARGUMENTS})
  if(EMULATED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fwhole-program)
    target_compile_definitions(${target} PRIVATE EMULATED_HIDDEN_UNIT)
  elseif(EMULATED)
    target_compile_definitions(${target} PUBLIC EMULATED_SHARED_INDICES)
  endif()
endfunction()

function(add_cuda_target kind target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "EXACT" "STANDARD" "LIBRARIES;GPU_LIBRARIES")
  set(sources "")
  set(translated "")
  set(standard "")
  if(arg_STANDARD EQUAL 17)  # behind CMake's own -std; the emulated device's headers need concepts
    set(standard -std=c++17 -fconcepts -Wno-c++20-extensions)
  endif()
  # Where cu2cpp looks for quoted includes: the emulated device's own headers and the system's are no CUDA sources.
  set(search "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^(/usr/|${PROJECT_SOURCE_DIR}/emulator/)>")
  set(first_header -include cuda_runtime.h)
  if(PRECOMPILED AND arg_LIBRARIES MATCHES "GTest::")
    set(PRECOMPILED test)
  endif()
  if(PRECOMPILED AND TARGET precompiled_${PRECOMPILED}_link AND NOT standard)
    set(first_header -fpch-deps -include ${PROJECT_BINARY_DIR}/precompiled/${PRECOMPILED}.h)
  endif()
  set(cuda_paths "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path "${source}" ABSOLUTE)
    if(path MATCHES "\\.cu$")
      list(APPEND cuda_paths "${path}")
    endif()
  endforeach()
  list(LENGTH cuda_paths cuda_sources)
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path "${source}" ABSOLUTE)
    if(EMULATED AND path MATCHES "\\.cu$")
      get_filename_component(stem "${path}" NAME_WE)
      get_filename_component(folder "${path}" DIRECTORY)
      set(out "${CMAKE_CURRENT_BINARY_DIR}/translated/${target}")
      file(MAKE_DIRECTORY "${out}")
      set(others ${cuda_paths})  # a variable that another file declares extern is the whole program's
      list(REMOVE_ITEM others "${path}")
      add_custom_command(OUTPUT "${out}/${stem}.cpp"
        COMMAND cu2cpp "${path}" "${out}/${stem}.cpp" --include-dir "${out}" --depfile "${out}/${stem}.d"
          "$<$<BOOL:${search}>:--search-dir;$<JOIN:${search},;--search-dir;>>"
          "$<$<BOOL:${others}>:--beside;$<JOIN:${others},;--beside;>>"
        DEPENDS "${path}" cu2cpp
        DEPFILE "${out}/${stem}.d"
        COMMENT "Translating ${source}"
        COMMAND_EXPAND_LISTS VERBATIM)
      list(APPEND translated "${out}/${stem}.cpp")
      set_source_files_properties("${out}/${stem}.cpp" PROPERTIES
        COMPILE_OPTIONS "-iquote;${folder};${first_header};${emulated_cuda_options};${standard}"
        COMPILE_DEFINITIONS "${emulated_cuda_definitions}")
      list(APPEND sources "${out}/${stem}.cpp")
    else()
      list(APPEND sources "${path}")
    endif()
  endforeach()

  if(kind STREQUAL "STATIC")
    add_library(${target} STATIC ${sources})
  else()
    add_executable(${target} ${sources})
  endif()
  target_link_libraries(${target} PRIVATE common project_warnings project_sanitizers ${arg_LIBRARIES})
  if(translated)
    # A target of their own, which needs nothing but cu2cpp: else CMake lets them wait for the libraries that the program
    # links, and the first sample for the slowest file of those.
    add_custom_target(${target}_translated DEPENDS ${translated})
    add_dependencies(${target} ${target}_translated)
  endif()
  if(EMULATED)
    if("-fpch-deps" IN_LIST first_header)
      add_dependencies(${target} precompiled_${PRECOMPILED}_link)
    endif()
    target_link_libraries(${target} PRIVATE emulated_program emulated_device)
    set_target_properties(${target} PROPERTIES EMULATED_OPTIMIZATION "${EMULATED_OPTIMIZATION}")
    if(cuda_sources GREATER 1)  # kernels of several files share threadIdx and its companions
      target_compile_definitions(${target} PRIVATE EMULATED_SHARED_INDICES)
    endif()
  else()
    target_link_libraries(${target} PRIVATE ${arg_GPU_LIBRARIES})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;--expt-relaxed-constexpr;--extended-lambda>")
    # The CPU references must round as the C++ source says on every processor.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>")
    if(arg_STANDARD)
      set_target_properties(${target} PROPERTIES CUDA_STANDARD ${arg_STANDARD})
    endif()
    if(arg_EXACT)
      target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>")
    endif()
  endif()
endfunction()
