# How CUDA programs are compiled for the emulated device. Part of the project and of its installed package.
#
# add_emulated_executable(NAME SOURCE... [LIBRARIES ...] [STANDARD 17] [STRICT_CONSTEXPR])
#   A program from .cu (and .cpp and .c) sources: cu2cpp rewrites the .cu files, and in .cpp files the calls of CUDA whose
#   result is dropped; the C++ compiler compiles the results.
#   STANDARD 17: the .cu files are C++17, for programs that C++20 refuses (g++ only; `concept` stays a keyword).
#   STRICT_CONSTEXPR: constexpr functions of the host are refused in kernels, as by nvcc without --expt-relaxed-constexpr.
# add_emulated_library(NAME SOURCE.cu... HEADER FILE [the same options])
#   A static library that defines what HEADER (next to its sources) declares: functions without parameters, one a line, in
#   at most one namespace; each source defines some of them. g++ hides all the rest (-fwhole-program), and with it every
#   inline function that the file shares with others: so each keeps its own threadIdx, and all may launch kernels
#   (include/emulated/indices.h). Without HEADER: for programs without kernels of their own.
#
# The .cu files are optimized with -O3, or with the level in the variable EMULATED_OPTIMIZATION, where a short
# build matters more than speed; with every instruction of this machine's processor, unless NATIVE is off.
#
# A program with the property EXPLAINED reports how its kernels access memory (packs/explain): all of them, where the variable
# EXPLAIN is on. Where EMULATED_EXPLAINED_TOO is on, NAME gets a twin NAME_explained, which is built when it is asked for.
include_guard(GLOBAL)

add_library(emulated_program INTERFACE)  # how kernels are compiled
# -g1: faults in kernels name their line, and compiling takes a third less time than with variables for a debugger.
# -gdwarf-4: of version 5 addr2line (binutils 2.40) takes the first file for the one before it, the translated one, where a
# section begins. In front of -g1, which it would raise to -g.
target_compile_options(emulated_program INTERFACE -gdwarf-4 $<IF:$<CONFIG:Debug,RelWithDebInfo>,-g,-g1> -ffp-contract=off)
# A GPU's arithmetic has no traps; to allow for them keeps g++ from computing both sides of a condition.
target_compile_options(emulated_program INTERFACE -fno-trapping-math)
# The compiler calls the hooks of packs/explain at each access to memory and at each basic block.
# -fno-tree-sra: a float4 stays one access. -fno-reorder-blocks: where a thread goes back, it begins a turn of a loop.
# early-inlining-insns: what the device's functions do belongs to the line that calls them.
# -fno-tree-cselim: a store in both branches of a condition belongs to the line of each.
# -fno-tree-sink: a load before a guard stays there, though only what the guard guards uses the value.
set(explain_options -O1 -g -fno-tree-sra -fno-reorder-blocks -fno-tree-cselim -fno-tree-sink
  --param=early-inlining-insns=100 -fsanitize=thread
  --param=tsan-distinguish-volatile=1 -fsanitize-coverage=trace-pc -fsanitize=bounds-strict -fsanitize-recover=bounds-strict
  -Wno-tsan)  # fences: the hooks learn of them otherwise
# What kernels do through these functions of the C library is noted, too (packs/explain/src/hooks.cpp).
set(explain_link_options "")
foreach(name IN ITEMS memcpy memmove memset)
  list(APPEND explain_link_options -Wl,--wrap=${name},--wrap=__${name}_chk)
