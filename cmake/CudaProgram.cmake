# add_cuda_program(TARGET SOURCE... [LIBRARIES ...] [GPU_LIBRARIES ...] [EXACT] [STANDARD 17])
# add_cuda_library(TARGET SOURCE.cu... HEADER FILE [the same options])
# Make an executable, or a static library, from .cu (and .cpp and .c) sources in either build.
#   gpu       nvcc compiles the .cu files as they are.
#   emulated  cu2cpp rewrites the launch syntax (emulator/README.md), g++ compiles the result.
# LIBRARIES are linked in both builds, GPU_LIBRARIES (cuBLAS, for example) in the gpu build only.
# EXACT: no contraction of a * b + c into one rounding, so that CPU and GPU agree bit for bit.
# (The emulated build never contracts.)
# STANDARD 17: the .cu files are C++17, not C++20, for programs that C++20 refuses.
# A library defines what HEADER (next to its sources) declares: functions without parameters, one per line; each source
# defines some of them (emulator/cmake/EmulatedCudaFunctions.cmake, also for the variable EMULATED_OPTIMIZATION).

add_library(project_warnings INTERFACE)
set(warnings -Wall -Wextra)
if(WARNINGS_AS_ERRORS)
  list(APPEND warnings -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)  # a false alarm in std::string's operator+ (GCC bug 105651)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND SANITIZE)
  list(APPEND warnings -Wno-maybe-uninitialized)  # false alarms with AddressSanitizer (GCC bug 105562)
endif()
# The unknown pragmas are nvcc's own, such as unroll. A target with the property FOREIGN has warnings of its own (Listing.cmake).
target_compile_options(project_warnings INTERFACE
  "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:$<TARGET_PROPERTY:FOREIGN>>>>:${warnings};-Wno-unknown-pragmas>")
if(NOT EMULATED)
  string(JOIN "," host_warnings ${warnings} -Wno-unknown-pragmas)
  target_compile_options(project_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${host_warnings}>")
  if(WARNINGS_AS_ERRORS)
    target_compile_options(project_warnings INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>")
  endif()
endif()

add_library(project_sanitizers INTERFACE)
if(SANITIZE)
  # For common as for the device (emulator/CMakeLists.txt). Programs have both sanitizers from emulated_program.
  set(sanitizers address)
  if(BUILD_TESTING)
    string(APPEND sanitizers ,undefined)
  endif()
  target_compile_options(project_sanitizers INTERFACE -fsanitize=${sanitizers} -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer)
  target_link_options(project_sanitizers INTERFACE -fsanitize=address,undefined)
endif()

if(NOT EMULATED)
  add_library(emulated_program INTERFACE)  # how the emulated device's functions compile kernels
endif()

function(add_cuda_program target)
  add_cuda_target(EXECUTABLE ${target} ${ARGN})
endfunction()

function(add_cuda_library target)
  add_cuda_target(STATIC ${target} ${ARGN})
endfunction()

function(add_cuda_target kind target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "EXACT;STRICT_CONSTEXPR" "STANDARD;HEADER" "LIBRARIES;GPU_LIBRARIES")
  set(libraries common project_warnings project_sanitizers ${arg_LIBRARIES})
  if(EMULATED)
    if(kind STREQUAL "STATIC")
      add_emulated_library(${target} ${arg_UNPARSED_ARGUMENTS} HEADER "${arg_HEADER}" LIBRARIES ${libraries})
    else()
      if(arg_STANDARD)
        list(APPEND arg_UNPARSED_ARGUMENTS STANDARD ${arg_STANDARD})
      endif()
      if(arg_STRICT_CONSTEXPR)
        list(APPEND arg_UNPARSED_ARGUMENTS STRICT_CONSTEXPR)
      endif()
      add_emulated_executable(${target} ${arg_UNPARSED_ARGUMENTS} LIBRARIES ${libraries})
    endif()
    return()
  endif()
  if(kind STREQUAL "STATIC")
    add_library(${target} STATIC ${arg_UNPARSED_ARGUMENTS})
  else()
    add_executable(${target} ${arg_UNPARSED_ARGUMENTS})
  endif()
  target_link_libraries(${target} PRIVATE ${libraries} ${arg_GPU_LIBRARIES})
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;--extended-lambda>")
  if(NOT arg_STRICT_CONSTEXPR)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>")
  endif()
  # The CPU references must round as the C++ source says on every processor.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffp-contract=off>")
  if(arg_STANDARD)
    set_target_properties(${target} PROPERTIES CUDA_STANDARD ${arg_STANDARD})
  endif()
  if(arg_EXACT)
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>")
  endif()
endfunction()