endforeach()
# How large the host's allocations are (packs/explain/src/record/host_heap.cpp).
list(APPEND explain_link_options -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free)
set(explained $<BOOL:$<TARGET_PROPERTY:EXPLAINED>>)
target_compile_definitions(emulated_program INTERFACE $<${explained}:EMULATED_EXPLAIN>)
target_compile_options(emulated_program INTERFACE "$<${explained}:${explain_options}>")
target_link_options(emulated_program INTERFACE "$<${explained}:${explain_link_options}>")
if(SANITIZE)
  # A precaution: "insufficient space for an object" was once reported of dynamic shared memory, wrongly, and could not be
  # reproduced. AddressSanitizer knows how large it is.
  target_compile_options(emulated_program INTERFACE -O1 -fsanitize=address,undefined -fno-sanitize=object-size
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(emulated_program INTERFACE -fsanitize=address,undefined)
else()
  target_compile_options(emulated_program INTERFACE $<$<NOT:${explained}>:-fwrapv>)  # with it g++ would not report overflows
  # Not in a Debug build: a debugger stops where threadIdx has a certain value only in code that is not optimized.
  set(level $<TARGET_PROPERTY:EMULATED_OPTIMIZATION>)
  target_compile_options(emulated_program INTERFACE $<$<NOT:$<OR:$<CONFIG:Debug>,${explained}>>:-O$<IF:$<BOOL:${level}>,${level},3>>)
endif()
if(NATIVE OR NOT DEFINED NATIVE)
  include(CheckCXXCompilerFlag)
  check_cxx_compiler_flag(-march=native HAVE_MARCH_NATIVE)
  if(HAVE_MARCH_NATIVE)
    target_compile_options(emulated_program INTERFACE -march=native)
  endif()
endif()

# What nvcc defines, for .cu files only. __CUDA_ARCH__ is defined in host code, too: on the emulated device functions for
# both sides take the device's branch (cu2cpp reports where).
set_target_properties(emulated_program PROPERTIES EMULATED_DEFINITIONS
  "__CUDACC__;__NVCC__;__CUDA_ARCH__=900;__CUDACC_VER_MAJOR__=12;__CUDACC_VER_MINOR__=0;__CUDACC_VER_BUILD__=0")
# The compiler must not make a trap of a division by zero that it sees, nor drop a store to a null pointer, nor malloc with
# its free: the kernel's end names the thread. Nor may it drop a loop because it would never end.
# Floating-point numbers that do not fit into an integer, without a cast: src/diagnosis/undefined.cpp, or
# UndefinedBehaviorSanitizer. A GPU has no errno: to set it g++ would call the C library for the root of a negative number,
# and a loop over threads with a call is no vector instructions.
set_target_properties(emulated_program PROPERTIES EMULATED_OPTIONS
  "-fno-delete-null-pointer-checks;-fno-finite-loops;-fno-math-errno;$<$<CXX_COMPILER_ID:GNU>:-fno-isolate-erroneous-paths-dereference>;$<$<CXX_COMPILER_ID:Clang>:-fno-builtin-malloc>;-fsanitize=float-cast-overflow;-fsanitize-recover=float-cast-overflow")

# arm64 divides by zero without a fault: undefined.cpp reports it, too. And a fault in an atomic function has a line only where
# the compiler does not call libgcc for it.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  target_compile_options(emulated_program INTERFACE -mno-outline-atomics)
  if(NOT SANITIZE)
    set_property(TARGET emulated_program APPEND PROPERTY EMULATED_OPTIONS
      -fsanitize=integer-divide-by-zero -fsanitize-recover=integer-divide-by-zero)
  endif()
endif()

# What g++ knows of mistakes that nvcc warns of, for programs whose author has not asked for warnings. (-Wuninitialized turns
# -Wmaybe-uninitialized on, too.)
set_target_properties(emulated_program PROPERTIES EMULATED_WARNINGS "-Wformat;-Wparentheses;-Wunused-value;-Wuninitialized")

function(add_emulated_executable target)
  emulated_target(EXECUTABLE ${target} ${ARGN})
endfunction()

function(add_emulated_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER" "")
  if(NOT arg_HEADER)
    emulated_target(STATIC ${target} ${arg_UNPARSED_ARGUMENTS})
    return()
  endif()
  set(arguments "")
  set(functions "")
  foreach(argument IN LISTS arg_UNPARSED_ARGUMENTS)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND argument MATCHES "\\.cu$")
      # What must stay visible is listed in a file of its own, so that no source has to.
      get_filename_component(path "${argument}" ABSOLUTE)
      get_filename_component(folder "${path}" DIRECTORY)
      get_filename_component(stem "${path}" NAME_WE)
      if(NOT functions)
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${arg_HEADER}")
        file(READ "${folder}/${arg_HEADER}" header)
        string(REPLACE ";" "@" header "${header}")  # CMake's lists end at semicolons
        string(REGEX MATCHALL "\n[A-Za-z][^\n]*[ &*][a-z_0-9]+\\(\\)@" names "\n${header}")
        foreach(name IN LISTS names)
          string(REGEX REPLACE ".*[ &*]([a-z_0-9]+)\\(.*" "\\1" name "${name}")
          string(APPEND functions "[[gnu::used]] decltype(${name}) ${name};\n")
        endforeach()
        if("\n${header}" MATCHES "\nnamespace ([a-z_0-9]+) {")
          set(functions "namespace ${CMAKE_MATCH_1} {\n${functions}}\n")
        endif()
      endif()
      set(argument "${CMAKE_CURRENT_BINARY_DIR}/libraries/${target}/${stem}.cu")
      file(CONFIGURE OUTPUT "${argument}" CONTENT "#include \"${folder}/${arg_HEADER}\"\n${functions}#include \"${path}\"\n" @ONLY)
    endif()
    list(APPEND arguments "${argument}")
  endforeach()
  emulated_target(STATIC ${target} ${arguments})
  foreach(twin IN ITEMS ${target} ${target}_explained)
    if(NOT TARGET ${twin})
      continue()
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${twin} PRIVATE -fwhole-program)
      target_compile_definitions(${twin} PRIVATE EMULATED_HIDDEN_UNIT)
    else()
      target_compile_definitions(${twin} PUBLIC EMULATED_SHARED_INDICES)
    endif()
  endforeach()
endfunction()

function(emulated_target kind target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "STRICT_CONSTEXPR" "STANDARD" "LIBRARIES")
  set(standard "")
  # After CMake's own -std. The emulated device's headers need concepts, which clang has from C++20 on only.
  if(arg_STANDARD EQUAL 17 AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    set(standard -std=c++17 -fconcepts -Wno-c++20-extensions)
  endif()
  # Where cu2cpp looks for quoted includes, and where it does not: the emulated device's own headers are no CUDA sources.
  set(search "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(own "$<TARGET_PROPERTY:EmulatedCuda::device,INTERFACE_INCLUDE_DIRECTORIES>")
  get_target_property(options emulated_program EMULATED_OPTIONS)
  get_target_property(definitions emulated_program EMULATED_DEFINITIONS)
  set(strict "")
  if(arg_STRICT_CONSTEXPR)
    set(strict --strict-constexpr)
  endif()
  set(paths "")
  set(cuda_paths "")
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(path "${source}" ABSOLUTE)
    list(APPEND paths "${path}")
    if(path MATCHES "\\.cu$")
      list(APPEND cuda_paths "${path}")
    endif()
  endforeach()
  set(sources "")
  set(translated "")
  foreach(path IN LISTS paths)
    get_source_file_property(generated "${path}" GENERATED)
    if(NOT path MATCHES "\\.(cu|cpp)$" OR (generated AND path MATCHES "\\.cpp$"))
      list(APPEND sources "${path}")
      continue()
    endif()
    get_filename_component(stem "${path}" NAME_WE)
    get_filename_component(folder "${path}" DIRECTORY)
    set(out "${CMAKE_CURRENT_BINARY_DIR}/translated/${target}")
    if(path MATCHES "\\.cpp$")  # two may have one name
      list(LENGTH translated number)
      string(APPEND out "/host_${number}")
    endif()
    file(MAKE_DIRECTORY "${out}")
    set(others ${cuda_paths})  # a variable that another file declares extern is the whole program's
    list(REMOVE_ITEM others "${path}")
    list(TRANSFORM others PREPEND "--with=")
    add_custom_command(OUTPUT "${out}/${stem}.cpp"
      COMMAND EmulatedCuda::cu2cpp "${path}" "${out}/${stem}.cpp" --include-dir "${out}" --depfile "${out}/${stem}.d"
        "$<$<BOOL:${search}>:--search-dir=$<JOIN:${search},;--search-dir=>>"
        "$<$<BOOL:${own}>:--own-dir=$<JOIN:${own},;--own-dir=>>" ${others} ${strict}
      DEPENDS "${path}" $<TARGET_FILE:EmulatedCuda::cu2cpp>
      DEPFILE "${out}/${stem}.d"
      COMMENT "Translating ${path}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND translated "${out}/${stem}.cpp")
    list(APPEND sources "${out}/${stem}.cpp")
    if(path MATCHES "\\.cu$")
      set_source_files_properties("${out}/${stem}.cpp" PROPERTIES
        COMPILE_OPTIONS "-iquote;${folder};-include;cuda_runtime.h;${options};${standard}" COMPILE_DEFINITIONS "${definitions}")
      continue()
    endif()
    set_source_files_properties("${out}/${stem}.cpp" PROPERTIES COMPILE_OPTIONS "-iquote;${folder}")
    foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS)  # which the project has set for the file
      get_source_file_property(own_value "${path}" ${property})
      if(own_value)
        set_property(SOURCE "${out}/${stem}.cpp" APPEND PROPERTY ${property} ${own_value})
      endif()
    endforeach()
  endforeach()
  set(twins ${target})
  if(EMULATED_EXPLAINED_TOO)
    list(APPEND twins ${target}_explained)
  endif()
  foreach(twin IN LISTS twins)
    set(libraries ${arg_LIBRARIES})
    if(kind STREQUAL "STATIC")
      add_library(${twin} STATIC ${sources})
    else()
      add_executable(${twin} ${sources})
    endif()
    set_target_properties(${twin} PROPERTIES EMULATED_OPTIMIZATION "${EMULATED_OPTIMIZATION}" EXPLAINED "${EXPLAIN}")
    if(NOT twin STREQUAL target)
      set_target_properties(${twin} PROPERTIES EXPLAINED ON EXCLUDE_FROM_ALL ON)
      if(kind STREQUAL "EXECUTABLE")
        set_target_properties(${twin} PROPERTIES OUTPUT_NAME ${target} RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/explained")
      endif()
      set(libraries "")
      foreach(library IN LISTS arg_LIBRARIES)
        if(TARGET ${library}_explained)
          set(library ${library}_explained)
        endif()
        list(APPEND libraries ${library})
      endforeach()
    endif()
    target_link_libraries(${twin} PRIVATE ${libraries} emulated_program
      $<$<BOOL:$<TARGET_PROPERTY:${twin},EXPLAINED>>:EmulatedCuda::explain> EmulatedCuda::device)
    if(translated)
      # A target of their own, which needs nothing but cu2cpp: else CMake lets them wait for the libraries that the program
      # links, and the first program for the slowest file of those.
      if(NOT TARGET ${target}_translated)
        add_custom_target(${target}_translated DEPENDS ${translated})
      endif()
      add_dependencies(${twin} ${target}_translated)
    endif()
    list(LENGTH cuda_paths cuda_sources)
    if(kind STREQUAL "EXECUTABLE" AND cuda_sources GREATER 1)  # their kernels share threadIdx and its companions
      target_compile_definitions(${twin} PRIVATE EMULATED_SHARED_INDICES)
    endif()
  endforeach()
endfunction()
